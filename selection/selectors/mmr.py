"""Maximal marginal relevance."""

from __future__ import annotations

import math

import numpy as np

from selection.greedy import RELATIVE_TIE, first_best
from selection.ledger import Picks
from selection.model import Budget, FloatArray, Pool
from selection.registry import Param, register
from selection.selectors.reordering import GreedySelector


@register(
    "mmr",
    title="MMR",
    summary="Trades relevance against the highest similarity to what is already chosen.",
    params=(
        Param(
            "lambda_",
            float,
            0.5,
            "1 is relevance only (top-k by score), 0 is difference only after the first pick.",
            low=0.0,
            high=1.0,
            title="lambda",
        ),
        Param(
            "clip",
            bool,
            False,
            "True counts a negative similarity as 0, False lets it raise a passage.",
        ),
    ),
    needs=("score", "similarity"),
    reorders=True,
)
class MMR(GreedySelector):
    """Carbonell and Goldstein 1998; the first pick is the most relevant.

    Greedy on no fixed set function, so no guarantee exists. Scores count as given: on another scale
    than cosines, lambda loses its meaning.
    """

    lambda_: float
    clip: bool

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        if pool.similarity_is_ready or len(pool) < 2:
            return super().pick(pool, budget)
        return Picks(order=walk(pool, budget, lambda_=self.lambda_, clip=self.clip))

    def incremental(self, pool: Pool) -> MMRGains:
        return MMRGains(
            pool.relevance,
            pool.clipped_similarity if self.clip else pool.similarity,
            lambda_=self.lambda_,
        )


class MMRGains:
    """lambda * relevance - (1 - lambda) * highest similarity to a chosen passage."""

    def __init__(self, relevance: FloatArray, similarity: FloatArray, *, lambda_: float) -> None:
        self._relevance = relevance
        self._similarity = similarity
        self._lambda = lambda_
        self._highest: FloatArray | None = None
        self.noise = 1e-12 * (1.0 - lambda_)

    def values(self) -> FloatArray:
        if self._highest is None:
            return self._relevance
        return self._lambda * self._relevance - (1.0 - self._lambda) * self._highest

    def add(self, index: int) -> None:
        row = self._similarity[index]
        self._highest = row.copy() if self._highest is None else np.maximum(self._highest, row)


_EPS = float(np.finfo(np.float32).eps)


def walk(pool: Pool, budget: Budget, *, lambda_: float, clip: bool) -> tuple[int, ...]:
    """The same picks from unit vectors, without the matrix: one product with all rows a step.

    Single precision decides; where two gains are closer than its rounding, double precision does.
    """
    cap = len(pool) if budget.passages is None else min(budget.passages, len(pool))
    unit, relevance = pool.unit_single, pool.relevance
    away = np.float32(lambda_ - 1.0)
    spread = spread_of(unit.shape[1], pool.largest_score, lambda_=lambda_)
    purse = _Purse(pool, budget)
    wanted = (lambda_ * relevance).astype(np.float32)
    purse.close(wanted)
    best = _most_relevant(relevance, wanted, noise=1e-12 * (1.0 - lambda_))
    if cap == 0 or wanted[best] == -np.inf:
        return ()
    # The penalty starts at that of similarity 0 (clipped), or where every similarity is above it.
    penalty, row, gains = np.empty((3, len(pool)), np.float32)
    penalty.fill(0.0 if clip else -2.0 * away)
    order = [best]
    while len(order) < cap:
        wanted[best] = -np.inf
        purse.pay(best, wanted)
        np.dot(unit, away * unit[best], out=row)
        np.minimum(penalty, row, out=penalty)
        np.add(wanted, penalty, out=gains)
        best = int(gains.argmax())
        top = gains[best]
        if top == -np.inf:
            break
        gains[best] = -np.inf
        if top - gains[gains.argmax()] <= spread:
            gains[best] = top
            near = np.flatnonzero(gains >= top - spread)
            best = _exact(pool, near, order, lambda_=lambda_, clip=clip)
        order.append(best)
    return tuple(order)


class _Purse:
    """Tokens left, and the closing of what no longer fits."""

    def __init__(self, pool: Pool, budget: Budget) -> None:
        self._costs = pool.tokens if budget.tokens is not None else None
        self._left = budget.tokens or 0

    def close(self, wanted: np.ndarray) -> None:
        if self._costs is not None:
            wanted[self._costs > self._left] = -np.inf

    def pay(self, index: int, wanted: np.ndarray) -> None:
        if self._costs is not None:
            self._left -= int(self._costs[index])
            self.close(wanted)


def spread_of(width: int, largest: float, *, lambda_: float) -> float:
    """How far single precision may move the difference of two gains.

    Eight standard deviations of a sum of `width` rounded products, and the rounding of relevance.
    """
    return _EPS * (8.0 * (1.0 - lambda_) * (1.0 + math.sqrt(width)) + 4.0 * largest)


def _most_relevant(relevance: FloatArray, wanted: np.ndarray, *, noise: float) -> int:
    best = relevance.argmax()
    if wanted[best] > -np.inf:
        top = float(relevance[best])
        best = (relevance >= top - RELATIVE_TIE * abs(top) - noise).argmax()
        if wanted[best] > -np.inf:
            return int(best)
    allowed = wanted > -np.inf
    return first_best(relevance, allowed, noise=noise) if allowed.any() else 0


def _exact(pool: Pool, near: np.ndarray, order: list[int], *, lambda_: float, clip: bool) -> int:
    """The best of a few, in double precision; the lowest rank among ties."""
    highest = (pool.unit[near] @ pool.unit[order].T).max(axis=1)
    if clip:
        highest = np.maximum(highest, 0.0)
    gains = lambda_ * pool.relevance[near] - (1.0 - lambda_) * highest
    best = float(gains.max())
    slack = RELATIVE_TIE * abs(best) + 1e-12 * (1.0 - lambda_)
    return int(near[int(np.argmax(gains >= best - slack))])
