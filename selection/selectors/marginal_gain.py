"""The published loop: admit a passage only if it says something the admitted ones have not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from selection.claims import count, set_bits
from selection.cover import claim_bound, covered
from selection.ledger import Moment, Picks, Reason, Verdict, beyond_cap, over_budget, ranks_text
from selection.model import Budget, Pool
from selection.registry import Param, Refusal, Selector, register


@register(
    "marginal_gain",
    title="marginal gain",
    summary="Walks the ranks and admits a passage that brings enough new claims and fits.",
    params=(
        Param(
            "min_new_claims",
            int,
            1,
            "Claims a passage must add: 0 admits everything that fits, 1 skips pure repetition, "
            "higher drops passages whose one contribution may be the one needed.",
            low=0,
        ),
    ),
    needs=("claims",),
)
class MarginalGain(Selector):
    """First fit in rank order: claim test first, budget test second, and both skip.

    A refused passage covers nothing. Scores are never read, and there is no guarantee: one passage
    with one claim can keep out a later one with ten.
    """

    min_new_claims: int

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        costs = None if budget.tokens is None or pool.tokens is None else pool.tokens.tolist()
        cap = len(pool) if budget.passages is None else budget.passages
        left = budget.tokens or 0
        have = 0
        order: list[int] = []
        gains: list[float] = []
        for index, mask in enumerate(pool.claim_bits.masks):
            if len(order) >= cap:
                break
            new = (mask & ~have).bit_count()
            if new < self.min_new_claims:
                continue
            if costs is not None:
                if costs[index] > left:
                    continue
                left -= costs[index]
            order.append(index)
            gains.append(float(new))
            have |= mask
        return Picks(order=tuple(order), gains=tuple(gains))

    @property
    def nested(self) -> bool:
        return True

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        bits = pool.claim_bits

        def refuse(moment: Moment) -> Verdict:
            word = bits.words[moment.index]
            new = int(count(word & ~moment.covered))
            if new < self.min_new_claims:
                return redundant(pool, moment, needed=self.min_new_claims)
            verdict = beyond_cap(budget, moment) or over_budget(pool, moment)
            if verdict is None:
                raise AssertionError("a passage that qualifies and fits is admitted")
            return Verdict(verdict.reason, verdict.detail, gain=float(new))

        return refuse

    def change_points(self, pool: Pool, name: str) -> Sequence[Any]:
        return range(int(count(pool.claim_bits.words).max(initial=0)) + 2)

    def worth(self, pool: Pool, order: Sequence[int]) -> float | None:
        return float(covered(pool.claim_bits.masks, order).bit_count())

    def bound(self, pool: Pool, budget: Budget, picks: Picks) -> float | None:
        return claim_bound(pool, budget, picks.order)


def redundant(pool: Pool, moment: Moment, *, needed: int = 1) -> Verdict:
    """The verdict on a passage that adds fewer claims than needed: who has the others."""
    word = pool.claim_bits.words[moment.index]
    total, new = int(count(word)), int(count(word & ~moment.covered))
    carriers = first_carriers(pool, set_bits(word & moment.covered), moment.admitted)
    where = f"already at {ranks_text(carriers)}" if carriers else ""
    blocked_by = tuple(index + 1 for index in carriers)
    if new:
        old = f", {total - new} of its {total} {where}" if carriers else ""
        detail = f"adds {new} new, {needed} needed{old}"
        return Verdict(Reason.BELOW_MIN_NEW_CLAIMS, detail, blocked_by, float(new))
    if not total:
        return Verdict(Reason.NO_NEW_CLAIMS, "states no claims", (), 0.0)
    all_of = {1: "its one claim", 2: "both claims"}.get(total, f"all {total} claims")
    return Verdict(Reason.NO_NEW_CLAIMS, f"{all_of} {where}", blocked_by, 0.0)


def first_carriers(pool: Pool, bits: Sequence[int], admitted: Sequence[int]) -> list[int]:
    """For each claim the first admitted passage that has it; sorted, each once."""
    words = pool.claim_bits.words
    found = set()
    for bit in bits:
        mask = np.uint64(1 << (bit & 63))
        found.add(next(i for i in admitted if words[i, bit >> 6] & mask))
    return sorted(found)
