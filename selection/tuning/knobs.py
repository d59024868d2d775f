"""A knob: one limit of the budget or one parameter of a selector, and the values worth trying."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from selection.model import Budget, Pool
from selection.registry import Param, Selector, make_selector

MOST_VALUES = 60
"""Values of one knob that are tried: as many as a curve can show apart."""
SAMPLES = 21
"""Values of a number without known change points."""
BUDGETS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """name: `tokens`, `passages`, or a parameter's name. title: as a person reads it.

    ordered: whether its values have an order (words and switches have none). limit: of the budget.
    """

    name: str
    title: str
    ordered: bool
    limit: bool


TOKENS = Knob(name="tokens", title="token budget", ordered=True, limit=True)
PASSAGES = Knob(name="passages", title="cap on passages", ordered=True, limit=True)


def knobs_of(selector: Selector) -> tuple[Knob, ...]:
    """Every knob of a selector: its own parameters first, then the two limits of a budget.

    A parameter whose values are names of something in the pool (a recorded arm) is no knob.
    """
    own = [
        Knob(name=p.name, title=p.label, ordered=p.type in (int, float), limit=False)
        for p in selector.params
        if p.source is None and (p.type is not str or p.choices)
    ]
    return (*own, TOKENS, PASSAGES)


def value_now(selector: Selector, budget: Budget, knob: Knob) -> Any:
    """Where a knob stands; None for a limit that is not set."""
    return getattr(budget if knob.limit else selector, knob.name)


def with_value(
    selector: Selector, budget: Budget, knob: Knob, value: Any
) -> tuple[Selector, Budget]:
    """The same setting with one knob moved.

    :raises ValueError: for a value that the parameter or the budget does not accept.
    """
    if knob.limit:
        return selector, replace(budget, **{knob.name: value})
    return make_selector(selector.name, **{**selector.values, knob.name: value}), budget


def values_for(
    selector: Selector, budget: Budget, knob: Knob, pools: Sequence[Pool]
) -> tuple[Any, ...]:
    """The values to try, ascending where they have an order; where the knob stands is among them.

    Whole-number parameters and thresholds: the change points of every pool, thinned evenly to
    `MOST_VALUES` where they are more. Token budgets: round steps up to the dearest pool. Numbers
    without change points: evenly between their bounds.
    """
    now = value_now(selector, budget, knob)
    if knob.name == TOKENS.name and knob.limit:
        return _with(_round_steps(_dearest(pools)), now)
    if knob.name == PASSAGES.name and knob.limit:
        return _with(_thin(range(max(map(len, pools), default=0) + 1)), now)
    param = next(one for one in selector.params if one.name == knob.name)
    if not knob.ordered:
        return (False, True) if param.type is bool else param.choices
    points = {value for pool in pools for value in selector.change_points(pool, knob.name)}
    return _with(_thin(sorted(points)) if points else _between(param, now), now)


def is_sampled(selector: Selector, knob: Knob, pools: Sequence[Pool]) -> bool:
    """Whether the values are only a sample: between two of them a selection may differ."""
    if knob.limit:
        return knob.name == TOKENS.name
    return knob.ordered and not any(len(selector.change_points(p, knob.name)) for p in pools)


def _dearest(pools: Sequence[Pool]) -> int:
    return max((int(pool.tokens.sum()) for pool in pools if pool.tokens is not None), default=0)


def _round_steps(top: int) -> Iterable[int]:
    """About `BUDGETS` steps of 1, 2 or 5 times a power of ten, the last one at or above the top."""
    step = next(
        times * 10**power
        for power in range(12)
        for times in (1, 2, 5)
        if times * 10**power * BUDGETS >= top
    )
    return range(0, top + step, step)


def _thin(values: Sequence[Any]) -> Sequence[Any]:
    """At most `MOST_VALUES` of them, the first and the last included, evenly over their order."""
    if len(values) <= MOST_VALUES:
        return values
    places = np.unique(np.linspace(0, len(values) - 1, MOST_VALUES).round().astype(int))
    return [values[place] for place in places]


def _between(param: Param, now: Any) -> Iterable[Any]:
    low = 0.0 if param.low is None else param.low
    high = param.high if param.high is not None else max(4.0 * float(now or 1), low + 1.0)
    found = (round(float(v), 6) for v in np.linspace(low, high, SAMPLES))
    return sorted({round(v) for v in found}) if param.type is int else list(found)


def _with(values: Iterable[Any], now: Any) -> tuple[Any, ...]:
    known = dict.fromkeys(values)
    return tuple(sorted(known if now is None or now in known else [*known, now]))
