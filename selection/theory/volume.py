"""A determinant read as geometry: how good the chosen passages are, times how far they spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from selection.model import Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """det(L_S) = quality * volume, for one set.

    quality: product of the squared qualities. volume: squared volume that the unit vectors span,
    1 where they are at right angles, 0 where one lies in the span of the others.
    """

    items: tuple[int, ...]
    determinant: float
    quality: float
    volume: float


def volume(pool: Pool, chosen: Sequence[int], *, quality: float = 0.5) -> Volume:
    """Split the determinant of a set. chosen: 0-based; quality: scale of q = exp(quality * rel).

    :raises ValueError: where a passage lacks a score or an embedding.
    """
    members = list(chosen)
    q = np.exp(quality * pool.relevance[members])
    gram = pool.similarity[np.ix_(members, members)]
    return Volume(
        items=tuple(members),
        determinant=float(np.linalg.det(q[:, None] * gram * q)),
        quality=float(np.prod(q**2)),
        volume=max(0.0, float(np.linalg.det(gram))),
    )
