"""Greedy+Max on claims held as bits: the most distinct claims that a token budget can buy.

Yaroslavtsev, Zhou and Avdiukhin, AISTATS 2020: run greedy by gain per token; at every step also
consider the one further passage that would help most, whatever it costs; return the best set seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from selection.certificate import upper_bound
from selection.claims import Words, count
from selection.greedy import greedy
from selection.model import Budget, FloatArray, Pool


@dataclass(frozen=True, slots=True)
class Limits:
    """What is paid for every passage (None where nothing is), and what there is to spend."""

    costs: tuple[int, ...] | None
    tokens: int | None
    passages: int

    def fitting(self, chosen: Sequence[int], free: Sequence[int]) -> list[int]:
        """Which of the free passages may be added to the chosen ones."""
        if len(chosen) >= self.passages:
            return []
        if self.costs is None or self.tokens is None:
            return list(free)
        left = self.tokens - self.cost(chosen)
        return [index for index in free if self.costs[index] <= left]

    def cost(self, chosen: Sequence[int]) -> int:
        return 0 if self.costs is None else sum(self.costs[index] for index in chosen)


def greedy_max(
    masks: Sequence[int], limits: Limits, *, start: tuple[int, ...] = (), dense: bool
) -> tuple[int, ...]:
    """The best set of one run of Greedy+Max from a start, filled up; indices in order of admission.

    dense: compare gain per token (else gains alone). Of equal sets the one with fewer tokens wins.
    """
    run = list(start)
    best = start
    while True:
        further, fullest = _next(masks, limits, run, dense=dense)
        if further is None or fullest is None:
            break
        best = better(masks, limits, best, (*run, fullest))
        run.append(further)
    return fill(masks, limits, better(masks, limits, best, tuple(run)), dense=dense)


def better(
    masks: Sequence[int], limits: Limits, first: tuple[int, ...], second: tuple[int, ...]
) -> tuple[int, ...]:
    """The one that covers more; of equals the cheaper; else the first."""

    def worth(chosen: tuple[int, ...]) -> tuple[int, int]:
        return covered(masks, chosen).bit_count(), -limits.cost(chosen)

    return second if worth(second) > worth(first) else first


def covered(masks: Sequence[int], chosen: Sequence[int]) -> int:
    """The union of some rows."""
    union = 0
    for index in chosen:
        union |= masks[index]
    return union


def fill(
    masks: Sequence[int], limits: Limits, chosen: tuple[int, ...], *, dense: bool
) -> tuple[int, ...]:
    """Go on by greedy while something that still fits adds a claim."""
    run = list(chosen)
    while (further := _next(masks, limits, run, dense=dense)[0]) is not None:
        run.append(further)
    return tuple(run)


def _next(
    masks: Sequence[int], limits: Limits, run: Sequence[int], *, dense: bool
) -> tuple[int | None, int | None]:
    """What greedy takes next, and the passage with the largest gain; None where none adds."""
    have = covered(masks, run)
    taken = set(run)
    free = [i for i, mask in enumerate(masks) if mask & ~have and i not in taken]
    best: int | None = None
    fullest: int | None = None
    gain_best = gain_most = 0
    for index in limits.fitting(run, free):
        gain = (masks[index] & ~have).bit_count()
        if fullest is None or gain > gain_most:
            fullest, gain_most = index, gain
        if best is None or _denser(limits, gain, index, gain_best, best):
            best, gain_best = index, gain
    return (best if dense else fullest), fullest


def _denser(limits: Limits, gain: int, index: int, gain_best: int, best: int) -> bool:
    """Whether one gain per token is above another, in whole numbers."""
    if limits.costs is None or limits.tokens is None:
        return gain > gain_best
    cost, cost_best = limits.costs[index], limits.costs[best]
    if cost == cost_best:
        return gain > gain_best
    return gain * cost_best > gain_best * cost


class ClaimGains:
    """How many claims each passage adds to those that are covered."""

    noise = 0.0

    def __init__(self, words: Words) -> None:
        self._words = words
        self._covered = np.zeros(words.shape[1], np.uint64)

    def values(self) -> FloatArray:
        return count(self._words & ~self._covered).astype(np.float64)

    def add(self, index: int) -> None:
        self._covered = self._covered | self._words[index]


def claim_bound(pool: Pool, budget: Budget, order: tuple[int, ...]) -> float:
    """At most how many distinct claims any set under the budget states.

    The certificate over the prefixes of an order and of greedy per token; it is whole, and no more
    than what the passages that fit alone state.
    """
    by_density = greedy(
        pool, budget, ClaimGains(pool.claim_bits.words), stop_below=0.0, per_token=True
    )
    bound = upper_bound(
        lambda: ClaimGains(pool.claim_bits.words), pool, budget, [order, by_density.order]
    )
    limits = limits_of(pool, budget)
    reachable = covered(pool.claim_bits.masks, limits.fitting((), range(len(pool))))
    return float(min(int(bound + 1e-6), reachable.bit_count()))


def limits_of(pool: Pool, budget: Budget) -> Limits:
    priced = budget.tokens is not None and pool.tokens is not None
    return Limits(
        costs=tuple(pool.tokens.tolist()) if priced and pool.tokens is not None else None,
        tokens=budget.tokens,
        passages=len(pool) if budget.passages is None else budget.passages,
    )
