"""The exact best set for facility location."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, eye_array, hstack, vstack

from selection.exact.solution import EQUAL, SECONDS, Solution, dual_bound
from selection.model import Budget, FloatArray, Pool


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
            return self._solution(known, bound=max(value, dual_bound(result, total)))
        left = max(0.05, deadline - time.monotonic())
        cheap = self._chosen(self._run(least=value, seconds=left))
        if (
            self._value(cheap) >= value * (1 - EQUAL)
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
            limits.append(LinearConstraint(value[None], least * (1 - EQUAL), np.inf))
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
