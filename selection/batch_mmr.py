"""MMR over many pools, lambdas and budgets at once.

Single precision first: it is twice as fast. Where a choice is closer than its rounding, the pool
is done again in double precision, so that the picks are those of the selector.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from selection.greedy import RELATIVE_TIE
from selection.model import Budget, FloatArray, IntArray, Pool
from selection.registry import Selector
from selection.rows import Rows

_NO_LIMIT = np.int64(1) << 62
_CELLS = 1 << 16
"""Gains held at a time: what fits in the cache is several times as fast."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Pools of one size and the settings of every row.

    relevance, costs: shape (pools, n). similarity: (pools, n, n). lambdas, limits, caps: (rows,).
    rounding: how far a cosine may be off; choices closer than that are reported.
    """

    relevance: FloatArray
    costs: IntArray
    similarity: NDArray[np.floating]
    lambdas: FloatArray
    limits: IntArray
    caps: IntArray
    rounding: float


def run(pools: Sequence[Pool], selectors: Sequence[Selector], budgets: Sequence[Budget]) -> Rows:
    """Rows of `mmr`: pool-major, then selectors, then budgets."""
    by_size: dict[int, list[int]] = {}
    for at, pool in enumerate(pools):
        by_size.setdefault(len(pool), []).append(at)
    width = len(selectors) * len(budgets)
    parts: list[Rows] = []
    places: list[int] = []
    for size, members in by_size.items():
        step = max(1, _CELLS // max(1, size * width))
        for start in range(0, len(members), step):
            part = members[start : start + step]
            parts.append(_same_size([pools[at] for at in part], selectors, budgets))
            places.extend(part)
    rows = Rows.joined(parts)
    return rows if len(by_size) < 2 else rows.regrouped(places, width)


def _same_size(
    pools: Sequence[Pool], selectors: Sequence[Selector], budgets: Sequence[Budget]
) -> Rows:
    rows = [(s.values, b) for s in selectors for b in budgets]
    orders = np.zeros((len(pools), len(rows), len(pools[0])), np.int32)
    counts = np.zeros((len(pools), len(rows)), np.int32)
    for clip in {values["clip"] for values, _ in rows}:
        at = np.array([i for i, (values, _) in enumerate(rows) if values["clip"] == clip])
        orders[:, at], counts[:, at] = _orders(pools, [rows[i] for i in at.tolist()], clip=clip)
    taken = np.arange(orders.shape[2]) < counts[:, :, None]
    spent = np.take_along_axis(_costs(pools)[:, None], orders.astype(np.intp), axis=2)
    tokens = np.asarray(np.sum(spent, axis=2, where=taken, dtype=np.float64))
    unknown = np.array([pool.tokens is None for pool in pools])
    tokens[unknown[:, None] & (counts > 0)] = np.nan
    return Rows(counts.ravel(), orders[taken], tokens.ravel())


def _orders(
    pools: Sequence[Pool], settings: Sequence[tuple[dict[str, float], Budget]], *, clip: bool
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Orders, shape (pools, rows, n), and how many steps of each were taken."""
    size = len(pools[0])
    batch = _Batch(
        relevance=np.stack([pool.relevance for pool in pools]),
        costs=_costs(pools),
        similarity=_cosines(pools, np.float32, clip=clip),
        lambdas=np.array([values["lambda_"] for values, _ in settings]),
        limits=np.array([_NO_LIMIT if b.tokens is None else b.tokens for _, b in settings]),
        caps=np.array([size if b.passages is None else b.passages for _, b in settings]),
        rounding=_rounding(pools),
    )
    orders, counts, unsure = _greedy(batch)
    again = np.flatnonzero(unsure)
    if again.size:
        exact = replace(
            batch,
            relevance=batch.relevance[again],
            costs=batch.costs[again],
            similarity=_cosines([pools[i] for i in again.tolist()], np.float64, clip=clip),
            rounding=0.0,
        )
        orders[again], counts[again], _ = _greedy(exact)
    return orders, counts


def _costs(pools: Sequence[Pool]) -> IntArray:
    none = np.zeros(len(pools[0]), np.int64)
    return np.stack([none if pool.tokens is None else pool.tokens for pool in pools])


def _rounding(pools: Sequence[Pool]) -> float:
    """Four standard deviations of a sum of d products in single precision, on either side."""
    widths = [1 if p.embeddings is None else p.embeddings.shape[1] for p in pools]
    return 8.0 * float(np.finfo(np.float32).eps) * (1.0 + math.sqrt(max(widths)))


