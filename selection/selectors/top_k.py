"""The first k ranks, as a count-based dial does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from selection.ledger import Moment, Picks, Reason, Verdict, beyond_cap, over_budget
from selection.model import Budget, Pool
from selection.registry import Param, Refusal, Selector, register

K = Param(
    "k",
    int,
    8,
    "How many of the first ranks are considered: 0 sends nothing, the pool's size considers all.",
    low=0,
    title="k",
)
OVERFLOW = Param(
    "overflow",
    str,
    "overspend",
    "When a passage does not fit: overspend charges it all the same, stop ends there, "
    "skip passes over it and goes on.",
    choices=("overspend", "stop", "skip"),
)


def take_first(
    pool: Pool, budget: Budget, *, order: Sequence[int], k: int, overflow: str
) -> tuple[int, ...]:
    """Walk the first k of an order under a budget; returns admitted indices in that order."""
    cap = k if budget.passages is None else min(k, budget.passages)
    free = overflow == "overspend" and budget.tokens != 0
    if free or budget.tokens is None or pool.tokens is None:
        return tuple(order[:cap])
    taken: list[int] = []
    left = budget.tokens
    for index in order[:k]:
        if len(taken) == cap:
            break
        cost = int(pool.tokens[index])
        if cost <= left:
            taken.append(index)
            left -= cost
        elif overflow == "stop":
            break
    return tuple(taken)


def first_k_refusals(
    pool: Pool, budget: Budget, *, order: Sequence[int], taken: Sequence[int], k: int, overflow: str
) -> Refusal:
    """Why a passage of that order is out: beyond k, over the cap, too large, or after the stop."""
    place = {index: at for at, index in enumerate(order)}
    stopped = _stop(pool, budget, order=order[:k], taken=taken) if overflow == "stop" else None

    def refuse(moment: Moment) -> Verdict:
        at = place[moment.index]
        if at >= k:
            return Verdict(Reason.BEYOND_K, f"beyond the first {k:,}")
        if stopped is not None and at > place[stopped]:
            return Verdict(Reason.OVER_BUDGET, f"stopped at rank {stopped + 1}")
        capped = beyond_cap(budget, moment)
        return capped or over_budget(pool, moment) or Verdict(Reason.BEYOND_K, "not reached")

    return refuse


def first_k_runs(overflow: str, order: tuple[int, ...]) -> Sequence[tuple[int, ...]]:
    """See `Selector.runs`: a selector that overspends asks nothing of a token budget."""
    return () if overflow == "overspend" else (order,)


def _stop(pool: Pool, budget: Budget, *, order: Sequence[int], taken: Sequence[int]) -> int | None:
    """The index at which a walk that stops on overflow ended; None where it reached its end."""
    if len(taken) == len(order) or (budget.passages is not None and len(taken) >= budget.passages):
        return None
    return order[len(taken)] if budget.tokens is not None else None


@register(
    "top_k",
    title="top-k",
    summary="Considers the first k ranks only, whatever they repeat.",
    params=(K, OVERFLOW),
)
class TopK(Selector):
    """The first k ranks in the retriever's order. No guarantee; the baseline of comparisons."""

    k: int
    overflow: str

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        order = range(len(pool))
        return Picks(order=take_first(pool, budget, order=order, k=self.k, overflow=self.overflow))

    @property
    def nested(self) -> bool:
        return True

    def refusals(self, pool: Pool, budget: Budget, picks: Picks) -> Refusal:
        return first_k_refusals(
            pool,
            budget,
            order=range(len(pool)),
            taken=picks.order,
            k=self.k,
            overflow=self.overflow,
        )

    def change_points(self, pool: Pool, name: str) -> Sequence[Any]:
        return range(len(pool) + 1) if name == "k" else ()

    def runs(self, pool: Pool, budget: Budget, order: tuple[int, ...]) -> Sequence[tuple[int, ...]]:
        return first_k_runs(self.overflow, order)
