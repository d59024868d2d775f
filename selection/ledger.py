"""The ledger: what every selector answers with, one decision for every rank of the pool."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from selection.claims import Words, count
from selection.model import Budget, FloatArray, Pool

if TYPE_CHECKING:
    from selection.registry import Selector


class Reason(StrEnum):
    """Why a passage is out. The list is closed: screens, exports and tests know every one."""

    NO_NEW_CLAIMS = "no_new_claims"
    BELOW_MIN_NEW_CLAIMS = "below_min_new_claims"
    OVER_BUDGET = "over_budget"
    BEYOND_K = "beyond_k"
    NEAR_DUPLICATE = "near_duplicate"
    TOO_SIMILAR = "too_similar"
    NO_GAIN = "no_gain"
    OUTSCORED = "outscored"
    NOT_IN_OPTIMUM = "not_in_optimum"
    NOT_SENT = "not_sent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a selector decided about one rank, with the numbers it decided on.

    rank: 1-based place in the retriever's list. step: 1-based step of admission, None if out.
    blocked_by: admitted ranks that made it redundant. new_claims: how many claims it adds at that
    moment, None where its claims are not known. gain: what it adds to the selector's own objective.
    spent: tokens after this decision; remaining: what the token budget has left, negative when
    overspent, None without one.
    """

    rank: int
    passage_id: str
    tokens: int | None
    admitted: bool
    step: int | None
    reason: Reason | None
    detail: str
    blocked_by: tuple[int, ...]
    new_claims: int | None
    gain: float | None
    spent: int | None
    remaining: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why one passage is out: the reason, the same in words, the ranks that caused it, its gain."""

    reason: Reason
    detail: str
    blocked_by: tuple[int, ...] = ()
    gain: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Picks:
    """The bare outcome of a selector: indices in order of admission (0-based), and their gains."""

    order: tuple[int, ...]
    gains: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The state in which one passage was turned down.

    index: the passage, 0-based. admitted: indices in so far, in order. spent: their tokens.
    remaining: tokens left, None without a token budget. covered: words of the covered claims.
    """

    index: int
    admitted: tuple[int, ...]
    spent: int | None
    remaining: int | None
    covered: Words


@dataclass(frozen=True, eq=False)
class Selection:
    """What one selector chose from one pool under one budget.

    `ranks`, `tokens` and `claims` cost nothing more; the rest is worked out when first read.
    """

    pool: Pool = field(repr=False)
    budget: Budget
    selector: Selector
    picks: Picks = field(repr=False)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """1-based ranks in order of admission."""
        return tuple(index + 1 for index in self.picks.order)

    @cached_property
    def tokens(self) -> int | None:
        """Tokens of what was admitted; None where the pool's tokens are not known."""
        return _cost(self.pool, self.picks.order)

    @cached_property
    def claims(self) -> frozenset[str]:
        """The distinct claims that are covered."""
        bits = self.pool.claim_bits
        return bits.decode(bits.union(self.picks.order))

    @property
    def remaining(self) -> int | None:
        """Tokens left, negative when overspent; None without a token budget."""
        return _left(self.budget, self.tokens)

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """One decision for every rank of the pool, in rank order."""
        return _ledger(self)

    @cached_property
    def objective(self) -> float | None:
        """The value of the selector's own objective; None where it has none."""
        return self.selector.worth(self.pool, self.picks.order)

    @cached_property
    def bound(self) -> float | None:
        """A certified upper bound on that objective under the same budget, or None."""
        return self.selector.bound(self.pool, self.budget, self.picks)

    @cached_property
    def guarantee(self) -> str | None:
        """The guarantee that holds under this budget; None is a legal answer."""
        return self.selector.guarantee(self.pool, self.budget)

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Ids that the selector was told to send and that are not in the pool."""
        return self.selector.missing(self.pool)


def _ledger(selection: Selection) -> tuple[Decision, ...]:
    """Replay the decisions in the order in which they fell and write one entry for each rank."""
    pool, budget, selector = selection.pool, selection.budget, selection.selector
    order = selection.picks.order
    gains = selection.picks.gains or selector.gains(pool, order) or (None,) * len(order)
    step_of = {index: step for step, index in enumerate(order)}
    refuse = selector.refusals(pool, budget, selection.picks)
    bits = pool.claim_bits
    covered = bits.union(())
    spent: int | None = 0
    admitted: list[int] = []
    entries: dict[int, Decision] = {}
    for index in selector.sequence(pool, order):
        taken = index in step_of
        fresh = bits.words[index] & ~covered
        verdict = None
        if taken:
            admitted.append(index)
            covered = covered | bits.words[index]
            spent = (
                None if pool.tokens is None or spent is None else spent + int(pool.tokens[index])
            )
        remaining = _left(budget, spent)
        if not taken:
            verdict = refuse(
                Moment(
                    index=index,
                    admitted=tuple(admitted),
                    spent=spent,
                    remaining=remaining,
                    covered=covered,
                )
            )
        entries[index] = Decision(
            rank=index + 1,
            passage_id=pool.ids[index],
            tokens=None if pool.tokens is None else int(pool.tokens[index]),
            admitted=taken,
            step=step_of[index] + 1 if taken else None,
            reason=verdict.reason if verdict else None,
            detail=verdict.detail if verdict else "",
            blocked_by=verdict.blocked_by if verdict else (),
            new_claims=int(count(fresh)) if bits.known[index] else None,
            gain=verdict.gain if verdict else gains[step_of[index]],
            spent=spent,
            remaining=remaining,
        )
    return tuple(entries[index] for index in range(len(pool)))


def _cost(pool: Pool, indices: Sequence[int]) -> int | None:
    if not indices:
        return 0
    return None if pool.tokens is None else int(pool.tokens[np.asarray(indices)].sum())


def _left(budget: Budget, spent: int | None) -> int | None:
    return None if budget.tokens is None or spent is None else budget.tokens - spent


def ranks_text(indices: Iterable[int]) -> str:
    """0-based indices as words: 'rank 3', 'ranks 1 and 4', 'ranks 1, 3 and 4'."""
    ranks = [str(index + 1) for index in sorted(indices)]
    if len(ranks) == 1:
        return f"rank {ranks[0]}"
    return f"ranks {', '.join(ranks[:-1])} and {ranks[-1]}"


def over_budget(pool: Pool, moment: Moment) -> Verdict | None:
    """The verdict on a passage that does not fit in what is left; None where it fits."""
    if moment.remaining is None or pool.tokens is None:
        return None
    needs = int(pool.tokens[moment.index])
    if needs <= moment.remaining:
        return None
    return Verdict(Reason.OVER_BUDGET, f"needs {needs:,} tokens, {max(0, moment.remaining):,} left")


def beyond_cap(budget: Budget, moment: Moment) -> Verdict | None:
    """The verdict once the budget's cap on passages is reached; None before."""
    if budget.passages is None or len(moment.admitted) < budget.passages:
        return None
    noun = "passage" if budget.passages == 1 else "passages"
    return Verdict(Reason.BEYOND_K, f"the budget's {budget.passages:,} {noun} are already taken")


__all__ = [
    "Decision",
    "FloatArray",
    "Moment",
    "Picks",
    "Reason",
    "Selection",
    "Verdict",
    "beyond_cap",
    "over_budget",
    "ranks_text",
]