def _cosines(
    pools: Sequence[Pool], dtype: type[np.floating], *, clip: bool
) -> NDArray[np.floating]:
    """Cosines of all pools, shape (pools, n, n)."""
    size = len(pools[0])
    matrix: NDArray[np.floating] = np.empty((len(pools), size, size), dtype)
    for at, pool in enumerate(pools):
        _product(pool, matrix[at])
    squares = np.einsum("pii->pi", matrix)
    # What overflows, vanishes or is given as a matrix takes the careful way round.
    plain = ((squares > 1e-20) & (squares < 1e20)).all(axis=1)
    scale = 1.0 / np.sqrt(np.where(plain[:, None], squares, 1.0))
    matrix *= scale[:, :, None]
    matrix *= scale[:, None, :]
    for at in np.flatnonzero(~plain).tolist():
        matrix[at] = pools[at].similarity
    return np.maximum(matrix, 0.0, out=matrix) if clip else matrix


def _product(pool: Pool, out: NDArray[np.floating]) -> None:
    """Inner products of a pool's embeddings; zeros where its similarity is there already."""
    if pool.embeddings is None or "similarity" in pool.__dict__:
        out[:] = 0.0
        return
    with np.errstate(over="ignore", invalid="ignore"):
        rows = pool.embeddings.astype(out.dtype, copy=False)
        np.matmul(rows, rows.T, out=out)


def _greedy(
    batch: _Batch,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """Orders, counts, and which pools met a choice closer than the rounding."""
    dtype = batch.similarity.dtype
    pools, size = batch.relevance.shape
    shape = (pools, len(batch.lambdas))
    weight = batch.lambdas.astype(dtype)[:, None]
    gains = np.repeat(batch.relevance.astype(dtype)[:, None], shape[1], axis=1)
    wanted = weight * gains
    highest = np.full(gains.shape, -np.inf, dtype)
    left = np.broadcast_to(batch.limits, shape).copy()
    limited = bool((batch.limits < _NO_LIMIT).any())
    orders = np.zeros((*shape, size), np.int32)
    counts = np.zeros(shape, np.int32)
    unsure = np.zeros(pools, np.bool_)
    which, row = np.arange(pools)[:, None], np.arange(shape[1])
    for step in range(int(min(batch.caps.max(initial=0), size))):
        if limited:
            np.copyto(wanted, -np.inf, where=batch.costs[:, None] > left[:, :, None])
            np.copyto(gains, -np.inf, where=batch.costs[:, None] > left[:, :, None])
        pick, best = _best(batch, gains)
        going = (best > -np.inf) & (step < batch.caps)
        if not going.any():
            break
        wanted[which, row, pick] = gains[which, row, pick] = -np.inf
        if batch.rounding:
            unsure |= (_close(batch, best, gains.max(axis=2)) & going).any(axis=1)
        orders[:, :, step] = pick
        counts += going
        left -= np.where(going, batch.costs[which, pick], 0)
        np.maximum(highest, batch.similarity[which, pick], out=highest)
        np.multiply(highest, weight - 1, out=gains)
        gains += wanted
    return orders, counts, unsure


def _best(
    batch: _Batch, gains: NDArray[np.floating]
) -> tuple[NDArray[np.intp], NDArray[np.floating]]:
    """The pick of every row and its gain. Ties matter only where the numbers are exact."""
    if batch.rounding:
        pick = gains.argmax(axis=2)
        return pick, np.take_along_axis(gains, pick[:, :, None], axis=2)[:, :, 0]
    best = gains.max(axis=2)
    noise = 1e-12 * (1.0 - batch.lambdas)
    slack = np.where(best > -np.inf, RELATIVE_TIE * np.abs(best), 0.0) + noise
    return (gains >= (best - slack)[:, :, None]).argmax(axis=2), best


def _close(
    batch: _Batch, best: NDArray[np.floating], second: NDArray[np.floating]
) -> NDArray[np.bool_]:
    """Whether rounding could turn two gains round."""
    largest = np.abs(batch.relevance).max(axis=1, initial=0.0)[:, None]
    relative = 4.0 * float(np.finfo(np.float32).eps)
    spread = (1.0 - batch.lambdas) * batch.rounding + relative * largest
    with np.errstate(invalid="ignore"):
        return np.asarray(best - second <= spread)
