"""The last safe value: how far a knob can be tightened before the first thing goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from selection.tuning.universe import MakeUniverse, facts
from selection.tuning.walk import Walk


@dataclass(frozen=True, slots=True, kw_only=True)
class Safe:
    """value: the furthest tried value, reached without a break from the value that sends most, at
    which nothing of what was there has gone; every: the same for each question, in the walk's
    order. None where there is nothing to lose. first_lost: the value after it; None at the end.
    """

    value: Any
    first_lost: Any
    every: tuple[Any, ...]


def last_safe(walk: Walk, universe: MakeUniverse = facts) -> Safe:
    """The last safe value for the whole set, and for each question on its own.

    Measured against the value that sends most: what it does not have cannot be lost. Values of an
    unordered knob are taken from the one that sends most passages.
    """
    reach = [_reach(walk, universe, question) for question in range(len(walk.pools))]
    known = [one for one in reach if one is not None]
    every = tuple(None if at is None else walk.values[walk.from_open[at]] for at in reach)
    if not known:
        return Safe(value=None, first_lost=None, every=every)
    furthest = min(known)
    following = furthest + 1
    return Safe(
        value=walk.values[walk.from_open[furthest]],
        first_lost=walk.values[walk.from_open[following]] if following < len(walk.values) else None,
        every=every,
    )


def _reach(walk: Walk, universe: MakeUniverse, question: int) -> int | None:
    """How many steps down a question stays whole; None where it has nothing to lose."""
    held = universe(walk.pools[question])
    orders = walk.orders[question]
    start = held.covered(orders[walk.from_open[0]])
    if not start:
        return None
    reach = 0
    for at, place in enumerate(walk.from_open):
        if start & ~held.covered(orders[place]):
            break
        reach = at
    return reach


@dataclass(frozen=True, slots=True, kw_only=True)
class SafeRange:
    """From low to high, both tried and reached without a break, nothing goes that `now` sends."""

    low: Any
    now: Any
    high: Any


def safe_range(walk: Walk, at: int, universe: MakeUniverse = facts) -> SafeRange:
    """How far an ordered knob may move either way from one of its values, by its place."""
    held = [universe(pool) for pool in walk.pools]

    def whole(place: int) -> bool:
        return all(
            not one.covered(orders[at]) & ~one.covered(orders[place])
            for one, orders in zip(held, walk.orders, strict=True)
        )

    low = high = at
    while low > 0 and whole(low - 1):
        low -= 1
    while high < len(walk.values) - 1 and whole(high + 1):
        high += 1
    return SafeRange(low=walk.values[low], now=walk.values[at], high=walk.values[high])
