"""The exact best set under the budget: no method, but the yardstick for all others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from selection.cover import ClaimGains
from selection.exact import Solution, best
from selection.greedy import Gains, replay
from selection.ledger import Moment, Picks, Reason, Verdict, beyond_cap
from selection.model import Budget, FloatArray, Pool
from selection.registry import Need, Param, Refusal, Selector, register
from selection.selectors.facility_location import FacilityGains

_NEEDS: dict[str, tuple[Need, ...]] = {
    "claims": ("claims",),
    "gold": (),
    "facility": ("score", "similarity"),
}


@register(
    "optimum",
    title="optimum",
    summary="The exact best set under the budget, by an integer program: the yardstick for others.",
    params=(
        Param(
            "objective",
            str,
            "claims",
            "What is best: the most distinct claims, the most gold weight (the only setting of any "
            "selector that may see gold), or the largest facility-location value.",
            choices=("claims", "gold", "facility"),
        ),
        Param(
            "time_limit",
            float,
            10.0,
            "Seconds to search: short may end with the best found and a bound, long with a proof.",
            low=0.05,
            high=600.0,
        ),
    ),
    reorders=True,
)
class Optimum(Selector):
    """Exact, over what is judged; see `selection.exact`.

    Among equals the fewest tokens win, then the lowest ranks; shown in rank order. Where the
    time limit is hit, the best set found, with a bound on what is possible and no guarantee.

    :raises ValueError: for the objective gold on a pool without gold facts.
    """

    yardstick = True
    objective: str
    time_limit: float

    def requires(self, pool: Pool, budget: Budget) -> tuple[Need, ...]:
        needs = _NEEDS[self.objective]
        return needs if budget.tokens is None else (*needs, "tokens")

    def check(self, pool: Pool, budget: Budget) -> None:
        super().check(pool, budget)
        if self.objective == "gold" and len(pool) and not pool.gold:
            raise ValueError(
                f"optimum: the objective gold needs gold facts, and question {pool.id!r} has none."
            )

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        return Picks(order=self._solution(pool, budget).order)

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        _, left_over = replay(self._gains(pool), picks.order)

        def refuse(moment: Moment) -> Verdict:
            gain = float(left_over[moment.index])
            out = _too_large(pool, budget, moment.index)
            out = out or (beyond_cap(budget, moment) if gain > 0 else None)
            out = out or Verdict(Reason.NOT_IN_OPTIMUM, _why(gain, len(picks.order)))
            return Verdict(out.reason, out.detail, (), gain)

        return refuse

    def gains(self, pool: Pool, order: Sequence[int]) -> tuple[float, ...] | None:
        return replay(self._gains(pool), tuple(order))[0]

    def worth(self, pool: Pool, order: Sequence[int]) -> float | None:
        return float(sum(self.gains(pool, order) or ()))

    def bound(self, pool: Pool, budget: Budget, picks: Picks) -> float | None:
        value = self.worth(pool, picks.order) or 0.0
        solution = self._solution(pool, budget)
        return value if solution.proven else max(value, solution.bound)

    def guarantee(self, pool: Pool, budget: Budget) -> str | None:
        return "the best: proven" if self._solution(pool, budget).proven else None

    def runs(self, pool: Pool, budget: Budget, order: tuple[int, ...]) -> Sequence[tuple[int, ...]]:
        return ()

    def _solution(self, pool: Pool, budget: Budget) -> Solution:
        return best(pool, budget, self.objective, seconds=self.time_limit)

    def _gains(self, pool: Pool) -> Gains:
        if self.objective == "facility":
            return FacilityGains(pool.relevance, pool.clipped_columns)
        if self.objective == "claims":
            return ClaimGains(pool.claim_bits.words)
        return FactGains(pool)


class FactGains:
    """Gold weight that each passage adds to what is supported."""

    noise = 0.0

    def __init__(self, pool: Pool) -> None:
        self._supported = pool.support_bits.matrix()
        self._open = np.fromiter(pool.gold.values(), dtype=np.float64, count=len(pool.gold))

    def values(self) -> FloatArray:
        return np.asarray(self._supported @ self._open, dtype=np.float64)

    def add(self, index: int) -> None:
        self._open = np.where(self._supported[index], 0.0, self._open)


def _too_large(pool: Pool, budget: Budget, index: int) -> Verdict | None:
    if budget.tokens is None or pool.tokens is None or pool.tokens[index] <= budget.tokens:
        return None
    detail = f"needs {pool.tokens[index]:,} tokens, the budget is {budget.tokens:,}"
    return Verdict(Reason.OVER_BUDGET, detail)


def _why(gain: float, passages: int) -> str:
    if gain > 0:
        return f"would add {gain:.4g}, but no set with it under the budget is better"
    noun = "passage" if passages == 1 else "passages"
    return f"the {passages} {noun} of the optimum have all that it brings"
