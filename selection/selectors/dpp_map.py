"""Greedy maximum of the raw determinant: the DPP MAP heuristic of the literature."""

from __future__ import annotations

from collections.abc import Sequence

from selection.greedy import replay
from selection.model import Pool
from selection.registry import register
from selection.selectors.log_det import QUALITY, DeterminantGains
from selection.selectors.reordering import GreedySelector


@register(
    "dpp_map",
    title="DPP MAP",
    summary="Prefers relevant passages that span different directions; stops at the rank.",
    params=(QUALITY,),
    needs=("score", "similarity"),
    reorders=True,
)
class DppMap(GreedySelector):
    """Greedy on log det(L_S), L as in `log_det` (Chen, Zhang and Zhou 2018). No guarantee.

    Stops at the numerical rank: a passage whose distance from the span of those admitted is not
    above 1e-12 of its own (squared) length lies in it.
    """

    quality: float
    exhausted = "lies in the span of what is admitted"

    def incremental(self, pool: Pool) -> DeterminantGains:
        return DeterminantGains.raw(pool.similarity, self.quality * pool.relevance)

    def worth(self, pool: Pool, order: Sequence[int]) -> float | None:
        gains, _ = replay(self.incremental(pool), tuple(order))
        return float(sum(gains))
