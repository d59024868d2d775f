"""A second score decides the order, then the first k are taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from selection.ledger import Picks
from selection.model import Budget, Pool
from selection.registry import Refusal, Selector, register
from selection.selectors.top_k import OVERFLOW, K, first_k_refusals, first_k_runs, take_first


@register(
    "rerank",
    title="rerank",
    summary="Orders by a stored second score, then considers the first k.",
    params=(K, OVERFLOW),
    needs=("rerank_score",),
    reorders=True,
)
class Rerank(Selector):
    """Order by `rerank_score`, higher first, ties to the lowest rank; then the first k of that."""

    k: int
    overflow: str

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        order = by_rerank_score(pool)
        return Picks(order=take_first(pool, budget, order=order, k=self.k, overflow=self.overflow))

    @property
    def nested(self) -> bool:
        return True

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        return first_k_refusals(
            pool,
            budget,
            order=by_rerank_score(pool),
            taken=picks.order,
            k=self.k,
            overflow=self.overflow,
        )

    def change_points(self, pool: Pool, name: str) -> Sequence[Any]:
        return range(len(pool) + 1) if name == "k" else ()

    def runs(self, pool: Pool, budget: Budget, order: tuple[int, ...]) -> Sequence[tuple[int, ...]]:
        return first_k_runs(self.overflow, order)


def by_rerank_score(pool: Pool) -> list[int]:
    """Indices by second score, descending; equal scores keep their rank order."""
    scores = pool.rerank_scores
    return [] if scores is None else np.argsort(-scores, kind="stable").tolist()
