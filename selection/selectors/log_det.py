"""Greedy on log det(I + L): a diverse set of relevant passages, shifted so that it is submodular."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from selection.greedy import replay
from selection.model import FloatArray, Pool
from selection.registry import Param, register
from selection.selectors.reordering import GreedySelector

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
class LogDet(GreedySelector):
    """Greedy on log det(I + L_S), L = diag(q) G diag(q), q = exp(quality * rel).

    Monotone and submodular. It goes on after the rank of L: a copy still gains a little.
    """

    quality: float

    def incremental(self, pool: Pool) -> DeterminantGains:
        return DeterminantGains(kernel(pool, quality=self.quality), shift=1.0)

    def objective(self, pool: Pool, order: Sequence[int]) -> float | None:
        gains, _ = replay(self.incremental(pool), tuple(order))
        return float(sum(gains))


def kernel(pool: Pool, *, quality: float) -> FloatArray:
    """L = diag(q) G diag(q) with q = exp(quality * rel) and G the cosines; shape (n, n)."""
    weights = np.exp(quality * pool.relevance)
    return weights[:, None] * pool.similarity * weights


class DeterminantGains:
    """log of the factor by which each passage multiplies det(shift * I + L_S); -inf where singular.

    Incremental Cholesky after Chen, Zhang and Zhou 2018: one row of the factor at each step.
    floor: residuals at or below this share of the largest diagonal entry count as 0.
    """

    def __init__(self, matrix: FloatArray, *, shift: float = 0.0, floor: float = 1e-12) -> None:
        self._matrix = matrix
        self._residual = np.diagonal(matrix) + shift
        self._floor = floor * float(self._residual.max(initial=0.0))
        self._rows: list[FloatArray] = []

    def values(self) -> FloatArray:
        gains = np.full(len(self._residual), -np.inf)
        np.log(self._residual, out=gains, where=self._residual > self._floor)
        return gains

    def add(self, index: int) -> None:
        row = self._matrix[index].astype(np.float64)
        for earlier in self._rows:
            row = row - earlier[index] * earlier
        row = row / np.sqrt(self._residual[index])
        self._rows.append(row)
        self._residual = self._residual - row**2
