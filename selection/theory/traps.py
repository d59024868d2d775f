"""Instances on which a simple rule does as badly as one likes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from selection.cover import ClaimGains
from selection.greedy import greedy
from selection.model import Budget, Passage, Pool
from selection.registry import make_selector


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """Claims that a rule covers, and the most that the same budget buys."""

    got: int
    best: int


def by_gain() -> Trap:
    """One large passage that eats the budget, against ten that are nearly as good each."""
    return _run([(10, 100)] + [(9, 10)] * 10, tokens=100, per_token=False)


def by_gain_per_token() -> Trap:
    """A tiny passage that keeps the large one out."""
    return _run([(2, 1), (100, 100)], tokens=100, per_token=True)


def first_fit() -> Trap:
    """The published loop in rank order: the first passage takes the room of a better one."""
    pool, limit = _pool([(1, 400), (10, 400)]), Budget(tokens=400)
    return Trap(
        got=len(make_selector("marginal_gain").select(pool, limit).claims),
        best=len(make_selector("optimum").select(pool, limit).claims),
    )


def _run(parts: Sequence[tuple[int, int]], *, tokens: int, per_token: bool) -> Trap:
    pool, limit = _pool(parts), Budget(tokens=tokens)
    gains = ClaimGains(pool.claim_bits.words)
    order = greedy(pool, limit, gains, stop_below=0.0, per_token=per_token).order
    exact = make_selector("optimum").select(pool, limit)
    bits = pool.claim_bits
    return Trap(got=len(bits.decode(bits.union(order))), best=len(exact.claims))


def _pool(parts: Sequence[tuple[int, int]]) -> Pool:
    """Passages with (claims, tokens), no claim shared."""
    names = count()
    return Pool(
        [
            Passage(
                id=f"p{at + 1}",
                tokens=tokens,
                claims=frozenset(f"c{next(names)}" for _ in range(claims)),
            )
            for at, (claims, tokens) in enumerate(parts)
        ]
    )
