"""The most that any set of k passages can put on the right answer, by trying every set."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from selection.answer_model import probabilities
from selection.theory.finance import FinancePool, World


def best_masses(world: World, *, tau: float) -> tuple[float, ...]:
    """Mean mass on the right answer of the best set, for k = 1 to the pool's size.

    tau: temperature of the read-out, above 0.
    """
    each = [_of_pool(one, world, tau) for one in world.pools]
    return tuple(float(np.mean(column)) for column in zip(*each, strict=True))


def _of_pool(one: FinancePool, world: World, tau: float) -> list[float]:
    size = len(one.vectors)
    return [
        max(
            float(
                probabilities(
                    query=one.query,
                    passages=one.vectors[list(members)],
                    prototypes=world.prototypes,
                    tau=tau,
                )[one.answer]
            )
            for members in combinations(range(size), k)
        )
        for k in range(1, size + 1)
    ]
