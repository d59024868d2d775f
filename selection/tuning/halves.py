"""A value chosen on one half of the questions and reported on the other: no figure flatters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from selection.model import FloatArray
from selection.significance import Interval, Paired, mean_interval, paired
from selection.tuning.complete import complete
from selection.tuning.flatness import choose
from selection.tuning.walk import Walk

LEAST = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Halves:
    """chosen: the value that was best on the first half. seed: of the split.

    on_chosen_half: its mean there, which flatters it; on_other: the mean on questions that had no
    say. against: the other half, chosen minus current; None where nothing is current.
    """

    chosen: Any
    current: Any
    chose: int
    reported: int
    on_chosen_half: Interval
    on_other: Interval
    against: Paired | None
    seed: int


def split(rows: NDArray[np.intp], *, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Some questions in two seeded halves, the first one the smaller where they are odd."""
    mixed = np.random.default_rng(seed).permutation(rows)
    middle = len(mixed) // 2
    return np.sort(mixed[:middle]), np.sort(mixed[middle:])


def halves(
    walk: Walk, scores: FloatArray, *, current: Any = None, lower: bool = False, seed: int = 0
) -> Halves | None:
    """Choose on one seeded half, report on the other; None with fewer than four questions.

    scores: shape (questions, values), NaN where undefined, see `complete`.
    """
    rows, columns = complete(scores)
    if len(rows) < LEAST:
        return None
    first, second = split(rows, seed=seed)
    at = choose(walk, scores, first, columns, lower=lower)
    mine, theirs = mean_interval(scores[first, at]), mean_interval(scores[second, at])
    if mine is None or theirs is None:
        return None
    against = None
    place = walk.values.index(current) if current in walk.values else None
    if place is not None and place in columns:
        against = paired(scores[second, at] - scores[second, place], seed=seed)
    return Halves(
        chosen=walk.values[at],
        current=current,
        chose=len(first),
        reported=len(second),
        on_chosen_half=mine,
        on_other=theirs,
        against=against,
        seed=seed,
    )
