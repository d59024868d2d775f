"""The published loop over many pools, settings and budgets at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from selection.claims import Words
from selection.model import Budget, IntArray, Pool
from selection.registry import Selector
from selection.rows import Rows

_NO_LIMIT = np.int64(1) << 62
_SMALL = 1 << 30


def walk(pools: Sequence[Pool], selectors: Sequence[Selector], budgets: Sequence[Budget]) -> Rows:
    """Rows of `marginal_gain`: pool-major, then selectors, then budgets.

    All walks step through the ranks together; pools shorter than the longest are padded with
    passages that never fit.
    """
    least = np.repeat([s.values["min_new_claims"] for s in selectors], len(budgets))
    limits = np.tile([_or_no_limit(b.tokens) for b in budgets], len(selectors))
    caps = np.tile([_or_no_limit(b.passages) for b in budgets], len(selectors))
    words, costs, sizes = _padded(pools)
    taken, used = _walk(words, costs, sizes, least, limits, caps)
    counts = taken.sum(axis=0, dtype=np.int32).ravel()
    # One dimension is several times as fast to search as three.
    places = np.flatnonzero(np.ascontiguousarray(taken.transpose(1, 2, 0)))
    starts = np.arange(counts.size, dtype=np.int64) * taken.shape[0]
    flat = (places - np.repeat(starts, counts)).astype(np.int32)
    unknown = np.array([pool.tokens is None and len(pool) > 0 for pool in pools])
    tokens = used.astype(np.float64).ravel()
    tokens[np.repeat(unknown, len(least)) & (counts > 0)] = np.nan
    return Rows(counts, flat, tokens)


def _or_no_limit(limit: int | None) -> np.int64:
    return _NO_LIMIT if limit is None else np.int64(limit)


def _padded(pools: Sequence[Pool]) -> tuple[Words, IntArray, IntArray]:
    """Claims as (n, w, pools), costs as (n, pools), and the size of each pool."""
    sizes = np.array([len(pool) for pool in pools], dtype=np.int64)
    longest = int(sizes.max(initial=0))
    width = max((pool.claim_bits.words.shape[1] for pool in pools), default=1)
    which = np.repeat(np.arange(len(pools)), sizes)
    rank = np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    words = np.zeros((longest, width, len(pools)), np.uint64)
    costs = np.zeros((longest, len(pools)), np.int64)
    if len(which):
        words[rank, :, which] = np.concatenate([_widened(pool, width) for pool in pools])
        costs[rank, which] = np.concatenate([_known_costs(pool) for pool in pools])
    return words, costs, sizes


def _widened(pool: Pool, width: int) -> Words:
    held = pool.claim_bits.words
    short = width - held.shape[1]
    return held if not short else np.pad(held, ((0, 0), (0, short)))


def _known_costs(pool: Pool) -> IntArray:
    return np.zeros(len(pool), np.int64) if pool.tokens is None else pool.tokens


def _walk(
    words: Words,
    costs: IntArray,
    sizes: IntArray,
    least: IntArray,
    limits: IntArray,
    caps: IntArray,
) -> tuple[np.ndarray, IntArray]:
    """Which passages are taken, shape (n, pools, settings), and the tokens spent."""
    longest, width, count = words.shape
    shape = (count, len(least))
    small = int(costs.sum(axis=0).max(initial=0)) < _SMALL
    number = np.int32 if small else np.int64
    if small:
        # No pool costs as much as the limits are cut to: halves what has to be read.
        limits = np.minimum(limits, _SMALL)
    costs = costs.astype(number)
    left = np.broadcast_to(limits.astype(number), shape).copy()
    enough = np.minimum(least, 255).astype(np.uint8) if width == 1 else least
    room = np.broadcast_to(caps, shape).copy()
    if width == 1 and int(words.max(initial=0)) < 1 << 32:
        words = words.astype(np.uint32)
    none = words.dtype.type(0)
    free = np.full((width, *shape), ~none)
    taken = np.zeros((longest, *shape), np.bool_)
    capped = bool((caps < longest).any())
    ragged = bool((sizes < longest).any())
    for rank in range(longest):
        fresh = words[rank, :, :, None] & free
        new = np.bitwise_count(fresh[0]) if width == 1 else _count(fresh)
        cost = costs[rank][:, None]
        fits = np.greater_equal(new, enough, out=taken[rank])
        fits &= left >= cost
        if capped:
            fits &= room > 0
            room -= fits
        if ragged:
            fits &= (sizes > rank)[:, None]
        left -= np.multiply(fits, cost, dtype=number)
        # 0 - 1 is a word of ones: what was not taken stays free.
        free ^= fresh & (none - fits.astype(words.dtype))
    return taken, np.asarray(limits - left, np.int64)


def _count(fresh: Words) -> IntArray:
    return np.asarray(np.bitwise_count(fresh).sum(axis=0, dtype=np.int64))
