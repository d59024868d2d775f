"""Does the order of the two tests in the published loop matter? Run both and compare."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

INSTANCES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Swapped:
    """instances: random pools; differing: those where the swapped loop admits something else.

    stopping: those where ending at the first passage that does not fit, instead of passing over
    it, admits something else.
    """

    instances: int
    differing: int
    stopping: int


@cache
def swapped(*, instances: int = INSTANCES, seed: int = 0) -> Swapped:
    """Claim test first, budget test first, and the loop that stops, on the same random pools."""
    rng = np.random.default_rng(seed)
    differing = stopping = 0
    for _ in range(instances):
        sets = [int(mask) for mask in rng.integers(0, 64, size=12)]
        tokens = [int(cost) for cost in rng.integers(50, 450, size=12)]
        least, budget = int(rng.integers(1, 4)), int(rng.integers(300, 2000))
        published = _loop(sets, tokens, least=least, budget=budget, budget_first=False)
        differing += published != _loop(sets, tokens, least=least, budget=budget, budget_first=True)
        stopping += published != _stopping(sets, tokens, least=least, budget=budget)
    return Swapped(instances=instances, differing=differing, stopping=stopping)


def _loop(
    sets: list[int], tokens: list[int], *, least: int, budget: int, budget_first: bool
) -> list[int]:
    chosen: list[int] = []
    covered = spent = 0
    for at, (mask, cost) in enumerate(zip(sets, tokens, strict=True)):
        tests = [(mask & ~covered).bit_count() < least, spent + cost > budget]
        for turned_down in reversed(tests) if budget_first else tests:
            if turned_down:
                break
        else:
            chosen.append(at)
            covered |= mask
            spent += cost
    return chosen


def _stopping(sets: list[int], tokens: list[int], *, least: int, budget: int) -> list[int]:
    chosen: list[int] = []
    covered = spent = 0
    for at, (mask, cost) in enumerate(zip(sets, tokens, strict=True)):
        if (mask & ~covered).bit_count() < least:
            continue
        if spent + cost > budget:
            break
        chosen.append(at)
        covered |= mask
        spent += cost
    return chosen
