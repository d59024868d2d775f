"""The coverage proxy for teams without claims: skip what is too much like something admitted."""

from __future__ import annotations

from selection.ledger import Moment, Picks, Reason, Verdict, beyond_cap, over_budget
from selection.model import Budget, FloatArray, Pool
from selection.registry import Param, Refusal, Selector, register

ROUNDING = 1e-9
"""Cosines of exact copies may fall a hair below 1; nothing distinct comes this close."""


def walk_unless_similar(
    pool: Pool, budget: Budget, *, similarity: FloatArray, threshold: float
) -> tuple[int, ...]:
    """Walk the ranks; admit unless the highest similarity to one admitted reaches threshold."""
    order: list[int] = []
    left = budget.tokens
    cap = len(pool) if budget.passages is None else budget.passages
    for index in range(len(pool)):
        if len(order) >= cap:
            break
        if order and similarity[index, order].max() >= threshold - ROUNDING:
            continue
        if left is not None and pool.tokens is not None:
            if pool.tokens[index] > left:
                continue
            left -= int(pool.tokens[index])
        order.append(index)
    return tuple(order)


def similarity_refusals(
    pool: Pool,
    budget: Budget,
    *,
    similarity: FloatArray,
    threshold: float,
    reason: Reason,
    measure: str,
) -> Refusal:
    """Why a passage is out of such a walk: too similar (to which rank, how much), or the budget."""

    def refuse(moment: Moment) -> Verdict:
        if moment.admitted:
            row = similarity[moment.index, list(moment.admitted)]
            nearest = moment.admitted[int(row.argmax())]
            if row.max() >= threshold - ROUNDING:
                detail = f"{measure} {row.max():.2f} with rank {nearest + 1}"
                return Verdict(reason, detail, (nearest + 1,))
        verdict = beyond_cap(budget, moment) or over_budget(pool, moment)
        if verdict is None:
            raise AssertionError("a passage that differs and fits is admitted")
        return verdict

    return refuse


@register(
    "similarity_threshold",
    title="similarity threshold",
    summary="Walks the ranks and skips what is too similar to an admitted passage.",
    params=(
        Param(
            "threshold",
            float,
            0.85,
            "Cosine from which a passage counts as a repeat: 0 keeps almost only the first, "
            "1 drops exact copies only.",
            low=0.0,
            high=1.0,
        ),
    ),
    needs=("similarity",),
)
class SimilarityThreshold(Selector):
    """Admit unless the highest cosine to an admitted passage reaches the threshold. No guarantee.

    It is blind to what differs: 14 days and 7 days in otherwise equal texts are one to it.
    """

    threshold: float

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        return Picks(
            order=walk_unless_similar(
                pool, budget, similarity=pool.similarity, threshold=self.threshold
            )
        )

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        return similarity_refusals(
            pool,
            budget,
            similarity=pool.similarity,
            threshold=self.threshold,
            reason=Reason.TOO_SIMILAR,
            measure="cosine",
        )
