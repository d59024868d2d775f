"""A pool in two dimensions: the plane in which its passages differ the most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from selection.model import FloatArray, Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """points: shape (n, 2), passages in rank order; query: shape (2,) or None.

    kept: share of the squared distances between passages that the plane shows, 0 to 1.
    """

    points: FloatArray
    query: FloatArray | None
    kept: float


def plane(pool: Pool) -> Plane:
    """Principal components of the unit vectors. The sign of an axis is set by the first passage.

    :raises ValueError: where a passage lacks an embedding, or there is none.
    """
    unit = pool.unit
    if not len(unit):
        raise ValueError("A pool without passages has no plane.")
    middle = unit.mean(axis=0)
    _, sizes, axes = np.linalg.svd(unit - middle, full_matrices=False)
    axes = np.vstack([axes[:2], np.zeros((max(0, 2 - len(axes)), unit.shape[1]))])
    points = (unit - middle) @ axes.T
    signs = np.where(points[0] < 0, -1.0, 1.0)
    total = float((sizes**2).sum())
    return Plane(
        points=points * signs,
        query=None if pool.query_embedding is None else _seen(pool, middle, axes) * signs,
        kept=float((sizes[:2] ** 2).sum()) / total if total > 0 else 1.0,
    )


def _seen(pool: Pool, middle: FloatArray, axes: FloatArray) -> FloatArray:
    query = np.asarray(pool.query_embedding, dtype=np.float64)
    length = float(np.linalg.norm(query))
    return np.asarray((query / length if length else query) - middle) @ axes.T
