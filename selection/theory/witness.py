"""Looking for a broken promise at random: nested sets in which a gain grows."""

from __future__ import annotations

import numpy as np

from selection.theory.objectives import SetFunction

TRIALS = 400


def sampled(function: SetFunction, size: int, *, trials: int = TRIALS, seed: int = 0) -> float:
    """The smallest gain(e | A) - gain(e | B) over random A inside B; below 0 refutes submodularity.

    A sample proves nothing where it finds nothing: `subsets.shape` looks everywhere.
    """
    rng = np.random.default_rng(seed)
    return min(_trial(function, size, rng) for _ in range(trials))


def _trial(function: SetFunction, size: int, rng: np.random.Generator) -> float:
    """Draw a passage, then for each other one whether it is in both sets, one, or neither."""
    extra = int(rng.integers(0, size))
    small: list[int] = []
    large: list[int] = []
    for other in range(size):
        if other == extra:
            continue
        where = int(rng.integers(0, 3))
        if where == 0:
            small.append(other)
        if where <= 1:
            large.append(other)
    in_small = function([*small, extra]) - function(small)
    in_large = function([*large, extra]) - function(large)
    return in_small - in_large
