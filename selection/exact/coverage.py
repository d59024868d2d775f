"""A problem of weighted coverage, reduced to what can matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from selection.claims import Bits
from selection.cover import covered, limits_of
from selection.exact.solution import EQUAL, Solution
from selection.model import Budget, FloatArray, Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What is left of a coverage problem after reduction.

    members: indices into the pool, ascending. masks, costs: one a member, costs in tokens, or 1
    each where they are not known. weights: one a bit.
    """

    members: tuple[int, ...]
    masks: tuple[int, ...]
    costs: tuple[int, ...]
    weights: FloatArray
    tokens: int | None
    passages: int

    @classmethod
    def of(cls, pool: Pool, budget: Budget, bits: Bits, weights: FloatArray) -> Coverage:
        limits = limits_of(pool, budget)
        costs = [1] * len(pool) if pool.tokens is None else pool.tokens.tolist()
        useful = sum(1 << bit for bit, weight in enumerate(weights.tolist()) if weight > 0)
        masks = [mask & useful for mask in bits.masks]
        fitting = [i for i in limits.fitting((), range(len(pool))) if masks[i]]
        members = _undominated(fitting, masks, costs)
        merged, totals = _merge([masks[i] for i in members], weights)
        return cls(
            members=tuple(members),
            masks=merged,
            costs=tuple(costs[i] for i in members),
            weights=totals,
            tokens=budget.tokens,
            passages=min(limits.passages, len(members)),
        )

    @property
    def size(self) -> int:
        return len(self.members)

    def value(self, chosen: Sequence[int]) -> float:
        """The weight that some members cover."""
        union = covered(self.masks, chosen)
        return float(sum(w for bit, w in enumerate(self.weights.tolist()) if union >> bit & 1))

    def as_good(self, chosen: Sequence[int], value: float) -> bool:
        """Whether some members are worth a value, but for rounding."""
        return self.value(chosen) >= value * (1 - EQUAL)

    def cost(self, chosen: Sequence[int]) -> int:
        """What some members cost together."""
        return sum(self.costs[at] for at in chosen)

    def solution(self, chosen: Sequence[int], *, bound: float | None) -> Solution:
        """Some members as an answer. bound: None where they are proven best."""
        value = self.value(chosen)
        return Solution(
            order=tuple(sorted(self.members[at] for at in chosen)),
            value=value,
            bound=value if bound is None else max(value, bound),
            proven=bound is None,
        )


def _undominated(members: Sequence[int], masks: Sequence[int], costs: Sequence[int]) -> list[int]:
    """Drop a passage where another covers as much, and is cheaper, or as cheap and before it."""
    kept: list[int] = []
    for i in sorted(members, key=lambda i: (costs[i], i)):
        # Those kept are no dearer; of equal cost they rank lower. Only they can make it useless.
        if not any(masks[i] & ~masks[j] == 0 for j in kept):
            kept.append(i)
    return sorted(kept)


def _merge(masks: Sequence[int], weights: FloatArray) -> tuple[tuple[int, ...], FloatArray]:
    """Make one bit of all bits that the same passages cover; drop what nobody covers."""
    carriers: dict[tuple[int, ...], float] = {}
    for bit, weight in enumerate(weights.tolist()):
        who = tuple(j for j, mask in enumerate(masks) if mask >> bit & 1)
        if who:
            carriers[who] = carriers.get(who, 0.0) + weight
    merged = [0] * len(masks)
    for bit, who in enumerate(carriers):
        for j in who:
            merged[j] |= 1 << bit
    return tuple(merged), np.array(list(carriers.values()), dtype=np.float64)
