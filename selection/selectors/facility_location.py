"""Facility location: every passage of the pool should have something like it in the prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from selection.certificate import (
    UNLIMITED,
    binding_passages,
    binding_tokens,
    greedy_guarantee,
)
from selection.greedy import first_best, greedy, lazy_greedy
from selection.ledger import Picks
from selection.model import Budget, FloatArray, Pool
from selection.registry import Param, register
from selection.selectors.reordering import NOTHING, CoverageSelector

BEST_OF_TWO = "at least 40.5 % of the best"
"""The better of density greedy and best single: Tang and others, arXiv 2008.05391."""


LAZY_FROM = 128
"""Passages from which renewing few gains beats renewing all."""


@register(
    "facility_location",
    title="facility location",
    summary="Covers the pool: every relevant passage should resemble one that is sent.",
    params=(
        Param(
            "cost_aware",
            bool,
            False,
            "True compares gain per token and keeps the best single passage if that is better, "
            "False compares gains alone.",
        ),
    ),
    needs=("score", "similarity"),
    reorders=True,
)
class FacilityLocation(CoverageSelector):
    """Greedy on f(S) = sum_i w_i max_(j in S) max(0, cos_ij), w_i = max(0, rel_i).

    Monotone and submodular because similarity is clipped at 0. Stops when nothing is left to cover.
    Costs count under a token budget only; without one, `cost_aware` changes nothing.
    """

    cost_aware: bool

    def incremental(self, pool: Pool) -> FacilityGains:
        return FacilityGains(pool.relevance, pool.clipped_columns)

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        if not self.cost_aware or budget.tokens is None:
            return self._run(pool, budget, per_token=False)
        dense = self._by_density(pool, budget)
        single = self._best_single(pool, budget)
        return single if single.gains and single.gains[0] > sum(dense.gains or ()) else dense

    @property
    def nested(self) -> bool:
        return not self.cost_aware

    def _by_density(self, pool: Pool, budget: Budget) -> Picks:
        return self._run(pool, budget, per_token=True)

    def _run(self, pool: Pool, budget: Budget, *, per_token: bool) -> Picks:
        gains = self.incremental(pool)
        run = greedy if len(pool) < LAZY_FROM else lazy_greedy
        return run(pool, budget, gains, stop_below=NOTHING, per_token=per_token)

    def _best_single(self, pool: Pool, budget: Budget) -> Picks:
        gains = self.incremental(pool)
        worth = gains.values()
        allowed = worth > 0.0
        if budget.tokens is not None and pool.tokens is not None:
            allowed &= pool.tokens <= budget.tokens
        if not allowed.any() or budget.passages == 0:
            return Picks(order=())
        best = first_best(worth, allowed, noise=gains.noise)
        return Picks(order=(best,), gains=(float(worth[best]),))

    def outscored(self, pool: Pool, budget: Budget, picks: Picks) -> Mapping[int, str]:
        if not self.cost_aware or budget.tokens is None:
            return {}
        dense = self._by_density(pool, budget)
        if dense.order == picks.order or len(picks.order) != 1:
            return {}
        value = sum(dense.gains or ())
        lost = f"rank {picks.order[0] + 1} alone covers {sum(picks.gains or ()):.4g}"
        return {
            index: f"{lost}, the best mix by gain per token {value:.4g}"
            for index in dense.order
            if index not in picks.order
        }

    def runs(self, pool: Pool, budget: Budget, order: tuple[int, ...]) -> Sequence[tuple[int, ...]]:
        return (self._by_density(pool, budget).order,) if self.cost_aware else (order,)

    def guarantee(self, pool: Pool, budget: Budget) -> str | None:
        if not self.cost_aware or budget.tokens is None:
            return greedy_guarantee(pool, budget)
        if binding_passages(pool, budget):
            return None
        return BEST_OF_TWO if binding_tokens(pool, budget) else UNLIMITED


class FacilityGains:
    """How much better each passage of the pool would be covered, weighted by its relevance."""

    def __init__(self, relevance: FloatArray, columns: FloatArray) -> None:
        """columns: shape (n, n), row j is the clipped similarity of every passage to passage j."""
        self._weights = np.maximum(relevance, 0.0)
        self._columns = columns
        self._best = np.zeros(len(relevance))
        self.noise = 1e-14 * float(self._weights.sum())

    def values(self) -> FloatArray:
        if not self._best.any():
            return np.asarray(self._columns @ self._weights)
        return np.asarray(np.maximum(self._columns - self._best, 0.0) @ self._weights)

    def of(self, indices: NDArray[np.intp]) -> FloatArray:
        return np.asarray(np.maximum(self._columns[indices] - self._best, 0.0) @ self._weights)

    def add(self, index: int) -> None:
        self._best = np.maximum(self._best, self._columns[index])
