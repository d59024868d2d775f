"""The coverage proxy for teams without claims: skip what is too much like something admitted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

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


def threshold_points(similarity: FloatArray) -> list[float]:
    """The lowest written number from every stretch of thresholds in which a walk is the same.

    A stretch lies between two neighbouring similarities of the pool, within 0 and 1.
    """
    inside = similarity[np.triu_indices(len(similarity), k=1)]
    edges = np.unique(np.clip(inside, 0.0, 1.0)) + ROUNDING
    highs = [*edges[1:].tolist(), 1.0]
    points = [0.0] if not len(edges) or edges[0] > ROUNDING else []
    return points + [
        point
        for low, high in zip(edges.tolist(), highs, strict=True)
        if low < high and (point := _next_written(low, min(high, 1.0))) is not None
    ]


def _next_written(low: float, high: float) -> float | None:
    """The first number above low, and at most high, that is written with four decimals or more."""
    for digits in range(4, 13):
        step = 10**digits
        short = (math.floor(low * step) + 1) / step
        if low < short <= high:
            return float(short)
    return None


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

    @property
    def nested(self) -> bool:
        return True

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        return similarity_refusals(
            pool,
            budget,
            similarity=pool.similarity,
            threshold=self.threshold,
            reason=Reason.TOO_SIMILAR,
            measure="cosine",
        )

    def change_points(self, pool: Pool, name: str) -> Sequence[Any]:
        return threshold_points(pool.similarity)
