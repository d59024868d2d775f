"""What selectors that take the best passage at every step have in common."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from selection.greedy import Gains, greedy, replay
from selection.ledger import Moment, Picks, Reason, Verdict, beyond_cap, over_budget
from selection.model import Budget, Pool
from selection.registry import Refusal, Selector


class GreedySelector(Selector):
    """Takes the best gain that fits until nothing fits; a subclass says what a gain is."""

    stop_below: ClassVar[float | None] = None
    exhausted: ClassVar[str] = "adds nothing to what is admitted"

    def incremental(self, pool: Pool) -> Gains:
        """A fresh gain computer over a pool."""
        raise NotImplementedError

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        return greedy(pool, budget, self.incremental(pool), stop_below=self.stop_below)

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        _, left_over = replay(self.incremental(pool), picks.order)

        def refuse(moment: Moment) -> Verdict:
            gain = float(left_over[moment.index])
            out = beyond_cap(budget, moment) or over_budget(pool, moment)
            if out is None:
                out = Verdict(Reason.NO_GAIN, self.exhausted)
            known = gain if np.isfinite(gain) else None
            return Verdict(out.reason, out.detail, out.blocked_by, known)

        return refuse
