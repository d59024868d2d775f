"""MMR over many pools, lambdas and budgets at once.

Single precision first: it is twice as fast. Where a choice is closer than its rounding, the pool
is done again in double precision, so that the picks are those of the selector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from selection.greedy import RELATIVE_TIE
from selection.model import Budget, FloatArray, IntArray, Pool
from selection.registry import Selector
from selection.rows import Rows, segment_sums

ROUNDING = 1e-5
"""More than single precision can be off in a cosine of some thousand dimensions."""
_NO_LIMIT = np.int64(1) << 62
_CELLS = 1 << 16
"""Gains held at a time: what fits in the cache is several times as fast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Pools of one size and the settings of every row. lambdas, limits, caps: shape (rows,)."""

    relevance: FloatArray
    costs: IntArray
    similarity: NDArray[np.floating]
    lambdas: FloatArray
    limits: IntArray
    caps: IntArray


def run(pools: Sequence[Pool], selectors: Sequence[Selector], budgets: Sequence[Budget]) -> Rows:
    """Rows of `mmr`: pool-major, then selectors, then budgets."""
    by_size: dict[int, list[int]] = {}
    for at, pool in enumerate(pools):
        by_size.setdefault(len(pool), []).append(at)
    orders: list[NDArray[np.int32]] = [np.zeros(0, np.int32)] * len(pools)
    counts: list[NDArray[np.int32]] = [np.zeros(0, np.int32)] * len(pools)
    width = len(selectors) * len(budgets)
    for size, members in by_size.items():
        step = max(1, _CELLS // max(1, size * width))
        for start in range(0, len(members), step):
            part = members[start : start + step]
            picked, taken = _same_size([pools[at] for at in part], selectors, budgets)
            for at, order, count in zip(part, picked, taken, strict=True):
                keep = np.arange(order.shape[1]) < count[:, None]
                orders[at], counts[at] = order[keep], count
    return _packed(pools, orders, counts, width)


def _packed(
    pools: Sequence[Pool],
    orders: Sequence[NDArray[np.int32]],
    counts: Sequence[NDArray[np.int32]],
    width: int,
) -> Rows:
    tokens = [
        np.where(count == 0, 0.0, np.nan)
        if pool.tokens is None
        else segment_sums(pool.tokens[order], count)
        for pool, order, count in zip(pools, orders, counts, strict=True)
    ]
    none = np.zeros(0)
    return Rows(
        np.concatenate([*counts, none]).astype(np.int32),
        np.concatenate([*orders, none]).astype(np.int32),
        np.concatenate([*tokens, none]),
    )


def _same_size(
    pools: Sequence[Pool], selectors: Sequence[Selector], budgets: Sequence[Budget]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Orders, shape (pools, rows, steps), and how many of the steps were taken."""
    rows = [(s.values, b) for s in selectors for b in budgets]
    orders = np.zeros((len(pools), len(rows), len(pools[0])), np.int32)
    counts = np.zeros((len(pools), len(rows)), np.int32)
    for clip in {values["clip"] for values, _ in rows}:
        at = np.array([i for i, (values, _) in enumerate(rows) if values["clip"] == clip])
        settings = [rows[i] for i in at]
        every = np.arange(len(pools))
        batch = _batch(pools, settings, clip=clip, similarity=_single(pools))
        order, count, unsure = _greedy(batch, tolerance=ROUNDING)
        orders[np.ix_(every, at)], counts[np.ix_(every, at)] = order, count
        again = np.flatnonzero(unsure)
        if again.size:
            doubtful = [pools[i] for i in again.tolist()]
            exact = np.stack([pool.similarity for pool in doubtful])
            batch = _batch(doubtful, settings, clip=clip, similarity=exact)
            order, count, _ = _greedy(batch, tolerance=0.0)
            orders[np.ix_(again, at)], counts[np.ix_(again, at)] = order, count
    return orders, counts


