"""Greedy on log det(I + L): relevant passages that differ, shifted to be submodular."""

from __future__ import annotations

import numpy as np

from selection.model import FloatArray, Pool
from selection.registry import Param, register
from selection.selectors.reordering import CoverageSelector

QUALITY = Param(
    "quality",
    float,
    0.5,
    "How much relevance weighs against difference: 0 is difference only, "
    "larger lets relevance decide.",
    low=0.0,
    high=20.0,
)


@register(
    "log_det",
    title="log-determinant",
    summary="Prefers relevant passages that span different directions (shifted determinant).",
    params=(QUALITY,),
    needs=("score", "similarity"),
    reorders=True,
)
class LogDet(CoverageSelector):
    """Greedy on log det(I + L_S), L = diag(q) G diag(q), q = exp(quality * rel).

    Monotone and submodular where G is positive semidefinite, as cosines of vectors are.
    It goes on after the rank of L: a copy still gains a little.
    """

    quality: float
    stop_below = None

    def incremental(self, pool: Pool) -> DeterminantGains:
        return DeterminantGains.shifted(pool.similarity, self.quality * pool.relevance)

    def submodular(self, pool: Pool) -> bool:
        return pool.similarity_is_semidefinite


class DeterminantGains:
    """log of the factor by which each passage multiplies a determinant; -inf where singular.

    Incremental Cholesky after Chen, Zhang and Zhou 2018: one row of the factor at each step.
    matrix: shape (n, n). diagonal: shape (n,), its diagonal with any shift added. offset: shape
    (n,), added to every logarithm; scales are kept there, where they cannot overflow.
    floor: residuals at or below this share of their diagonal count as 0.
    """

    noise = 1e-12

    def __init__(
        self,
        matrix: FloatArray,
        *,
        diagonal: FloatArray,
        offset: FloatArray,
        floor: float = 1e-12,
    ) -> None:
        self._matrix = matrix
        self._residual = diagonal.copy()
        self._floor = np.maximum(floor * diagonal, 0.0)
        self._offset = offset
        self._rows = np.empty((0, len(diagonal)))
        self._used = 0

    @classmethod
    def raw(cls, similarity: FloatArray, log_quality: FloatArray) -> DeterminantGains:
        """Gains of log det(L): quality only adds 2 log q to each, so L itself is not needed."""
        return cls(similarity, diagonal=np.diagonal(similarity), offset=2.0 * log_quality)

    @classmethod
    def shifted(cls, similarity: FloatArray, log_quality: FloatArray) -> DeterminantGains:
        """Gains of log det(I + L), rows and columns divided by max(1, q)."""
        damped = np.exp(np.minimum(log_quality, 0.0))
        matrix = damped[:, None] * similarity * damped
        shift = np.exp(-2.0 * np.maximum(log_quality, 0.0))
        return cls(
            matrix,
            diagonal=np.diagonal(matrix) + shift,
            offset=2.0 * np.maximum(log_quality, 0.0),
        )

    def values(self) -> FloatArray:
        gains = np.full(len(self._residual), -np.inf)
        np.log(self._residual, out=gains, where=self._residual > self._floor)
        gains += self._offset
        return gains

    def add(self, index: int) -> None:
        row = self._matrix[index].astype(np.float64)
        if self._used:
            earlier = self._rows[: self._used]
            row -= earlier[:, index] @ earlier
        row /= np.sqrt(self._residual[index])
        if self._used == len(self._rows):
            self._rows = np.concatenate(
                [self._rows, np.empty_like(self._rows, shape=(16, len(row)))]
            )
        self._rows[self._used] = row
        self._used += 1
        self._residual -= row * row
