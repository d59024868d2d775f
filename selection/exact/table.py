"""Coverage of few facts: the cheapest cover of every subset of them."""

from __future__ import annotations

import numpy as np

from selection.exact.coverage import Coverage
from selection.exact.solution import EQUAL, Solution
from selection.model import FloatArray

_BITS = 12
_CELLS = 1 << 22
_NEVER = np.int64(1) << 60


def is_small(problem: Coverage) -> bool:
    """Whether a table over all subsets is small enough to fill."""
    bits = len(problem.weights)
    if bits > _BITS or sum(problem.costs) >= int(_NEVER):
        return False
    return (problem.size + 1) * _layers(problem) << bits <= _CELLS


def _layers(problem: Coverage) -> int:
    """Counts of passages to tell apart; no set needs more passages than there are bits."""
    return 1 if problem.passages >= len(problem.weights) else problem.passages + 1


def by_table(problem: Coverage) -> Solution:
    """Fewest tokens that cover at least a subset, for all subsets; members last to first."""
    size, layers = 1 << len(problem.weights), _layers(problem)
    subsets = np.arange(size)
    tables = np.full((problem.size + 1, layers, size), _NEVER)
    tables[-1, :, 0] = 0
    for at in range(problem.size - 1, -1, -1):
        after, rest = tables[at + 1], subsets & ~problem.masks[at]
        tables[at] = after
        helps = rest != subsets
        below = after if layers == 1 else after[:-1]
        taken = below[:, rest] + problem.costs[at]
        target = tables[at] if layers == 1 else tables[at, 1:]
        np.minimum(target, taken, out=target, where=helps)
    values, costs = _subset_sums(problem.weights), tables[0, -1]
    allowed = costs < _NEVER
    if problem.tokens is not None:
        allowed &= costs <= problem.tokens
    best = float(values[allowed].max())
    equal = allowed & (values >= best - EQUAL * best)
    cheapest = equal & (costs == costs[equal].min())
    return problem.solution(_lowest(problem, tables, np.flatnonzero(cheapest)), bound=None)


def _lowest(problem: Coverage, tables: np.ndarray, subsets: np.ndarray) -> list[int]:
    """Of the cheapest sets that cover one of the subsets, the one of the lowest ranks."""
    chosen, layer = [], tables.shape[1] - 1
    for at in range(problem.size):
        rest, below = subsets & ~problem.masks[at], max(layer - 1, 0)
        cost = tables[at + 1, below, rest] + problem.costs[at]
        taken = (rest != subsets) & (cost == tables[at, layer, subsets])
        if taken.any():
            chosen.append(at)
            subsets, layer = np.unique(rest[taken]), below
    return chosen


def _subset_sums(weights: FloatArray) -> FloatArray:
    """Sum of the weights of every subset of bits, shape (2^m,)."""
    sums = np.zeros(1)
    for weight in weights:
        sums = np.concatenate([sums, sums + weight])
    return sums
