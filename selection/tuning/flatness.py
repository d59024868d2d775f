"""Is the best value a peak or a plateau? Bootstrap distribution of where the best mean lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from selection.model import FloatArray
from selection.tuning.complete import complete
from selection.tuning.walk import Walk

RESAMPLES = 1_000
NEAR = 1e-9
WORST = -1e12
"""Means this close are equal: they differ by rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """best: the value with the best mean; of equals the one with the fewest tokens, then the first.

    shares: value by value, in how many of the resamples it was best, from 0 to 1; n: questions.
    likely: the fewest values that together were best in at least 95 % of the resamples.
    """

    best: Any
    shares: tuple[float, ...]
    likely: tuple[Any, ...]
    n: int
    resamples: int
    seed: int


def peak(
    walk: Walk,
    scores: FloatArray,
    *,
    lower: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Peak | None:
    """Where the best mean lies when questions are drawn again with replacement.

    scores: shape (questions, values), NaN where undefined, see `complete`; a value that is not
    compared is never best. lower: less is better. None without questions.
    """
    rows, columns = complete(scores)
    if not len(rows):
        return None
    signed = _signed(scores, rows, columns, lower=lower)
    spent = _spent(walk, rows)
    n = len(signed)
    draw = np.random.default_rng(seed)
    counts = draw.multinomial(n, np.full(n, 1.0 / n), size=resamples)
    wins = np.bincount(
        [_first_best(mean, spent) for mean in counts @ signed / n], minlength=len(walk.values)
    )
    shares = wins / resamples
    return Peak(
        best=walk.values[_first_best(signed.mean(axis=0), spent)],
        shares=tuple(shares.tolist()),
        likely=_likely(walk, shares),
        n=n,
        resamples=resamples,
        seed=seed,
    )


def choose(
    walk: Walk,
    scores: FloatArray,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    *,
    lower: bool = False,
) -> int:
    """The place of the best value on some questions, at least one, among some values.

    Of equal means the one with the fewest tokens wins, then the first.
    """
    signed = _signed(scores, rows, columns, lower=lower)
    return _first_best(signed.mean(axis=0), _spent(walk, rows))


def _signed(
    scores: FloatArray, rows: NDArray[np.intp], columns: NDArray[np.intp], *, lower: bool
) -> FloatArray:
    """Higher is better; values that are not compared are worse than all others."""
    signed = np.full((len(rows), scores.shape[1]), WORST)
    signed[:, columns] = -scores[np.ix_(rows, columns)] if lower else scores[np.ix_(rows, columns)]
    return signed


def _spent(walk: Walk, rows: NDArray[np.intp]) -> FloatArray:
    """Mean tokens at each value; mean passages where tokens are not known."""
    tokens: FloatArray = walk.tokens[rows].mean(axis=0)
    passages: FloatArray = walk.passages[rows].mean(axis=0)
    return tokens if np.isfinite(tokens).all() else passages


def _first_best(means: FloatArray, spent: FloatArray) -> int:
    best = np.flatnonzero(means >= means.max() - NEAR)
    return int(best[np.argmin(spent[best])])


def _likely(walk: Walk, shares: FloatArray) -> tuple[Any, ...]:
    order = np.argsort(-shares, kind="stable")
    need = int(np.searchsorted(np.cumsum(shares[order]), 0.95 - NEAR)) + 1
    return tuple(walk.values[at] for at in sorted(order[:need].tolist()))
