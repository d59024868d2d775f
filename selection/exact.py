"""The exact best set under a budget: the yardstick for every selector.

Weighted maximum coverage (claims, or gold facts) goes through a table over subsets of facts while
they are few, else through an integer program (HiGHS, by scipy); facility location always through
the program. Among equals the fewest tokens win, then the lowest ranks: of two sets the one that
has the lowest rank in which they differ. Where tokens are not known, the fewest passages win first.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, eye_array, hstack, vstack

from selection.claims import Bits
from selection.cover import Limits, covered, greedy_max, limits_of
from selection.model import Budget, FloatArray, Pool

SECONDS = 10.0
"""How long a measure may search before it says that it does not know."""

_BLOCK = 16
"""Ranks decided by one program: 2^16 steps lie well within the tolerance of its objective."""

_TABLE_BITS = 12
_TABLE_CELLS = 1 << 22
_EQUAL = 1e-9
_NEVER = np.int64(1) << 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The best set found: indices in rank order, its value, and what no set can exceed.

    proven: the value is the optimum. False only where the time limit was hit.
    """

    order: tuple[int, ...]
    value: float
    bound: float
    proven: bool


def best_cover(
    pool: Pool, budget: Budget, bits: Bits, weights: FloatArray, *, seconds: float = SECONDS
) -> Solution:
    """The set of largest covered weight. bits: what each passage covers; weights: one a name."""
    problem = _Cover.of(pool, budget, bits, weights)
    if not problem.members:
        return Solution(order=(), value=0.0, bound=0.0, proven=True)
    return problem.by_table() if problem.small else problem.by_program(seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cover:
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
    def of(cls, pool: Pool, budget: Budget, bits: Bits, weights: FloatArray) -> _Cover:
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
    def small(self) -> bool:
        bits = len(self.weights)
        if bits > _TABLE_BITS or sum(self.costs) >= int(_NEVER):
            return False
        return (len(self.members) + 1) * self._layers << bits <= _TABLE_CELLS

    @property
    def _layers(self) -> int:
        """Counts of passages to tell apart; no set needs more passages than there are bits."""
        return 1 if self.passages >= len(self.weights) else self.passages + 1

    def by_table(self) -> Solution:
        """Fewest tokens that cover at least a subset, for all subsets; members last to first."""
        size, layers = 1 << len(self.weights), self._layers
        subsets = np.arange(size)
        tables = np.full((len(self.members) + 1, layers, size), _NEVER)
        tables[-1, :, 0] = 0
        for at in range(len(self.members) - 1, -1, -1):
            after, rest = tables[at + 1], subsets & ~self.masks[at]
            tables[at] = after
            helps = rest != subsets
            below = after if layers == 1 else after[:-1]
            taken = below[:, rest] + self.costs[at]
            target = tables[at] if layers == 1 else tables[at, 1:]
            np.minimum(target, taken, out=target, where=helps)
        values, costs = _subset_sums(self.weights), tables[0, -1]
        allowed = costs < _NEVER
        if self.tokens is not None:
            allowed &= costs <= self.tokens
        best = float(values[allowed].max())
        equal = allowed & (values >= best - _EQUAL * best)
        cheapest = equal & (costs == costs[equal].min())
        return self._solution(self._lowest(tables, np.flatnonzero(cheapest)), bound=None)

    def _lowest(self, tables: np.ndarray, subsets: np.ndarray) -> list[int]:
        """Of the cheapest sets that cover one of the subsets, the one of the lowest ranks."""
        chosen, layer = [], tables.shape[1] - 1
        for at in range(len(self.members)):
            rest, below = subsets & ~self.masks[at], max(layer - 1, 0)
            cost = tables[at + 1, below, rest] + self.costs[at]
            taken = (rest != subsets) & (cost == tables[at, layer, subsets])
            if taken.any():
                chosen.append(at)
                subsets, layer = np.unique(rest[taken]), below
        return chosen

    def by_program(self, seconds: float) -> Solution:
        deadline = time.monotonic() + seconds
        known = self._greedy()
        value, total = self._value(known), float(self.weights.sum())
        if value < total * (1 - _EQUAL):
            result = self._run(self._worth, seconds=seconds)
            found = self._chosen(result)
            if found is not None and self._value(found) > value:
                known, value = found, self._value(found)
            if result.status != 0:
                return self._solution(known, bound=_dual(result, total))
        cheap = self._chosen(self._run(self._spent, (self._least(value),), until=deadline))
        if self._as_good(cheap, value) and self._cost(cheap) <= self._cost(known):
            known = cheap
        return self._solution(self._lowest_of(known, value, deadline), bound=None)

    def _lowest_of(self, known: list[int], value: float, deadline: float) -> list[int]:
        """The lowest ranks among the sets that are as good and as cheap as a known one.

        Most often there is no other, which one program proves; else a block of ranks is settled at
        a time, in the order of the pool. Where time is up, the known one.
        """
        same = LinearConstraint(self._spent[None], -np.inf, self._cost(known) + 0.5)
        least, other = self._least(value), self._row(np.where(_flags(known, self._size), -1.0, 1.0))
        differs = LinearConstraint(other[None], 1.0 - len(known), np.inf)
        if self._chosen(self._run(self._row(), (least, same, differs), until=deadline)) is None:
            return known
        settled: list[LinearConstraint] = []
        for start in range(0, self._size, _BLOCK):
            block = range(start, min(start + _BLOCK, self._size))
            prefer = np.zeros(self._size)
            prefer[block] = -(2.0 ** np.arange(len(block))[::-1])
            result = self._run(self._row(prefer), (least, same, *settled), until=deadline)
            found = self._chosen(result)
            if result.status != 0 or not self._as_good(found, value):
                return known
            known = found
            taken = _flags(found, self._size)
            settled += [_fixed(self._row(_unit(at, self._size)), taken[at]) for at in block]
        return known

    @property
    def _size(self) -> int:
        return len(self.members)

    @property
    def _worth(self) -> FloatArray:
        return np.concatenate([np.zeros(self._size), -self.weights])

    @property
    def _spent(self) -> FloatArray:
        return self._row(np.array(self.costs, dtype=np.float64))

    def _row(self, members: FloatArray | None = None) -> FloatArray:
        """A row of the program: a value for each member, none for the bits."""
        first = np.zeros(self._size) if members is None else members
        return np.concatenate([first, np.zeros(len(self.weights))])

    def _least(self, value: float) -> LinearConstraint:
        return LinearConstraint(-self._worth[None], value - _EQUAL * max(1.0, value), np.inf)

    def _greedy(self) -> list[int]:
        limits = Limits(
            costs=self.costs if self.tokens is not None else None,
            tokens=self.tokens,
            passages=self.passages,
        )
        return list(greedy_max(self.masks, limits, dense=True))

    def _run(
        self,
        objective: FloatArray,
        more: Sequence[LinearConstraint] = (),
        *,
        seconds: float | None = None,
        until: float = 0.0,
    ) -> Any:
        """Variables: one a member (taken or not), one a bit (covered or not); least objective."""
        n, m = self._size, len(self.weights)
        pairs = [(b, j) for j, mask in enumerate(self.masks) for b in range(m) if mask >> b & 1]
        rows, columns = np.array(pairs).T
        carried = coo_array((np.ones(len(pairs)), (rows, columns)), shape=(m, n))
        limits = [LinearConstraint(hstack([-carried, eye_array(m)]), -np.inf, 0.0), *more]
        if self.tokens is not None:
            limits.append(LinearConstraint(self._spent[None], -np.inf, self.tokens))
        if self.passages < n:
            limits.append(LinearConstraint(self._row(np.ones(n))[None], -np.inf, self.passages))
        return milp(
            objective,
            integrality=np.concatenate([np.ones(n), np.zeros(m)]),
            bounds=Bounds(0.0, 1.0),
            constraints=limits,
            options={
                "time_limit": max(0.05, until - time.monotonic()) if seconds is None else seconds,
                "mip_rel_gap": 0.0,
            },
        )

    def _chosen(self, result: Any) -> list[int] | None:
        if result.x is None:
            return None
        chosen: list[int] = np.flatnonzero(result.x[: self._size] > 0.5).tolist()
        fits = self.tokens is None or self._cost(chosen) <= self.tokens
        return chosen if fits and len(chosen) <= self.passages else None

    def _value(self, chosen: Sequence[int]) -> float:
        union = covered(self.masks, chosen)
        return float(sum(w for bit, w in enumerate(self.weights.tolist()) if union >> bit & 1))

    def _as_good(self, chosen: list[int] | None, value: float) -> TypeGuard[list[int]]:
        return chosen is not None and self._value(chosen) >= value * (1 - _EQUAL)

    def _cost(self, chosen: Sequence[int]) -> int:
        return sum(self.costs[at] for at in chosen)

    def _solution(self, chosen: Sequence[int], *, bound: float | None) -> Solution:
        value = self._value(chosen)
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


def _subset_sums(weights: FloatArray) -> FloatArray:
    """Sum of the weights of every subset of bits, shape (2^m,)."""
    sums = np.zeros(1)
    for weight in weights:
        sums = np.concatenate([sums, sums + weight])
    return sums


def _flags(chosen: Sequence[int], size: int) -> np.ndarray:
    """True for what is chosen, shape (size,)."""
    return np.isin(np.arange(size), chosen)


def _unit(at: int, size: int) -> FloatArray:
    return np.asarray(np.arange(size) == at, dtype=np.float64)


def _fixed(row: FloatArray, value: float) -> LinearConstraint:
    return LinearConstraint(row[None], value, value)


def _dual(result: Any, total: float) -> float:
    bound = getattr(result, "mip_dual_bound", None)
    return total if bound is None or not np.isfinite(bound) else min(total, -float(bound))


def best_facility(pool: Pool, budget: Budget, *, seconds: float = SECONDS) -> Solution:
    """The set of largest facility-location value; weights and cosines as in the selector."""
    problem = _Facility.of(pool, budget)
    if not len(problem.members) or budget.passages == 0:
        return Solution(order=(), value=0.0, bound=0.0, proven=True)
    return problem.solve(seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facility:
    """Served passages (rows) and candidates (columns): worth[i, j] = w_i * max(0, cos_ij)."""

    members: np.ndarray
    worth: FloatArray
    keys: FloatArray
    costs: FloatArray
    tokens: int | None
    passages: int

    @classmethod
    def of(cls, pool: Pool, budget: Budget) -> _Facility:
        size = len(pool)
        costs = np.zeros(size) if pool.tokens is None else pool.tokens.astype(np.float64)
        worth = np.maximum(pool.relevance, 0.0)[:, None] * pool.clipped_similarity
        allowed = np.asarray(worth.any(axis=0))
        if budget.tokens is not None:
            allowed &= costs <= budget.tokens
        scale = 1 + size * (size + 1) // 2
        keys = costs * scale + np.arange(1, size + 1)
        members = [j for j in np.argsort(keys, kind="stable").tolist() if allowed[j]]
        kept: list[int] = []
        for j in members:
            if not any(np.all(worth[:, j] <= worth[:, k]) for k in kept):
                kept.append(j)
        chosen = np.array(sorted(kept), dtype=np.intp)
        return cls(
            members=chosen,
            worth=worth[:, chosen],
            keys=keys[chosen],
            costs=costs[chosen],
            tokens=budget.tokens,
            passages=len(chosen) if budget.passages is None else min(budget.passages, len(chosen)),
        )

    def solve(self, seconds: float) -> Solution:
        deadline = time.monotonic() + seconds
        result = self._run(least=None, seconds=seconds)
        known = self._chosen(result)
        value = self._value(known)
        if result.status != 0:
            total = float(self.worth.max(axis=1).sum())
            return self._solution(known, bound=max(value, _dual(result, total)))
        left = max(0.05, deadline - time.monotonic())
        cheap = self._chosen(self._run(least=value, seconds=left))
        if (
            self._value(cheap) >= value * (1 - _EQUAL)
            and self.keys[cheap].sum() < self.keys[known].sum()
        ):
            known = cheap
        return self._solution(known, bound=None)

    def _run(self, *, least: float | None, seconds: float) -> Any:
        """Variables: one a candidate (taken), one a served pair (who serves whom, in part)."""
        n = len(self.members)
        who, by = np.nonzero(self.worth)
        pairs = len(who)
        at, ones = np.arange(pairs), np.ones(pairs)
        only_taken = hstack([coo_array((-ones, (at, by)), shape=(pairs, n)), eye_array(pairs)])
        once = coo_array((ones, (who, n + at)), shape=(len(self.worth), n + pairs))
        rows = [only_taken, once]
        upper = [np.zeros(pairs), np.ones(len(self.worth))]
        limits = [LinearConstraint(vstack(rows), -np.inf, np.concatenate(upper))]
        none = np.zeros(pairs)
        if self.tokens is not None:
            spent = np.concatenate([self.costs, none])[None]
            limits.append(LinearConstraint(spent, -np.inf, self.tokens))
        if self.passages < n:
            count = np.concatenate([np.ones(n), none])[None]
            limits.append(LinearConstraint(count, -np.inf, self.passages))
        value = np.concatenate([np.zeros(n), self.worth[who, by]])
        if least is not None:
            limits.append(LinearConstraint(value[None], least * (1 - _EQUAL), np.inf))
        return milp(
            -value if least is None else np.concatenate([self.keys, none]),
            integrality=np.concatenate([np.ones(n), none]),
            bounds=Bounds(0.0, 1.0),
            constraints=limits,
            options={"time_limit": seconds, "mip_rel_gap": 0.0},
        )

    def _chosen(self, result: Any) -> list[int]:
        if result.x is None:
            return []
        chosen: list[int] = np.flatnonzero(result.x[: len(self.members)] > 0.5).tolist()
        return chosen

    def _value(self, chosen: Sequence[int]) -> float:
        return float(self.worth[:, list(chosen)].max(axis=1, initial=0.0).sum())

    def _solution(self, chosen: Sequence[int], *, bound: float | None) -> Solution:
        value = self._value(chosen)
        found = Solution(order=(), value=value, bound=value, proven=True)
        order = tuple(sorted(self.members[list(chosen)].tolist()))
        if bound is None:
            return replace(found, order=order)
        return replace(found, order=order, bound=bound, proven=False)


def best(pool: Pool, budget: Budget, objective: str, *, seconds: float = SECONDS) -> Solution:
    """The exact optimum on claims, gold or facility; found once a pool, budget and time limit."""
    key = ("optimum", objective, budget, seconds)
    if key not in pool.memo:
        pool.memo[key] = _solve(pool, budget, objective, seconds=seconds)
    solution: Solution = pool.memo[key]
    return solution


def _solve(pool: Pool, budget: Budget, objective: str, *, seconds: float) -> Solution:
    if not len(pool):
        return Solution(order=(), value=0.0, bound=0.0, proven=True)
    if objective == "facility":
        return best_facility(pool, budget, seconds=seconds)
    if objective == "gold":
        weights = np.array(list(pool.gold.values()), dtype=np.float64)
        return best_cover(pool, budget, pool.support_bits, weights, seconds=seconds)
    bits = pool.claim_bits
    return best_cover(pool, budget, bits, np.ones(len(bits.names)), seconds=seconds)
