"""Greedy coverage step by step: what it has, and what each further passage still adds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from selection.exact import best
from selection.model import Budget, Pool
from selection.registry import make_selector

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
    bound: float | None


def coverage_steps(pool: Pool, *, most: int = 12, seconds: float = 0.5) -> tuple[GreedyStep, ...]:
    """Greedy facility location until nothing is left to gain, at most `most` passages.

    seconds: for the exact best at each step.

    :raises ValueError: where a passage lacks a score or an embedding.
    """
    selector = make_selector("facility_location")
    run = selector.select(pool, Budget(passages=most))
    values = np.cumsum(run.picks.gains or ())
    steps = []
    for at, (rank, gain) in enumerate(zip(run.ranks, run.picks.gains or (), strict=True)):
        capped = selector.select(pool, Budget(passages=at + 1))
        exact = best(pool, Budget(passages=at + 1), "facility", seconds=seconds)
        value = float(values[at])
        steps.append(
            GreedyStep(
                k=at + 1,
                rank=rank,
                value=value,
                gain=gain,
                best=max(exact.value, value) if exact.proven else None,
                bound=capped.bound,
            )
        )
    return tuple(steps)


def shrinking(steps: tuple[GreedyStep, ...]) -> bool:
    """Whether no gain exceeds the one before it, rounding aside."""
    gains = np.array([step.gain for step in steps])
    return bool((np.diff(gains) <= 1e-9).all())
