"""The drop list: what each step of a knob loses and brings back, question by question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from selection.changes import next_budget
from selection.model import Pool
from selection.tuning.knobs import TOKENS, with_value
from selection.tuning.universe import MakeUniverse, Universe, facts
from selection.tuning.walk import Order, Walk

MOST_RUNS = 200
"""Reruns of one question between two values, to find the exact point at which a thing goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """One thing that one question loses (or has back) at one step.

    question: place in the walk's pools. thing: its name. back: it came back although the knob was
    tightened. kept, gone: two change points beside each other (values tried, where none lie
    between): the last at which all was as before, and the first from which on it is not.
    ranks: who carried it, 1-based. entered, evicted: ranks that came in and went out at this step.
    single: every passage that carried it added one claim only, so that `min_new_claims` of 2 or
    more deletes it by construction; None where claims are not known.
    """

    question: int
    thing: str
    back: bool
    kept: Any
    gone: Any
    ranks: tuple[int, ...]
    entered: tuple[int, ...]
    evicted: tuple[int, ...]
    single: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the knob towards sending less. before, after: its values.

    lost, back: things that go and that return, by question. monotone: nothing returned.
    """

    before: Any
    after: Any
    lost: tuple[Loss, ...]
    back: tuple[Loss, ...]

    @property
    def monotone(self) -> bool:
        return not self.back


def steps(walk: Walk, universe: MakeUniverse = facts, *, exact: bool = True) -> tuple[Step, ...]:
    """Every step at which anything goes or returns, from the value that sends most downwards.

    Between two values that are next to each other things that go and return again are not seen.
    exact: search between them, where the knob has known change points.
    """
    universes = [universe(pool) for pool in walk.pools]
    found = (_step(walk, universes, before, after, exact) for before, after in _pairs(walk))
    return tuple(step for step in found if step.lost or step.back)


def _pairs(walk: Walk) -> Iterator[tuple[int, int]]:
    return pairwise(walk.from_open)


def _step(walk: Walk, universes: Sequence[Universe], before: int, after: int, exact: bool) -> Step:
    losses = [
        loss
        for question in range(len(walk.pools))
        if walk.orders[question][before] != walk.orders[question][after]
        for loss in _losses(walk, universes[question], question, before, after, exact)
    ]
    return Step(
        before=walk.values[before],
        after=walk.values[after],
        lost=tuple(one for one in losses if not one.back),
        back=tuple(one for one in losses if one.back),
    )


def _losses(
    walk: Walk, universe: Universe, question: int, before: int, after: int, exact: bool
) -> Iterator[Loss]:
    first, second = walk.orders[question][before], walk.orders[question][after]
    had, has = universe.covered(first), universe.covered(second)
    if had == has:
        return
    singles = _single_adders(walk, question, before)
    between = _between(walk, question, before, after) if exact else ()
    trail = [(walk.values[before], first), *between, (walk.values[after], second)]
    entered = tuple(sorted(index + 1 for index in set(second) - set(first)))
    evicted = tuple(sorted(index + 1 for index in set(first) - set(second)))
    for bit in range((had | has).bit_length()):
        mask = 1 << bit
        if not (had ^ has) & mask:
            continue
        back = bool(has & mask)
        carriers = universe.carriers(bit, second if back else first)
        kept, gone = _turning(universe, trail, mask)
        yield Loss(
            question=question,
            thing=universe.names[bit],
            back=back,
            kept=kept,
            gone=gone,
            ranks=tuple(index + 1 for index in carriers),
            entered=entered,
            evicted=evicted,
            single=None
            if singles is None or back
            else bool(carriers) and all(index in singles for index in carriers),
        )


def _single_adders(walk: Walk, question: int, at: int) -> frozenset[int] | None:
    """Passages that added one claim when they were admitted; None where claims are not known."""
    pool = walk.pools[question]
    if not pool.claim_bits.complete:
        return None
    masks, have = pool.claim_bits.masks, 0
    found = []
    for index in walk.orders[question][at]:
        if (masks[index] & ~have).bit_count() == 1:
            found.append(index)
        have |= masks[index]
    return frozenset(found)


Trail = Sequence[tuple[Any, Order]]


def _between(walk: Walk, question: int, before: int, after: int) -> Trail:
    """A question's own outcomes strictly between two values, from the first to the second."""
    first, second = walk.values[before], walk.values[after]
    if not walk.knob.ordered:
        return ()
    low, high = min(first, second), max(first, second)
    if isinstance(low, int) and high - low == 1:
        return ()
    pool = walk.pools[question]
    if walk.knob == TOKENS:
        trail = list(_budgets(walk, pool, walk.orders[question][walk.at(low)], low, high))
    elif walk.knob.limit:
        trail = [(value, _run(walk, pool, value)) for value in range(low + 1, high)][:MOST_RUNS]
    else:
        points = walk.selector.change_points(pool, walk.knob.name)
        inside = sorted(value for value in points if low < value < high)
        trail = [(value, _run(walk, pool, value)) for value in inside[:MOST_RUNS]]
    return trail if low == first else list(reversed(trail))


def _budgets(
    walk: Walk, pool: Pool, order: Order, low: int, high: int
) -> Iterator[tuple[int, Order]]:
    """Every budget between two at which a selection may differ, ascending."""
    value: int | None = low
    for _ in range(MOST_RUNS):
        selector, budget = with_value(walk.selector, walk.budget, walk.knob, value)
        value = next_budget(selector, pool, budget, order)
        if value is None or value >= high:
            return
        order = _run(walk, pool, value)
        yield value, order


def _run(walk: Walk, pool: Pool, value: Any) -> Order:
    selector, budget = with_value(walk.selector, walk.budget, walk.knob, value)
    return selector.pick(pool, budget).order


def _turning(universe: Universe, trail: Trail, mask: int) -> tuple[Any, Any]:
    """The two values between which a thing turns for good, on a way from first to last."""
    end = universe.covered(trail[-1][1]) & mask
    at = next(
        at
        for at in range(len(trail) - 1, 0, -1)
        if universe.covered(trail[at - 1][1]) & mask != end
    )
    return trail[at - 1][0], trail[at][0]
