"""Saturated coverage: every passage should be represented, but only up to a share."""

from __future__ import annotations

import numpy as np

from selection.model import FloatArray, Pool
from selection.registry import Param, register
from selection.selectors.reordering import CoverageSelector


@register(
    "saturated_coverage",
    title="saturated coverage",
    summary="Covers every passage of the pool up to a share of what the whole pool would give it.",
    params=(
        Param(
            "alpha",
            float,
            0.25,
            "Share at which a passage counts as covered: 0 is covered by nothing at all, "
            "1 only by the whole pool.",
            low=0.0,
            high=1.0,
        ),
    ),
    needs=("similarity",),
    reorders=True,
)
class SaturatedCoverage(CoverageSelector):
    """Greedy on f(S) = sum_i min(sum_(j in S) s_ij, alpha * sum_(j in V) s_ij).

    Lin and Bilmes 2011, without their diversity term; s is the cosine clipped at 0, weights 1.
    Monotone and submodular. Stops when every passage is saturated.
    """

    alpha: float

    def incremental(self, pool: Pool) -> SaturatedGains:
        return SaturatedGains(pool.clipped_similarity, alpha=self.alpha)


class SaturatedGains:
    """How much coverage each passage adds before the passages of the pool are saturated."""

    def __init__(self, similarity: FloatArray, *, alpha: float) -> None:
        self._similarity = similarity
        self._room = alpha * similarity.sum(axis=1)
        self.noise = 1e-14 * float(self._room.sum())
        self._full = 1e-13 * self._room

    def values(self) -> FloatArray:
        return np.asarray(np.minimum(self._similarity, self._room[:, None]).sum(axis=0))

    def add(self, index: int) -> None:
        room = self._room - self._similarity[:, index]
        # What rounding leaves of a filled share is nothing, or greedy would go on for it.
        self._room = np.where(room > self._full, room, 0.0)
