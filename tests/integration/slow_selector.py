"""A team's own selector that takes its time, so that a job can be met while it runs."""

from __future__ import annotations

import time

from selection.ledger import Picks
from selection.model import Budget, Pool
from selection.registry import Param, Refusal, Selector, register
from selection.selectors.top_k import TopK


@register(
    "slow",
    title="slow",
    summary="Sends the first passage after a while.",
    params=(Param(name="pause", type=float, default=0.0, low=0.0, help="Seconds for a question."),),
)
class Slow(Selector):
    """Sends the first passage, after a pause for each question."""

    pause: float

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        time.sleep(self.pause)
        return Picks(order=tuple(range(len(pool)))[:1])

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        return TopK(k=1).refusals(pool, budget, picks)
