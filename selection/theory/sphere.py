"""Random directions: von Mises-Fisher draws on the unit sphere."""

from __future__ import annotations

import numpy as np

from selection.model import FloatArray


def unit(rows: FloatArray) -> FloatArray:
    """Each row divided by its Euclidean norm."""
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True), dtype=np.float64)


def vmf(count: int, mean: FloatArray, kappa: float, *, seed: int) -> FloatArray:
    """Unit vectors from a von Mises-Fisher distribution, shape (count, d), by Wood's method (1994).

    mean: unit vector, shape (d,). The order of the draws is part of the definition: first the
    cosines to the mean, by rejection, then one block of directions across it.
    """
    rng = np.random.default_rng(seed)
    cosines = _cosines(rng, count=count, dimension=len(mean), kappa=kappa)[:, None]
    across = rng.standard_normal((count, len(mean)))
    across = unit(across - (across @ mean)[:, None] * mean)
    return np.asarray(cosines * mean + np.sqrt(1.0 - cosines**2) * across, dtype=np.float64)


def _cosines(rng: np.random.Generator, *, count: int, dimension: int, kappa: float) -> FloatArray:
    """Cosines between a draw and the mean direction, shape (count,)."""
    free = dimension - 1
    b = (-2 * kappa + np.sqrt(4 * kappa**2 + free**2)) / free
    x0 = (1 - b) / (1 + b)
    c = kappa * x0 + free * np.log(1 - x0**2)
    accepted = np.empty(0)
    while len(accepted) < count:
        missing = count - len(accepted)
        z = rng.beta(free / 2, free / 2, size=missing)
        u = rng.random(missing)
        w = (1 - (1 + b) * z) / (1 - (1 - b) * z)
        keep = kappa * w + free * np.log(1 - x0 * w) - c >= np.log(u)
        accepted = np.concatenate([accepted, w[keep]])
    return accepted
