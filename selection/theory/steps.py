"""Greedy coverage step by step: what it has, and what each further passage still adds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from selection.exact import best
from selection.model import Budget, Pool
from selection.registry import make_selector
from selection.selectors.facility_location import FacilityGains

SEARCHED = 150
"""Passages up to which the exact best is searched for: the program grows with their square."""
FLOOR = 1.0 - 1.0 / np.e
"""What greedy is promised under a cap on passages, as a share of the best: about 0.632."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GreedyStep:
    """After k passages. rank: 1-based, of the passage taken last. gain: what it added.

    best: the exact best value with k passages, None where the time was too short to prove it;
    bound: an upper bound on it that the run itself certifies.
    """

    k: int
    rank: int
    value: float
    gain: float
    best: float | None
    bound: float


def coverage_steps(pool: Pool, *, most: int = 12, seconds: float = 6.0) -> tuple[GreedyStep, ...]:
    """Greedy facility location until nothing is left to gain, at most `most` passages.

    seconds: for the search of the exact best, over all steps; None is said where it was too short,
    and for more than `SEARCHED` passages nothing is searched.

    :raises ValueError: where a passage lacks a score or an embedding.
    """
    run = make_selector("facility_location").select(pool, Budget(passages=most))
    values = np.cumsum(run.picks.gains or ())
    bounds = _bounds(pool, run.picks.order)
    steps: list[GreedyStep] = []
    patience = seconds if len(pool) <= SEARCHED else 0.0
    yardstick = _Yardstick(pool=pool, share=4 * patience / most, until=time.monotonic() + patience)
    for at, (rank, gain) in enumerate(zip(run.ranks, run.picks.gains or (), strict=True)):
        value = float(values[at])
        steps.append(
            GreedyStep(
                k=at + 1,
                rank=rank,
                value=value,
                gain=gain,
                best=value if at == 0 else yardstick.best(at + 1, least=value),
                bound=max(bounds[at], value),
            )
        )
    return tuple(steps)


def _bounds(pool: Pool, order: Sequence[int]) -> list[float]:
    """For k = 1, 2, ...: no k passages are worth more than any prefix and its k largest gains."""
    gains = FacilityGains(pool.relevance, pool.clipped_columns)
    found = np.full(len(order), np.inf)
    value = 0.0
    for index in (*order, None):
        now = gains.values()
        largest = np.sort(np.maximum(now, 0.0))[::-1][: len(order)]
        found = np.minimum(found, value + np.cumsum(largest))
        if index is not None:
            value += float(now[index])
            gains.add(index)
    return [float(one) for one in found]


@dataclass(slots=True, kw_only=True)
class _Yardstick:
    """The exact best by number of passages, as long as patience lasts."""

    pool: Pool
    share: float
    until: float

    def best(self, k: int, *, least: float) -> float | None:
        left = min(self.share, self.until - time.monotonic())
        if left < 0.05:
            return None
        exact = best(self.pool, Budget(passages=k), "facility", seconds=left)
        return max(exact.value, least) if exact.proven else None


def shrinking(steps: tuple[GreedyStep, ...]) -> bool:
    """Whether no gain exceeds the one before it, rounding aside."""
    gains = np.array([step.gain for step in steps])
    return bool((np.diff(gains) <= 1e-9).all())
