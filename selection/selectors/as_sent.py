"""What an arm is recorded to have sent."""

from __future__ import annotations

from collections.abc import Sequence

from selection.ledger import Moment, Picks, Reason, Verdict, beyond_cap, over_budget
from selection.model import Budget, Pool
from selection.registry import Param, Refusal, Selector, register


@register(
    "as_sent",
    title="as sent",
    summary="Shows what an arm is recorded to have sent, in that order.",
    params=(Param("arm", str, None, "The arm whose record is shown.", source="sent"),),
    reorders=True,
)
class AsSent(Selector):
    """The recorded passages of one arm; everything else is `not_sent`.

    It was sent whatever it cost, so only the cap on passages and an empty budget apply.

    Ids that are not in the pool are listed in `Selection.missing`.

    :raises ValueError: where the pool has no record of that arm.
    """

    arm: str

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        if budget.tokens == 0:
            return Picks(order=())
        found = (pool.position[name] for name in self._record(pool) if name in pool.position)
        return Picks(order=tuple(dict.fromkeys(found))[: budget.passages])

    def check(self, pool: Pool, budget: Budget) -> None:
        super().check(pool, budget)
        self._record(pool)

    @property
    def nested(self) -> bool:
        return True

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        recorded = set(self._record(pool))

        def refuse(moment: Moment) -> Verdict:
            if pool.ids[moment.index] in recorded:
                out = beyond_cap(budget, moment) or over_budget(pool, moment)
                return out or Verdict(Reason.OVER_BUDGET, "the budget is 0")
            return Verdict(Reason.NOT_SENT, f"not recorded as sent by {self.arm}")

        return refuse

    def runs(self, pool: Pool, budget: Budget, order: tuple[int, ...]) -> Sequence[tuple[int, ...]]:
        return ()

    def missing(self, pool: Pool) -> tuple[str, ...]:
        return tuple(name for name in self._record(pool) if name not in pool.position)

    def _record(self, pool: Pool) -> tuple[str, ...]:
        if self.arm not in pool.sent:
            arms = ", ".join(repr(arm) for arm in pool.sent) or "none"
            raise ValueError(
                f"as_sent: question {pool.id!r} has no record of arm {self.arm!r}; "
                f"recorded: {arms}."
            )
        return pool.sent[self.arm]