def _single(pools: Sequence[Pool]) -> NDArray[np.float32]:
    """Cosines of all pools in single precision, shape (pools, n, n)."""
    if any("similarity" in pool.__dict__ or pool.embeddings is None for pool in pools):
        return np.stack([pool.similarity for pool in pools]).astype(np.float32)
    if len({pool.embeddings.shape[1] for pool in pools if pool.embeddings is not None}) != 1:
        return np.stack([pool.similarity for pool in pools]).astype(np.float32)
    with np.errstate(over="ignore"):
        rows = np.stack([np.asarray(pool.embeddings, dtype=np.float32) for pool in pools])
        squares = np.einsum("pnd,pnd->pn", rows, rows)
    if not ((squares > 1e-20) & (squares < 1e20)).all():
        return np.stack([pool.similarity for pool in pools]).astype(np.float32)
    unit = rows / np.sqrt(squares)[:, :, None]
    return np.asarray(unit @ unit.transpose(0, 2, 1))


def _batch(
    pools: Sequence[Pool],
    settings: Sequence[tuple[dict[str, float], Budget]],
    *,
    clip: bool,
    similarity: NDArray[np.floating],
) -> _Batch:
    size = len(pools[0])
    none = np.zeros(size, np.int64)
    return _Batch(
        relevance=np.stack([pool.relevance for pool in pools]),
        costs=np.stack([none if pool.tokens is None else pool.tokens for pool in pools]),
        similarity=np.maximum(similarity, 0.0) if clip else similarity,
        lambdas=np.array([values["lambda_"] for values, _ in settings]),
        limits=np.array([_NO_LIMIT if b.tokens is None else b.tokens for _, b in settings]),
        caps=np.array([size if b.passages is None else b.passages for _, b in settings]),
    )


def _greedy(
    batch: _Batch, *, tolerance: float
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """Orders, counts, and which pools met a choice closer than the tolerance."""
    dtype = batch.similarity.dtype
    pools, size = batch.relevance.shape
    rows = len(batch.lambdas)
    weight = batch.lambdas.astype(dtype)[:, None]
    gains = np.repeat(batch.relevance.astype(dtype)[:, None], rows, axis=1)
    wanted = weight * gains
    highest = np.full((pools, rows, size), -np.inf, dtype)
    blocked = np.zeros((pools, rows, size), np.bool_)
    left = np.broadcast_to(batch.limits, (pools, rows)).copy()
    limited = bool((batch.limits < _NO_LIMIT).any())
    spread = tolerance * (1.0 + np.abs(batch.relevance).max(axis=1, initial=0.0))
    orders = np.zeros((pools, rows, size), np.int32)
    counts = np.zeros((pools, rows), np.int32)
    unsure = np.zeros(pools, np.bool_)
    which, row = np.arange(pools)[:, None], np.arange(rows)
    noise = 1e-12 * (1.0 - batch.lambdas)
    for step in range(int(min(batch.caps.max(initial=0), size))):
        if limited:
            blocked |= batch.costs[:, None] > left[:, :, None]
        np.copyto(gains, -np.inf, where=blocked)
        best = gains.max(axis=2)
        going = (best > -np.inf) & (step < batch.caps)
        if not going.any():
            break
        slack = np.where(going, RELATIVE_TIE * np.abs(best), 0.0) + noise
        near = gains >= (best - slack)[:, :, None]
        pick = near.argmax(axis=2)
        if tolerance:
            close = gains >= (best - spread[:, None].astype(dtype))[:, :, None]
            unsure |= ((np.count_nonzero(close, axis=2) > 1) & going).any(axis=1)
        orders[:, :, step] = pick
        counts += going
        left -= np.where(going, batch.costs[which, pick], 0)
        blocked[which, row, pick] = True
        np.maximum(highest, batch.similarity[which, pick], out=highest)
        np.multiply(highest, weight - 1, out=gains)
        gains += wanted
    return orders, counts, unsure
