"""What an arm is recorded to have sent."""

from __future__ import annotations

from selection.ledger import Moment, Picks, Reason, Verdict, beyond_cap
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

    It was sent whatever it cost, so only the budget's cap on passages applies.

    Ids that are not in the pool are listed in `Selection.missing`.

    :raises ValueError: where the pool has no record of that arm.
    """

    arm: str

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        found = (pool.position[name] for name in self._record(pool) if name in pool.position)
        return Picks(order=tuple(dict.fromkeys(found))[: budget.passages])

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        recorded = set(self._record(pool))

        def refuse(moment: Moment) -> Verdict:
            if pool.ids[moment.index] in recorded:
                return beyond_cap(budget, moment) or Verdict(Reason.NOT_SENT, "not recorded")
            return Verdict(Reason.NOT_SENT, f"not recorded as sent by {self.arm}")

        return refuse

    def missing(self, pool: Pool) -> tuple[str, ...]:
        return tuple(name for name in self._record(pool) if name not in pool.position)

    def _record(self, pool: Pool) -> tuple[str, ...]:
        if self.arm not in pool.sent:
            arms = ", ".join(repr(arm) for arm in pool.sent) or "none"
            raise ValueError(
                f"as_sent: question {pool.id!r} has no record of arm {self.arm!r}; recorded: {arms}."
            )
        return pool.sent[self.arm]
