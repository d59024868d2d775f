"""A small instance on which greedy is provably not the best: it takes the largest set first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from selection.model import Budget, Passage, Pool
from selection.registry import make_selector
from selection.theory.steps import FLOOR

SETS = {
    "A": range(0, 6),
    "B": (0, 1, 2, 6, 7, 8),
    "C": (3, 4, 5, 9, 10, 11),
}
"""Claims by passage: A ties with the others at first, then leaves each of them only half."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """With k passages: claims that greedy covers, the most there are to cover, and the promise."""

    k: int
    greedy: int
    greedy_ids: tuple[str, ...]
    best: int
    best_ids: tuple[str, ...]

    @property
    def ratio(self) -> float:
        return self.greedy / self.best

    @property
    def floor(self) -> float:
        """The least that greedy is promised, in claims."""
        return FLOOR * self.best


@cache
def instance() -> Pool:
    """Three passages of six claims each, twelve in all."""
    return Pool(
        [
            Passage(id=name, claims=frozenset(f"{claim:02d}" for claim in held))
            for name, held in SETS.items()
        ]
    )


def contest(k: int) -> Contest:
    """Greedy against the exact best with k of the three passages.

    k: 1 to 3.
    """
    pool, limit = instance(), Budget(passages=k)
    taken = make_selector("claim_coverage", cost_aware=False).select(pool, limit)
    exact = make_selector("optimum", objective="claims").select(pool, limit)
    return Contest(
        k=k,
        greedy=len(taken.claims),
        greedy_ids=tuple(pool.ids[rank - 1] for rank in taken.ranks),
        best=len(exact.claims),
        best_ids=tuple(pool.ids[rank - 1] for rank in exact.ranks),
    )
