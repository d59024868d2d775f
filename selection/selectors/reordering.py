"""What selectors that take the best passage at every step have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from selection.certificate import binding_tokens, greedy_guarantee, upper_bound
from selection.greedy import Gains, greedy, replay
from selection.ledger import Moment, Picks, Reason, Verdict, beyond_cap, over_budget
from selection.model import Budget, Pool
from selection.registry import Refusal, Selector

NOTHING = 1e-12
"""A gain at or below this share of the value so far is rounding."""


class GreedySelector(Selector):
    """Takes the best gain that fits until nothing fits; a subclass says what a gain is."""

    stop_below: ClassVar[float | None] = None
    exhausted: ClassVar[str] = "adds nothing to what is admitted"

    def incremental(self, pool: Pool) -> Gains:
        """A fresh gain computer over a pool."""
        raise NotImplementedError

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        return greedy(pool, budget, self.incremental(pool), stop_below=self.stop_below)

    @property
    def nested(self) -> bool:
        return True

    def gains(self, pool: Pool, order: Sequence[int]) -> tuple[float, ...] | None:
        return replay(self.incremental(pool), tuple(order))[0]

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        won, left_over = replay(self.incremental(pool), picks.order)
        value = sum(won)
        lost = self.outscored(pool, budget, picks)

        def refuse(moment: Moment) -> Verdict:
            out = beyond_cap(budget, moment)
            if out is None and moment.index in lost:
                out = Verdict(Reason.OUTSCORED, lost[moment.index])
            gain = float(left_over[moment.index])
            worthless = self.stop_below is not None and gain <= self.stop_below * value
            out = out or (None if worthless else over_budget(pool, moment))
            out = out or self.fitting(pool, moment)
            known = gain if np.isfinite(gain) else None
            return Verdict(out.reason, out.detail, out.blocked_by, known)

        return refuse

    def fitting(self, pool: Pool, moment: Moment) -> Verdict:
        """Why a passage that the budget would allow is out."""
        return Verdict(Reason.NO_GAIN, self.exhausted)

    def outscored(self, pool: Pool, budget: Budget, picks: Picks) -> Mapping[int, str]:
        """Passages of a run that lost against the one returned: index -> in words, to what."""
        return {}


class CoverageSelector(GreedySelector):
    """A greedy selector whose objective is monotone submodular: it has a value and a bound."""

    stop_below: ClassVar[float | None] = NOTHING

    def submodular(self, pool: Pool) -> bool:
        """Whether the objective is monotone submodular on this pool, and so can be certified."""
        return True

    def worth(self, pool: Pool, order: Sequence[int]) -> float | None:
        return float(sum(replay(self.incremental(pool), tuple(order))[0]))

    def bound(self, pool: Pool, budget: Budget, picks: Picks) -> float | None:
        if not self.submodular(pool):
            return None
        orders = [picks.order]
        if binding_tokens(pool, budget):
            orders.append(greedy(pool, budget, self.incremental(pool), per_token=True).order)
        bound = upper_bound(lambda: self.incremental(pool), pool, budget, orders)
        # Both are sums of the same terms in another order: rounding must not turn them round.
        return max(bound, self.worth(pool, picks.order) or 0.0)

    def guarantee(self, pool: Pool, budget: Budget) -> str | None:
        return greedy_guarantee(pool, budget) if self.submodular(pool) else None
