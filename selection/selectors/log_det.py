"""Greedy on log det(I + L): relevant passages that differ, shifted to be submodular."""

from __future__ import annotations

import math

import numpy as np

from selection.greedy import first_best
from selection.ledger import Picks
from selection.model import Budget, FloatArray, Pool
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

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        if pool.similarity_is_ready or len(pool) < 2 or self._steep(pool):
            return super().pick(pool, budget)
        return Picks(order=_Walk(pool, budget, self.quality).run())

    def _steep(self, pool: Pool) -> bool:
        """Whether the shift all but vanishes beside the kernel: then rounding needs more care."""
        return self.quality * pool.largest_score > 1.5

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


_EPS = float(np.finfo(np.float32).eps)


class _Walk:
    """The same picks from unit vectors, without the matrix: one product with all rows a step.

    Cosines come in single precision; where two gains are closer than its rounding, those passages
    are compared in double precision.
    """

    def __init__(self, pool: Pool, budget: Budget, quality: float) -> None:
        log_quality = quality * pool.relevance
        self._pool, self._budget = pool, budget
        self._damped = np.exp(np.minimum(log_quality, 0.0))
        self._damps = bool((log_quality < 0.0).any())
        self._offset = 2.0 * np.maximum(log_quality, 0.0)
        self._shift = np.exp(-self._offset)
        self._diagonal = self._damped**2 * pool.self_similarity + self._shift
        width = pool.unit_single.shape[1]
        # Some ten standard deviations of a rounded cosine, as the shift lets it act on a gain.
        self._close = 1.0 - 2.0 * _EPS * (1.0 + math.sqrt(width)) / float(self._shift.min())

    def run(self) -> tuple[int, ...]:
        pool, unit = self._pool, self._pool.unit_single
        costs = pool.tokens if self._budget.tokens is not None else None
        left = self._budget.tokens or 0
        limit = self._budget.passages
        cap = len(pool) if limit is None else min(limit, len(pool))
        # The factor of the determinant itself, exp(gain): it needs no logarithm. 0 is closed.
        residual, scale = self._diagonal.copy(), np.exp(self._offset)
        rows, factors = np.empty((cap, len(pool))), np.empty(len(pool))
        cosines = np.empty(len(pool), np.float32)
        order: list[int] = []
        for at in range(cap):
            if costs is not None:
                scale[costs > left] = 0.0
            np.multiply(residual, scale, out=factors)
            best = self._best(factors, order)
            if best is None:
                break
            order.append(best)
            if at + 1 == cap:
                break
            scale[best] = 0.0
            left -= int(costs[best]) if costs is not None else 0
            np.dot(unit, unit[best], out=cosines)
            row = rows[at]
            row[:] = cosines
            if self._damps:
                row *= self._damped * self._damped[best]
            if at:
                row -= rows[:at, best] @ rows[:at]
            row *= 1.0 / math.sqrt(residual[best])
            np.multiply(row, row, out=factors)
            residual -= factors
        return tuple(order)

    def _best(self, factors: FloatArray, order: list[int]) -> int | None:
        best = int(factors.argmax())
        top = factors[best]
        if top <= 0.0:
            return None
        least = top * self._close
        factors[best] = 0.0
        if factors[factors.argmax()] < least:
            return best
        factors[best] = top
        near = np.flatnonzero(factors >= least)
        exact = np.log(self._residuals(near, order)) + self._offset[near]
        return int(near[first_best(exact, np.ones(len(near), np.bool_), noise=1e-12)])

    def _residuals(self, near: np.ndarray, order: list[int]) -> FloatArray:
        """What is left of a few diagonal entries after those chosen, in double precision."""
        if not order:
            return np.asarray(self._diagonal[near])
        unit, damped = self._pool.unit, self._damped[:, None]
        chosen = unit[order] * damped[order]
        kernel = chosen @ chosen.T
        np.fill_diagonal(kernel, self._diagonal[order])
        half = np.linalg.solve(np.linalg.cholesky(kernel), chosen @ (unit[near] * damped[near]).T)
        return np.asarray(self._diagonal[near] - (half**2).sum(axis=0))
