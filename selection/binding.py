"""Which knob binds: what turned passages away, for one question and over a collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from selection.ledger import Decision, Reason, Selection

END_OF_POOL = "end of pool"
"""No knob turned anything away that had something to add."""

_BY_PARAMETER = {
    Reason.NO_NEW_CLAIMS: "min_new_claims",
    Reason.BELOW_MIN_NEW_CLAIMS: "min_new_claims",
    Reason.TOO_SIMILAR: "threshold",
    Reason.NEAR_DUPLICATE: "threshold",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """What bound one selection.

    first: the knob that turned away the best-ranked passage, or `END_OF_POOL`. turned_away: knob ->
    number of passages, every knob that is set included, so that 0 means that it did not bind.
    """

    first: str
    turned_away: dict[str, int]

    @property
    def knobs(self) -> tuple[str, ...]:
        """The knobs that bind, the one that turned away most first."""
        bound = [knob for knob, count in self.turned_away.items() if count]
        return tuple(sorted(bound, key=lambda knob: -self.turned_away[knob]))


@dataclass(frozen=True, slots=True, kw_only=True)
class BindingShares:
    """Over a collection. shares: knob -> share of questions in which it binds, from 0 to 1.

    never: knobs that are set and bind nowhere: moving them (in this direction) changes nothing.
    """

    questions: int
    shares: dict[str, float]
    never: tuple[str, ...]


def binding(selection: Selection) -> Binding:
    """Which of `tokens`, `passages`, `k`, `threshold` and `min_new_claims` turned passages away."""
    refused = [
        (decision.rank, knob)
        for decision in selection.decisions
        if (knob := _knob(selection, decision)) is not None
    ]
    counts = Counter(knob for _, knob in refused)
    first = min(refused)[1] if refused else END_OF_POOL
    return Binding(first=first, turned_away={knob: counts[knob] for knob in knobs(selection)})


def knobs(selection: Selection) -> tuple[str, ...]:
    """The knobs of a selection that are set."""
    budget = selection.budget
    limits = [name for name in ("tokens", "passages") if getattr(budget, name) is not None]
    own = {"k", *_BY_PARAMETER.values()}
    return (*limits, *(p.name for p in selection.selector.params if p.name in own))


def over_collection(bindings: Iterable[Binding]) -> BindingShares:
    """How often each knob binds, and which never does."""
    every = list(bindings)
    names = dict.fromkeys(knob for one in every for knob in one.turned_away)
    bound = {knob: sum(one.turned_away.get(knob, 0) > 0 for one in every) for knob in names}
    return BindingShares(
        questions=len(every),
        shares={knob: count / len(every) for knob, count in bound.items()},
        never=tuple(knob for knob, count in bound.items() if not count),
    )


def _knob(selection: Selection, decision: Decision) -> str | None:
    if decision.reason is Reason.OVER_BUDGET:
        return "tokens"
    if decision.reason is Reason.BEYOND_K:
        cap, k = selection.budget.passages, getattr(selection.selector, "k", None)
        return "k" if cap is None or (k is not None and k <= cap) else "passages"
    knob = _BY_PARAMETER.get(decision.reason) if decision.reason else None
    return knob if knob in knobs(selection) else None
