"""What takes longer than a redraw may: the best possible, where facts are lost, what would help."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from selection.changes import Dropped, smallest_changes
from selection.ledger import Selection
from selection.measures import Cut, all_measures
from selection.model import Budget, Pool
from selection.registry import make_selector

_log = logging.getLogger(__name__)
_NEEDED = ("claim_recall", "claim_ceiling", "budget_ceiling", "budget_loss", "selector_loss")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Where the judged facts of a question went. Shares of their weight, from 0 to 1.

    never: not retrieved. budget: retrieved, and no set under the budget holds it. selector: the
    budget could have bought it. The three add up to missed. budget and selector are None for a
    selection over its budget, and where the best possible is not known. reachable: what the best
    set under the budget holds. facts: how many there are; equal: they all weigh the same.
    """

    missed: float
    never: float
    budget: float | None
    selector: float | None
    reachable: float | None
    facts: int
    equal: bool

    def count(self, share: float) -> int | None:
        """A share as a number of facts; None where facts differ in weight."""
        return round(share * self.facts) if self.equal else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best set on judged facts under a budget, the cheapest of its kind.

    ranks: 1-based. facts: how many it holds. proven: False where the search ran out of time.
    """

    ranks: tuple[int, ...]
    tokens: int | None
    facts: int
    proven: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Appraisal:
    """One selection against the best possible. loss, best: None without judged facts."""

    loss: Loss | None
    best: Best | None


def appraise(selection: Selection) -> Appraisal:
    """Work it out: an integer program, at the worst."""
    loss = loss_of(selection)
    best = best_on_facts(selection.pool, selection.budget) if loss else None
    return Appraisal(loss=loss, best=best)


def dropped_by(selection: Selection) -> tuple[Dropped, ...] | None:
    """What was dropped and the smallest changes that help: many runs of the selector, at the worst.

    None where it could not be worked out: a team's own selector may fail when it is run again.
    """
    if loss_of(selection) is None:
        return ()
    try:
        return smallest_changes(selection)
    except Exception:
        _log.exception("What would help %s could not be worked out", selection.selector.spec)
        return None


def loss_of(selection: Selection) -> Loss | None:
    """The three parts of what is missed; None where the question has no judged facts."""
    pool = selection.pool
    cut = Cut(pool, selection)
    found = {one.name: one.of(cut) for one in all_measures() if one.name in _NEEDED}
    recall, ceiling = found["claim_recall"], found["claim_ceiling"]
    if recall is None or ceiling is None:
        return None
    return Loss(
        missed=1 - recall,
        never=1 - ceiling,
        budget=found["budget_loss"],
        selector=found["selector_loss"],
        reachable=found["budget_ceiling"],
        facts=len(pool.gold),
        equal=len(set(pool.gold.values())) == 1,
    )


def best_on_facts(pool: Pool, budget: Budget) -> Best | None:
    """The exact best set; None where token counts are not known."""
    try:
        selection = make_selector("optimum", objective="gold").select(pool, budget)
    except ValueError:
        return None
    held = pool.support_bits.decode(pool.support_bits.union(selection.picks.order))
    return Best(
        ranks=tuple(sorted(selection.ranks)),
        tokens=selection.tokens,
        facts=len(held),
        proven=selection.guarantee is not None,
    )
