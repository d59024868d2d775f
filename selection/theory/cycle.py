"""Why MMR is greedy on no fixed set function: three choices that contradict each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from selection.model import Passage, Pool
from selection.selectors.mmr import MMRGains

NAMES = "abcd"
SIMILAR = {("a", "d"): 0.7, ("c", "d"): 0.7}
RELEVANCE = {"a": 1.0, "b": 0.1, "c": 0.5, "d": 0.9}
LAMBDA = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """What MMR takes next from two chosen passages, and what it leaves."""

    chosen: str
    taken: str
    left: str


def cycle() -> tuple[Preference, ...]:
    """From ab, ac and ad: a function f would need f(abc) > f(abd) > f(acd) > f(abc)."""
    pool = _pool()
    return tuple(_next(pool, chosen) for chosen in ("ab", "ac", "ad"))


def contradicts(preferences: tuple[Preference, ...]) -> bool:
    """Whether no set function can have all these preferences: they lead back to where they began.

    Each one says that one set of three is worth more than another.
    """
    better = {
        "".join(sorted(one.chosen + one.left)): "".join(sorted(one.chosen + one.taken))
        for one in preferences
    }
    start = next(iter(better))
    at = better[start]
    for _ in better:
        if at == start:
            return True
        at = better.get(at, "")
    return False


def _pool() -> Pool:
    matrix = np.eye(len(NAMES))
    for (first, second), value in SIMILAR.items():
        i, j = NAMES.index(first), NAMES.index(second)
        matrix[i, j] = matrix[j, i] = value
    return Pool([Passage(id=name, score=RELEVANCE[name]) for name in NAMES], similarity=matrix)


def _next(pool: Pool, chosen: str) -> Preference:
    gains = MMRGains(pool.relevance, pool.similarity, lambda_=LAMBDA)
    for name in chosen:
        gains.add(NAMES.index(name))
    values = gains.values()
    free = sorted((n for n in NAMES if n not in chosen), key=lambda n: -values[NAMES.index(n)])
    return Preference(chosen=chosen, taken=free[0], left=free[1])
