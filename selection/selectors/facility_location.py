"""Facility location: every passage of the pool should have something like it in the prompt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from selection.greedy import replay
from selection.model import FloatArray, Pool
from selection.registry import Param, register
from selection.selectors.reordering import GreedySelector


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
class FacilityLocation(GreedySelector):
    """Greedy on f(S) = sum_i w_i max_(j in S) max(0, cos_ij), w_i = max(0, rel_i).

    Monotone and submodular because similarity is clipped at 0. Stops when nothing is left to cover.
    """

    cost_aware: bool
    stop_below = 1e-12

    def incremental(self, pool: Pool) -> FacilityGains:
        return FacilityGains(pool.relevance, pool.similarity)

    def objective(self, pool: Pool, order: Sequence[int]) -> float | None:
        gains, _ = replay(self.incremental(pool), tuple(order))
        return float(sum(gains))


class FacilityGains:
    """How much better each passage of the pool would be covered, weighted by its relevance."""

    def __init__(self, relevance: FloatArray, similarity: FloatArray) -> None:
        self._weights = np.maximum(relevance, 0.0)
        self._similarity = np.maximum(similarity, 0.0)
        self._best = np.zeros(len(relevance))

    def values(self) -> FloatArray:
        return self._weights @ np.maximum(self._similarity - self._best[:, None], 0.0)

    def add(self, index: int) -> None:
        self._best = np.maximum(self._best, self._similarity[:, index])
