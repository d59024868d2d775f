"""Two knobs at once: the mean of a measure on every pair of values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from selection.measures import Measure
from selection.model import Budget, FloatArray, Pool
from selection.registry import Selector
from selection.tuning.knobs import Knob, with_value
from selection.tuning.walk import walk

MOST = 12
"""Values of each knob: as many as can be read off a map."""


@dataclass(frozen=True, kw_only=True)
class Plane:
    """means, tokens: shape (values of `down`, values of `across`), NaN where undefined.

    n: questions behind each mean of the measure.
    """

    across: Knob
    down: Knob
    across_values: tuple[Any, ...]
    down_values: tuple[Any, ...]
    means: FloatArray = field(repr=False)
    tokens: FloatArray = field(repr=False)
    n: int


def plane(
    pools: Sequence[Pool],
    selector: Selector,
    budget: Budget,
    across: Knob,
    down: Knob,
    across_values: Sequence[Any],
    down_values: Sequence[Any],
    measure: Measure,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Plane:
    """Every pair of some values of two different knobs, thinned to twelve by twelve.

    Means are over the questions where the measure is defined at every pair.

    :raises ValueError: where both knobs are one.
    """
    if across == down:
        raise ValueError(f"{across.title} stands on both axes; choose two different knobs.")
    right, below = _thin(across_values), _thin(down_values)
    scores, tokens = [], []
    for done, value in enumerate(below, start=1):
        moved, limits = with_value(selector, budget, down, value)
        found = walk(pools, moved, limits, across, right)
        scores.append(found.measured(measure))
        tokens.append(found.tokens)
        if progress:
            progress(done, len(below))
    stacked = np.stack(scores)
    known = np.isfinite(stacked).all(axis=(0, 2))
    empty = np.full((len(below), len(right)), np.nan)
    return Plane(
        across=across,
        down=down,
        across_values=right,
        down_values=below,
        means=stacked[:, known].mean(axis=1) if known.any() else empty,
        tokens=np.stack(tokens).mean(axis=1) if stacked.shape[1] else empty,
        n=int(known.sum()),
    )


def _thin(values: Sequence[Any]) -> tuple[Any, ...]:
    places = np.unique(np.linspace(0, len(values) - 1, min(MOST, len(values))).round().astype(int))
    return tuple(values[place] for place in places)
