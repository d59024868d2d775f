"""The one greedy loop that MMR, coverage and determinants share."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from selection.ledger import Picks
from selection.model import Budget, FloatArray, Pool

RELATIVE_TIE = 1e-9
"""Two gains this close, relative to the larger, are one: then the lowest rank wins. Float noise
of exact copies stays far below it, differences that mean something far above."""


class Gains(Protocol):
    """What one selector wants: the gain of every passage now, and a way to admit one."""

    @property
    def noise(self) -> float:
        """How far rounding alone may move a gain; gains this close are ties as well."""

    def values(self) -> FloatArray:
        """Current gain of each of the n passages, shape (n,). The caller must not write to it."""

    def add(self, index: int) -> None:
        """Admit a passage."""


def first_best(gains: FloatArray, allowed: np.ndarray, *, noise: float = 0.0) -> int:
    """Lowest index among the allowed whose gain ties with the best; at least one is allowed."""
    candidates = np.where(allowed, gains, -np.inf)
    best = float(candidates.max())
    return int(np.argmax(candidates >= best - (RELATIVE_TIE * abs(best) + noise)))


def token_costs(pool: Pool) -> FloatArray | None:
    """Tokens to divide gains by; a passage without tokens counts as half a token."""
    return None if pool.tokens is None else np.maximum(pool.tokens, 0.5)


def greedy(
    pool: Pool,
    budget: Budget,
    gains: Gains,
    *,
    stop_below: float | None = None,
    per_token: bool = False,
) -> Picks:
    """Take the passage with the best gain that still fits, until nothing fits.

    A gain of -inf means that a passage cannot be taken now.

    stop_below: stop once the best gain is not above this fraction of the value so far (coverage
    ends where nothing is left to cover; 1e-12 absorbs rounding); None never stops.
    per_token: compare gain per token instead (a passage without tokens counts as half a token).
    """
    size = len(pool)
    cap = size if budget.passages is None else min(budget.passages, size)
    free = np.ones(size, np.bool_)
    left = budget.tokens
    costs = token_costs(pool) if per_token else None
    order: list[int] = []
    won: list[float] = []
    total = 0.0
    while len(order) < cap:
        now = gains.values()
        allowed = free & (now > -np.inf)
        if left is not None and pool.tokens is not None:
            allowed &= pool.tokens <= left
        if stop_below is not None:
            allowed &= now > stop_below * total
        if not allowed.any():
            break
        noise = gains.noise
        best = (
            first_best(now, allowed, noise=noise)
            if costs is None
            else first_best(now / costs, allowed, noise=noise / float(costs.max()))
        )
        gains.add(best)
        order.append(best)
        won.append(float(now[best]))
        total += won[-1]
        free[best] = False
        if left is not None and pool.tokens is not None:
            left -= int(pool.tokens[best])
    return Picks(order=tuple(order), gains=tuple(won))


class LazyGains(Gains, Protocol):
    """Gains that only shrink, and can be renewed for a few passages alone."""

    def of(self, indices: NDArray[np.intp]) -> FloatArray:
        """Current gains of some passages."""


def lazy_greedy(
    pool: Pool,
    budget: Budget,
    gains: LazyGains,
    *,
    stop_below: float,
    per_token: bool = False,
) -> Picks:
    """The same picks as `greedy`, renewing only gains that could still win.

    Gains of a submodular objective only shrink, so an old one is an upper bound (Minoux 1978).
    Everything whose bound reaches the best renewed gain is renewed before a choice is made.
    """
    size = len(pool)
    cap = size if budget.passages is None else min(budget.passages, size)
    costs = token_costs(pool) if per_token else None
    left = budget.tokens
    bounds = gains.values().copy()
    order: list[int] = []
    won: list[float] = []
    total = 0.0
    free = np.ones(size, np.bool_)
    while len(order) < cap:
        allowed = free & (bounds > stop_below * total)
        if left is not None and pool.tokens is not None:
            allowed &= pool.tokens <= left
        best = _renewed_best(gains, bounds, allowed, costs, floor=stop_below * total)
        if best is None:
            break
        gains.add(best)
        order.append(best)
        won.append(float(bounds[best]))
        total += won[-1]
        free[best] = False
        if left is not None and pool.tokens is not None:
            left -= int(pool.tokens[best])
    return Picks(order=tuple(order), gains=tuple(won))


def _renewed_best(
    gains: LazyGains,
    bounds: FloatArray,
    allowed: np.ndarray,
    costs: FloatArray | None,
    *,
    floor: float,
) -> int | None:
    """Renew bounds, best first, until no old one can win; the lowest index among ties."""
    noise = gains.noise if costs is None else gains.noise / float(costs.max())
    old = np.flatnonzero(allowed)
    keys = bounds[old] if costs is None else bounds[old] / costs[old]
    best, fresh, worth = -np.inf, np.zeros(0, np.intp), np.zeros(0)
    batch = 4
    while True:
        least = best - RELATIVE_TIE * abs(best) - noise if best > -np.inf else -np.inf
        waiting = np.flatnonzero((keys >= least) & (keys > -np.inf))
        if not waiting.size:
            break
        if waiting.size > batch:
            waiting = waiting[np.argpartition(-keys[waiting], batch)[:batch]]
        chosen = old[waiting]
        now = gains.of(chosen)
        bounds[chosen] = now
        keys[waiting] = -np.inf
        kept = now > floor
        scaled = now if costs is None else now / costs[chosen]
        fresh = np.concatenate([fresh, chosen[kept]])
        worth = np.concatenate([worth, scaled[kept]])
        best = float(worth.max(initial=-np.inf))
        batch = min(2 * batch, 64)
    if not fresh.size:
        return None
    return int(fresh[worth >= best - RELATIVE_TIE * abs(best) - noise].min())


def replay(gains: Gains, order: tuple[int, ...]) -> tuple[tuple[float, ...], FloatArray]:
    """Gain of each admission in a given order, and the gains of all passages afterwards."""
    won = []
    for index in order:
        won.append(float(gains.values()[index]))
        gains.add(index)
    return tuple(won), gains.values()
