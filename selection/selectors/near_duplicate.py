"""Text-level removal of near-duplicates, as people do it; shown for what it deletes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from selection.ledger import Picks, Reason
from selection.model import Budget, FloatArray, Pool
from selection.registry import Param, Refusal, Selector, register
from selection.selectors.similarity_threshold import (
    similarity_refusals,
    threshold_points,
    walk_unless_similar,
)
from selection.text.tfidf import text_similarity


def pool_text_similarity(pool: Pool) -> FloatArray:
    """TF-IDF cosines of a pool's texts, made once a pool; shape (n, n)."""
    if "text_similarity" not in pool.memo:
        pool.memo["text_similarity"] = text_similarity(pool.texts)
    matrix: FloatArray = pool.memo["text_similarity"]
    return matrix


@register(
    "near_duplicate",
    title="near-duplicate removal",
    summary="Walks the ranks and deletes texts that are nearly the same as an admitted one.",
    params=(
        Param(
            "threshold",
            float,
            0.95,
            "Text cosine from which a passage is deleted: 0 keeps almost only the first, "
            "1 deletes exact copies only.",
            low=0.0,
            high=1.0,
        ),
    ),
    needs=("texts",),
)
class NearDuplicate(Selector):
    """Cosine of TF-IDF over normalised words, digits kept, statistics from the pool. No guarantee.

    It deletes whole passages: the one number in which two copies differ goes with the copy.
    """

    threshold: float

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        return Picks(
            order=walk_unless_similar(
                pool, budget, similarity=pool_text_similarity(pool), threshold=self.threshold
            )
        )

    @property
    def nested(self) -> bool:
        return True

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        return similarity_refusals(
            pool,
            budget,
            similarity=pool_text_similarity(pool),
            threshold=self.threshold,
            reason=Reason.NEAR_DUPLICATE,
            measure="text cosine",
        )

    def change_points(self, pool: Pool, name: str) -> Sequence[Any]:
        return threshold_points(pool_text_similarity(pool))
