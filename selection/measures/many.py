"""Many selections of many pools, packed for measures that are worked out for all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from selection.claims import Bits, Words
from selection.model import Budget, FloatArray, IntArray, Pool
from selection.rows import Rows


@dataclass(frozen=True, kw_only=True)
class Many:
    """R selections, pool-major: the same number of rows for every pool, budgets running fastest.

    limits: the token limit of each row, shape (R,), NaN where there is none.
    """

    pools: tuple[Pool, ...] = field(repr=False)
    rows: Rows = field(repr=False)
    limits: FloatArray = field(repr=False)

    @classmethod
    def of(cls, pools: Sequence[Pool], rows: Rows, budgets: Sequence[Budget]) -> Many:
        once = [np.nan if one.tokens is None else float(one.tokens) for one in budgets]
        times = len(rows.counts) // max(1, len(once))
        return cls(pools=tuple(pools), rows=rows, limits=np.tile(once, times))

    @cached_property
    def which(self) -> IntArray:
        """The pool of each row, shape (R,)."""
        each = len(self.rows.counts) // max(1, len(self.pools))
        return np.repeat(np.arange(len(self.pools)), each)

    @cached_property
    def passages(self) -> IntArray:
        """The passage of each admission among those of all pools, row after row."""
        sizes = np.array([len(pool) for pool in self.pools], dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        return np.asarray(
            self.rows.flat + np.repeat(starts[self.which], self.rows.counts), dtype=np.int64
        )

    def of_pools(self, values: Sequence[float]) -> FloatArray:
        """One value a pool, spread over its rows; shape (R,)."""
        return np.asarray(values, dtype=np.float64)[self.which]

    def sums(self, values: NDArray[np.int64]) -> FloatArray:
        """The sum over each row's passages. values: one a passage of all pools."""
        running = np.concatenate([[0], np.cumsum(values[self.passages])])
        ends = np.cumsum(self.rows.counts)
        return np.asarray(running[ends] - running[ends - self.rows.counts], dtype=np.float64)

    def unions(self, words: Words) -> Words:
        """The union over each row's passages, shape (R, w). words: one row a passage, (P, w)."""
        found = np.zeros((len(self.rows.counts), words.shape[1]), np.uint64)
        filled = np.flatnonzero(self.rows.counts)
        if len(filled):
            starts = (np.cumsum(self.rows.counts) - self.rows.counts)[filled]
            found[filled] = np.bitwise_or.reduceat(words[self.passages], starts, axis=0)
        return found

    @cached_property
    def claims(self) -> Words:
        """Claims of the passages of all pools, shape (P, w); bits mean something in their pool."""
        return stacked([pool.claim_bits for pool in self.pools])

    @cached_property
    def claims_known(self) -> NDArray[np.bool_]:
        """Whether the claims of every passage of a row are known, shape (R,)."""
        unknown = [~pool.claim_bits.known for pool in self.pools]
        return np.asarray(self.sums(np.concatenate(unknown).astype(np.int64)) == 0, np.bool_)

    @cached_property
    def weights(self) -> FloatArray:
        """Gold weights, shape (pools, facts), 0 beyond a pool's own facts."""
        most = max((len(pool.gold) for pool in self.pools), default=0)
        found = np.zeros((len(self.pools), most))
        for row, pool in zip(found, self.pools, strict=True):
            row[: len(pool.gold)] = list(pool.gold.values())
        return found

    @cached_property
    def judged(self) -> NDArray[np.bool_]:
        """Whether anything was judged in a pool that has gold, shape (pools,)."""
        return np.array([bool(p.gold) and bool(p.support_bits.known.any()) for p in self.pools])

    @cached_property
    def facts(self) -> NDArray[np.bool_]:
        """Which facts each row supports, shape (R, facts)."""
        return unpacked(
            self.unions(stacked([pool.support_bits for pool in self.pools])),
            self.weights.shape[1],
        )

    @cached_property
    def pool_facts(self) -> NDArray[np.bool_]:
        """Which facts each whole pool supports, shape (pools, facts)."""
        found = np.zeros(self.weights.shape, np.bool_)
        for row, pool in zip(found, self.pools, strict=True):
            row[: len(pool.gold)] = pool.support_bits.matrix().any(axis=0)
        return found

    @cached_property
    def bearing(self) -> FloatArray:
        """How many answer-bearing passages each row holds, shape (R,)."""
        marks = [id in pool.answer_bearing for pool in self.pools for id in pool.ids]
        return self.sums(np.array(marks, dtype=np.int64))


def stacked(sets: Sequence[Bits]) -> Words:
    """Words of several sets of rows one below the other, padded to the widest."""
    width = max((one.words.shape[1] for one in sets), default=1)
    parts = [
        one.words
        if one.words.shape[1] == width
        else np.pad(one.words, ((0, 0), (0, width - one.words.shape[1])))
        for one in sets
    ]
    return np.concatenate(parts) if parts else np.zeros((0, width), np.uint64)


def unpacked(words: Words, bits: int) -> NDArray[np.bool_]:
    """Words as booleans, shape (rows, bits)."""
    raw = np.ascontiguousarray(words.astype("<u8")).view(np.uint8).reshape(len(words), -1)
    return np.unpackbits(raw, axis=1, bitorder="little")[:, :bits].astype(np.bool_)
