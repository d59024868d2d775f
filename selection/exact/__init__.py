"""The exact best set under a budget: the yardstick for every selector.

Weighted maximum coverage (claims, or gold facts) goes through a table over subsets of facts while
they are few, else through an integer program (HiGHS, by scipy); facility location always through
the program. Among equals the fewest tokens win, then the lowest ranks: of two sets the one that
has the lowest rank in which they differ. Where tokens are not known, the fewest passages win first.
"""

from __future__ import annotations

import numpy as np

from selection.claims import Bits
from selection.exact.coverage import Coverage
from selection.exact.facility import best_facility
from selection.exact.program import CoverProgram
from selection.exact.solution import SECONDS, Solution
from selection.exact.table import by_table, is_small
from selection.model import Budget, FloatArray, Pool

__all__ = ["SECONDS", "Solution", "best", "best_cover", "best_facility"]


def best(pool: Pool, budget: Budget, objective: str, *, seconds: float = SECONDS) -> Solution:
    """The exact optimum on claims, gold or facility; found once a pool, budget and time limit."""
    key = ("optimum", objective, budget, seconds)
    if key not in pool.memo:
        pool.memo[key] = _solve(pool, budget, objective, seconds=seconds)
    solution: Solution = pool.memo[key]
    return solution


def _solve(pool: Pool, budget: Budget, objective: str, *, seconds: float) -> Solution:
    if not len(pool):
        return Solution(order=(), value=0.0, bound=0.0, proven=True)
    if objective == "facility":
        return best_facility(pool, budget, seconds=seconds)
    if objective == "gold":
        weights = np.array(list(pool.gold.values()), dtype=np.float64)
        return best_cover(pool, budget, pool.support_bits, weights, seconds=seconds)
    bits = pool.claim_bits
    return best_cover(pool, budget, bits, np.ones(len(bits.names)), seconds=seconds)


def best_cover(
    pool: Pool, budget: Budget, bits: Bits, weights: FloatArray, *, seconds: float = SECONDS
) -> Solution:
    """The set of largest covered weight. bits: what each passage covers; weights: one a name."""
    problem = Coverage.of(pool, budget, bits, weights)
    if not problem.members:
        return Solution(order=(), value=0.0, bound=0.0, proven=True)
    return by_table(problem) if is_small(problem) else CoverProgram(problem).solve(seconds)
