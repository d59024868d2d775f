"""Many selections at once, packed: what a sweep keeps of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from selection.model import FloatArray, Pool


@dataclass(frozen=True, slots=True)
class Rows:
    """R selections. counts: passages admitted, shape (R,). flat: their 0-based indices in order of
    admission, row after row, shape (counts.sum(),). tokens: shape (R,), NaN where not known."""

    counts: NDArray[np.int32]
    flat: NDArray[np.int32]
    tokens: FloatArray

    @classmethod
    def of(cls, pool: Pool, orders: Iterable[Sequence[int]]) -> Rows:
        """Pack the orders of one pool."""
        every = [np.asarray(order, dtype=np.int32) for order in orders]
        counts = np.array([len(order) for order in every], dtype=np.int32)
        flat = np.concatenate(every) if every else np.zeros(0, np.int32)
        if pool.tokens is None:
            return cls(counts, flat, np.where(counts == 0, 0.0, np.nan))
        return cls(counts, flat, segment_sums(pool.tokens[flat], counts))

    @classmethod
    def joined(cls, parts: Sequence[Rows]) -> Rows:
        """Rows one after another."""
        if not parts:
            return cls(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))
        return cls(
            np.concatenate([part.counts for part in parts]),
            np.concatenate([part.flat for part in parts]),
            np.concatenate([part.tokens for part in parts]),
        )

    def regrouped(self, places: Sequence[int], width: int) -> Rows:
        """Groups of `width` rows put where they belong: group g becomes group places[g]."""
        back = np.argsort(np.asarray(places))
        rows = (back[:, None] * width + np.arange(width)).ravel()
        starts = np.cumsum(self.counts) - self.counts
        counts = self.counts[rows]
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        flat = self.flat[np.repeat(starts[rows], counts) + within]
        return Rows(counts, flat, self.tokens[rows])


def segment_sums(values: NDArray[np.int64], counts: NDArray[np.int32]) -> FloatArray:
    """Sum of each run of `counts` values; 0 for an empty run."""
    sums = np.concatenate([[0], np.cumsum(values)])
    ends = np.cumsum(counts)
    return np.asarray(sums[ends] - sums[ends - counts], dtype=np.float64)
