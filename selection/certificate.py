"""How good a selection can be at most: upper bounds that hold for every set under the budget.

For a monotone submodular f and any set A, no set T under the budget exceeds f(A) plus the gains of
its members given A; and those are at most what a fractional knapsack of the current gains takes.
The smallest such bound over the prefixes of greedy runs is the certificate (Leskovec and others,
CELF, KDD 2007; over prefixes as in Tang and others, arXiv 2008.05391).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from selection.greedy import Gains
from selection.model import Budget, FloatArray, Pool

CARDINALITY = "at least 1 - 1/e (63 %) of the best"
"""Greedy under a cap on passages: Nemhauser, Wolsey and Fisher 1978."""
UNLIMITED = "the best: nothing limits it"

_HALVINGS = 60


def binding_tokens(pool: Pool, budget: Budget) -> bool:
    """Whether the token budget can turn anything away from this pool."""
    if budget.tokens is None or not len(pool):
        return False
    return pool.tokens is None or int(pool.tokens.sum()) > budget.tokens


def binding_passages(pool: Pool, budget: Budget) -> bool:
    """Whether the cap on passages can turn anything away from this pool."""
    return budget.passages is not None and budget.passages < len(pool)


def greedy_guarantee(pool: Pool, budget: Budget) -> str | None:
    """What plain greedy on a monotone submodular objective is worth under this budget."""
    if binding_tokens(pool, budget):
        return None
    return CARDINALITY if binding_passages(pool, budget) else UNLIMITED


def upper_bound(
    start: Callable[[], Gains], pool: Pool, budget: Budget, orders: Iterable[Sequence[int]]
) -> float:
    """The smallest bound over all prefixes of some orders of admission.

    start: makes fresh gains of a monotone submodular objective that is 0 on the empty set.
    orders: indices in order; any order is valid, greedy ones give tight bounds.
    """
    if not len(pool):
        return 0.0
    return min(_over_prefixes(start(), pool, budget, order) for order in orders)


def _over_prefixes(gains: Gains, pool: Pool, budget: Budget, order: Sequence[int]) -> float:
    value = 0.0
    now = gains.values()
    best = best_addition(now, pool, budget)
    for index in order:
        value += float(now[index])
        gains.add(index)
        now = gains.values()
        best = min(best, value + best_addition(now, pool, budget))
    return best


def best_addition(gains: FloatArray, pool: Pool, budget: Budget) -> float:
    """At most how much any set under the budget adds, if gains only shrink.

    gains: shape (n,). Passages may be taken in part (rounding down could fall below the optimum);
    what does not fit on its own is in no set and counts 0.
    """
    worth = np.maximum(gains, 0.0)
    cap = len(worth) if budget.passages is None else min(budget.passages, len(worth))
    if budget.tokens is None or pool.tokens is None:
        return _top(worth, cap)
    costs = pool.tokens.astype(np.float64)
    worth = np.where(costs <= budget.tokens, worth, 0.0)
    if cap == len(worth):
        return _fractional(worth, costs, budget.tokens)
    return min(
        _top(worth, cap),
        _fractional(worth, costs, budget.tokens),
        _priced(worth, costs, budget.tokens, cap),
    )


def _top(worth: FloatArray, cap: int) -> float:
    return float(np.sort(worth)[len(worth) - cap :].sum())


def _fractional(worth: FloatArray, costs: FloatArray, limit: int) -> float:
    """Fractional knapsack: the best per token first, the last one in part."""
    density = worth / np.maximum(costs, 1e-300)
    order = np.argsort(-density, kind="stable")
    spent = np.cumsum(costs[order])
    whole = int(np.searchsorted(spent, limit, side="right"))
    total = float(worth[order[:whole]].sum())
    if whole < len(order):
        before = float(spent[whole - 1]) if whole else 0.0
        total += float(density[order[whole]]) * (limit - before)
    return total


def _priced(worth: FloatArray, costs: FloatArray, limit: int, cap: int) -> float:
    """Both limits at once: put a price on tokens. Every price gives a valid bound, and the bound
    is convex in the price, so a ternary search finds the best one."""

    def at(price: float) -> float:
        return price * limit + _top(np.maximum(worth - price * costs, 0.0), cap)

    low, high = 0.0, float((worth / np.maximum(costs, 0.5)).max(initial=0.0))
    for _ in range(_HALVINGS):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if at(left) <= at(right):
            high = right
        else:
            low = left
    return at((low + high) / 2)
