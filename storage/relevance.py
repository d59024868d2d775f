"""Scores of any scale made comparable within one pool."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from selection.model import FloatArray

Relevance = Literal["given", "minmax", "rank"]
MODES: tuple[Relevance, ...] = get_args(Relevance)


def rescale(scores: FloatArray, mode: str | None) -> tuple[FloatArray, Relevance]:
    """Rescale the scores of one pool, shape (n,), and say how.

    given: as they are. minmax: the lowest becomes 0, the highest 1; equal ones all become 1.
    rank: the first becomes 1, the last 0, evenly. None: given if all lie in [-1, 1], else minmax.

    :raises ValueError: for another mode.
    """
    if mode is None:
        mode = "given" if bool(np.all(np.abs(scores) <= 1.0)) else "minmax"
    if mode == "given":
        return scores, "given"
    if mode == "minmax":
        return _minmax(scores), "minmax"
    if mode == "rank":
        return _by_rank(scores), "rank"
    raise ValueError(f"relevance is {mode!r}; {', '.join(MODES)} are accepted.")


def _minmax(scores: FloatArray) -> FloatArray:
    if not len(scores):
        return scores
    low, high = float(scores.min()), float(scores.max())
    # Halved first: the span of two huge scores of opposite sign would overflow.
    span = high / 2 - low / 2
    return np.ones_like(scores) if span == 0 else (scores / 2 - low / 2) / span


def _by_rank(scores: FloatArray) -> FloatArray:
    placed = np.empty_like(scores)
    placed[np.argsort(-scores, kind="stable")] = np.linspace(1.0, 0.0, num=len(scores))
    return placed
