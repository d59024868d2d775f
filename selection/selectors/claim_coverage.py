"""The most distinct claims under a token budget, with a guarantee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from selection.certificate import (
    binding_passages,
    binding_tokens,
    greedy_guarantee,
)
from selection.cover import ClaimGains, claim_bound, covered, fill, greedy_max, limits_of
from selection.cover import better as better_set
from selection.ledger import Moment, Picks, Verdict
from selection.model import Budget, Pool
from selection.registry import Param, register
from selection.selectors.marginal_gain import redundant
from selection.selectors.reordering import CoverageSelector

HALF = "at least 1/2 of the best"
"""Greedy+Max: Yaroslavtsev, Zhou and Avdiukhin, AISTATS 2020."""
ONE_GUESS = "at least 61.7 % of the best"
"""One guessed passage, then greedy: Feldman, Nutov and Shoham, arXiv 2007.04937."""


@register(
    "claim_coverage",
    title="claim coverage",
    summary="Buys the most distinct claims that the token budget can pay for.",
    params=(
        Param(
            "cost_aware",
            bool,
            True,
            "True compares new claims per token, False new claims alone, without a guarantee "
            "under a token budget.",
        ),
        Param(
            "effort",
            str,
            "fast",
            "fast is one run of Greedy+Max; thorough repeats it from every first passage "
            "and keeps the best.",
            choices=("fast", "thorough"),
        ),
    ),
    needs=("claims",),
    reorders=True,
)
class ClaimCoverage(CoverageSelector):
    """Greedy+Max on the number of distinct claims; see `selection.cover`.

    Costs count under a token budget only. Stops when nothing that fits adds a claim.
    """

    cost_aware: bool
    effort: str

    def incremental(self, pool: Pool) -> ClaimGains:
        return ClaimGains(pool.claim_bits.words)

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        masks, limits = pool.claim_bits.masks, limits_of(pool, budget)
        best = greedy_max(masks, limits, dense=self.cost_aware)
        if self.effort == "thorough":
            for first in limits.fitting((), range(len(pool))):
                run = greedy_max(masks, limits, start=(first,), dense=self.cost_aware)
                best = better_set(masks, limits, best, run)
        return Picks(order=best)

    @property
    def nested(self) -> bool:
        return False

    def worth(self, pool: Pool, order: Sequence[int]) -> float | None:
        return float(covered(pool.claim_bits.masks, order).bit_count())

    def bound(self, pool: Pool, budget: Budget, picks: Picks) -> float | None:
        return claim_bound(pool, budget, picks.order)

    def fitting(self, pool: Pool, moment: Moment) -> Verdict:
        return redundant(pool, moment)

    def outscored(self, pool: Pool, budget: Budget, picks: Picks) -> Mapping[int, str]:
        masks, limits = pool.claim_bits.masks, limits_of(pool, budget)
        run = fill(masks, limits, (), dense=self.cost_aware)
        reached, won = (covered(masks, order).bit_count() for order in (run, picks.order))
        if reached > won or set(run) == set(picks.order):
            return {}
        detail = f"greedy takes it and covers {reached}; without it {won} are covered"
        have = covered(masks, picks.order)
        return {i: detail for i in run if i not in picks.order and masks[i] & ~have}

    def runs(self, pool: Pool, budget: Budget, order: tuple[int, ...]) -> Sequence[tuple[int, ...]]:
        masks, limits = pool.claim_bits.masks, limits_of(pool, budget)
        starts: list[tuple[int, ...]] = [()]
        if self.effort == "thorough":
            starts += [(first,) for first in limits.fitting((), range(len(pool)))]
        return [
            run
            for start in starts
            for run in (
                fill(masks, limits, start, dense=self.cost_aware),
                greedy_max(masks, limits, start=start, dense=self.cost_aware),
            )
        ]

    def guarantee(self, pool: Pool, budget: Budget) -> str | None:
        if not binding_tokens(pool, budget):
            tied = budget.tokens is not None and self.cost_aware and binding_passages(pool, budget)
            return None if tied else greedy_guarantee(pool, budget)
        if not self.cost_aware or binding_passages(pool, budget):
            return None
        return ONE_GUESS if self.effort == "thorough" else HALF
