"""Coverage as an integer program (HiGHS, by scipy)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, eye_array, hstack

from selection.cover import Limits, greedy_max
from selection.exact.coverage import Coverage
from selection.exact.solution import EQUAL, Solution, dual_bound
from selection.model import FloatArray

_BLOCK = 16
"""Ranks decided by one program: 2^16 steps lie well within the tolerance of its objective."""


class CoverProgram:
    """Finds the best value, then the cheapest set that reaches it, then the lowest ranks."""

    def __init__(self, problem: Coverage) -> None:
        self._problem = problem

    def solve(self, seconds: float) -> Solution:
        deadline = time.monotonic() + seconds
        known = self._greedy()
        value, total = self._problem.value(known), float(self._problem.weights.sum())
        if value < total * (1 - EQUAL):
            result = self._run(self._worth, seconds=seconds)
            found = self._chosen(result)
            if found is not None and self._problem.value(found) > value:
                known, value = found, self._problem.value(found)
            if result.status != 0:
                return self._problem.solution(known, bound=dual_bound(result, total))
        cheap = self._chosen(self._run(self._spent, (self._least(value),), until=deadline))
        if (
            cheap is not None
            and self._problem.as_good(cheap, value)
            and self._problem.cost(cheap) <= self._problem.cost(known)
        ):
            known = cheap
        return self._problem.solution(self._lowest_of(known, value, deadline), bound=None)

    def _lowest_of(self, known: list[int], value: float, deadline: float) -> list[int]:
        """The lowest ranks among the sets that are as good and as cheap as a known one.

        Most often there is no other, which one program proves; else a block of ranks is settled at
        a time, in the order of the pool. Where time is up, the known one.
        """
        same = LinearConstraint(self._spent[None], -np.inf, self._problem.cost(known) + 0.5)
        least, other = (
            self._least(value),
            self._row(np.where(_flags(known, self._problem.size), -1.0, 1.0)),
        )
        differs = LinearConstraint(other[None], 1.0 - len(known), np.inf)
        if self._chosen(self._run(self._row(), (least, same, differs), until=deadline)) is None:
            return known
        settled: list[LinearConstraint] = []
        for start in range(0, self._problem.size, _BLOCK):
            block = range(start, min(start + _BLOCK, self._problem.size))
            prefer = np.zeros(self._problem.size)
            prefer[block] = -(2.0 ** np.arange(len(block))[::-1])
            result = self._run(self._row(prefer), (least, same, *settled), until=deadline)
            found = self._chosen(result)
            if result.status != 0 or found is None or not self._problem.as_good(found, value):
                return known
            known = found
            taken = _flags(found, self._problem.size)
            settled += [_fixed(self._row(_unit(at, self._problem.size)), taken[at]) for at in block]
        return known

    @property
    def _worth(self) -> FloatArray:
        return np.concatenate([np.zeros(self._problem.size), -self._problem.weights])

    @property
    def _spent(self) -> FloatArray:
        return self._row(np.array(self._problem.costs, dtype=np.float64))

    def _row(self, members: FloatArray | None = None) -> FloatArray:
        """A row of the program: a value for each member, none for the bits."""
        first = np.zeros(self._problem.size) if members is None else members
        return np.concatenate([first, np.zeros(len(self._problem.weights))])

    def _least(self, value: float) -> LinearConstraint:
        return LinearConstraint(-self._worth[None], value - EQUAL * max(1.0, value), np.inf)

    def _greedy(self) -> list[int]:
        limits = Limits(
            costs=self._problem.costs if self._problem.tokens is not None else None,
            tokens=self._problem.tokens,
            passages=self._problem.passages,
        )
        return list(greedy_max(self._problem.masks, limits, dense=True))

    def _run(
        self,
        objective: FloatArray,
        more: Sequence[LinearConstraint] = (),
        *,
        seconds: float | None = None,
        until: float = 0.0,
    ) -> Any:
        """Variables: one a member (taken or not), one a bit (covered or not); least objective."""
        n, m = self._problem.size, len(self._problem.weights)
        pairs = [
            (b, j) for j, mask in enumerate(self._problem.masks) for b in range(m) if mask >> b & 1
        ]
        rows, columns = np.array(pairs).T
        carried = coo_array((np.ones(len(pairs)), (rows, columns)), shape=(m, n))
        limits = [LinearConstraint(hstack([-carried, eye_array(m)]), -np.inf, 0.0), *more]
        if self._problem.tokens is not None:
            limits.append(LinearConstraint(self._spent[None], -np.inf, self._problem.tokens))
        if self._problem.passages < n:
            limits.append(
                LinearConstraint(self._row(np.ones(n))[None], -np.inf, self._problem.passages)
            )
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
        chosen: list[int] = np.flatnonzero(result.x[: self._problem.size] > 0.5).tolist()
        fits = self._problem.tokens is None or self._problem.cost(chosen) <= self._problem.tokens
        return chosen if fits and len(chosen) <= self._problem.passages else None


def _flags(chosen: Sequence[int], size: int) -> np.ndarray:
    """True for what is chosen, shape (size,)."""
    return np.isin(np.arange(size), chosen)


def _unit(at: int, size: int) -> FloatArray:
    return np.asarray(np.arange(size) == at, dtype=np.float64)


def _fixed(row: FloatArray, value: float) -> LinearConstraint:
    return LinearConstraint(row[None], value, value)
