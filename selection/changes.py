"""The smallest change that would bring back what a selector dropped: exact, not on a grid.

Outcomes change at finitely many settings: whole numbers of k and of new claims, similarities that
occur in the pool, and budgets at which a passage that was turned away would have fitted. Each knob
is walked outward from where it stands, one such point after another, until the fact is back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from selection.cover import covered
from selection.ledger import Selection
from selection.model import Budget, Pool
from selection.registry import Selector, make_selector

MOST_RUNS = 2000
"""Reruns of one knob before it is given up: a knob that never helps must not hang a screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One knob, moved just far enough. knob: `tokens`, `passages`, or the name of a parameter."""

    knob: str
    before: float
    after: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """A gold fact that is in the pool and was not selected.

    ranks: who carries it. cheapest: the rank among them with the fewest tokens (the first one where
    tokens are not known), and its tokens. changes: at most one a knob; empty where no knob helps.
    """

    fact: str
    ranks: tuple[int, ...]
    cheapest: int
    cheapest_tokens: int | None
    changes: tuple[Change, ...]


def smallest_changes(selection: Selection) -> tuple[Dropped, ...]:
    """For every gold fact that the pool supports and the selection does not, what brings it back.

    In the order of the pool's gold; empty where nothing was dropped, or nothing is judged.
    """
    pool = selection.pool
    masks = pool.support_bits.masks
    missing = covered(masks, range(len(pool))) & ~covered(masks, selection.picks.order)
    found: dict[int, list[Change]] = {}
    for knob, before, runs in _knobs(selection):
        for bit, after in _first_returns(masks, missing, runs):
            found.setdefault(bit, []).append(_change(knob, before, after))
    return tuple(
        _dropped(pool, bit, fact, found.get(bit, []))
        for bit, fact in enumerate(pool.support_bits.names)
        if missing >> bit & 1
    )


Runs = Iterator[tuple[Any, Sequence[int]]]


def _knobs(selection: Selection) -> Iterator[tuple[str, Any, Runs]]:
    """Every knob, where it stands, and the outcomes at its other settings, nearest first."""
    selector, pool, budget = selection.selector, selection.pool, selection.budget
    if budget.tokens is not None and pool.tokens is not None:
        yield "tokens", budget.tokens, _budgets(selection)
    if budget.passages is not None:
        caps = range(budget.passages + 1, len(pool) + 1)
        runs = ((cap, _picks(selector, pool, replace(budget, passages=cap))) for cap in caps)
        yield "passages", budget.passages, runs
    for param in selector.params:
        values = selector.change_points(pool, param.name)
        if values:
            before = getattr(selector, param.name)
            yield param.name, before, _settings(selection, param.name, before, values)


def _settings(selection: Selection, name: str, before: Any, values: Iterable[Any]) -> Runs:
    others = sorted((value for value in values if value != before), key=lambda v: abs(v - before))
    for value in others[:MOST_RUNS]:
        changed = make_selector(
            selection.selector.name, **{**selection.selector.values, name: value}
        )
        yield value, _picks(changed, selection.pool, selection.budget)


def _budgets(selection: Selection) -> Runs:
    """Outcomes at larger and larger budgets, each the next at which anything can change."""
    selector, pool, budget = selection.selector, selection.pool, selection.budget
    order: Sequence[int] = selection.picks.order
    for _ in range(MOST_RUNS):
        following = next_budget(selector, pool, budget, order)
        if following is None:
            return
        budget = replace(budget, tokens=following)
        order = _picks(selector, pool, budget)
        yield following, order


def next_budget(selector: Selector, pool: Pool, budget: Budget, order: Sequence[int]) -> int | None:
    """The smallest larger token budget at which a selection may differ; None where none does.

    Whether a passage fits is all that a selector asks of a budget. So nothing changes below the
    smallest sum, over the prefixes of its runs, of tokens spent and tokens of a further passage
    that lies above the budget.
    """
    if pool.tokens is None or budget.tokens is None:
        return None
    sums = [
        spent + pool.tokens
        for run in selector.runs(pool, budget, tuple(order))
        for spent in (0, *np.cumsum(pool.tokens[list(run)]).tolist())
    ]
    above = np.array(sums, dtype=np.int64).ravel()
    above = above[(above > budget.tokens) & (above <= int(pool.tokens.sum()))]
    return int(above.min()) if above.size else None


def _picks(selector: Selector, pool: Pool, budget: Budget) -> tuple[int, ...]:
    return selector.pick(pool, budget).order


def _first_returns(masks: Sequence[int], missing: int, runs: Runs) -> Iterator[tuple[int, Any]]:
    """For each missing fact the first setting at which it is selected."""
    for value, order in runs:
        back = covered(masks, order) & missing
        missing &= ~back
        yield from ((bit, value) for bit in range(back.bit_length()) if back >> bit & 1)
        if not missing:
            return


def _change(knob: str, before: Any, after: Any) -> Change:
    names = {"tokens": "token budget", "passages": "passages"}
    text = f"{names.get(knob, knob.replace('_', ' '))} {before:,} → {after:,}"
    if knob == "tokens":
        text = f"+{after - before:,} tokens"
    return Change(knob=knob, before=before, after=after, text=text)


def _dropped(pool: Pool, bit: int, fact: str, changes: list[Change]) -> Dropped:
    carriers = [i for i, mask in enumerate(pool.support_bits.masks) if mask >> bit & 1]
    costs = pool.tokens
    cheapest = carriers[0] if costs is None else min(carriers, key=lambda i: (costs[i], i))
    return Dropped(
        fact=fact,
        ranks=tuple(i + 1 for i in carriers),
        cheapest=cheapest + 1,
        cheapest_tokens=None if costs is None else int(costs[cheapest]),
        changes=tuple(changes),
    )
