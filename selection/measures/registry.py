"""The registry of measures: each declares name, title, what better means, and one line of help."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

import numpy as np

from selection.ledger import Selection
from selection.measures.many import Many
from selection.model import Budget, FloatArray, IntArray, Pool

Unit = Literal["share", "tokens", "count", "ratio"]


@dataclass(frozen=True)
class Cut:
    """A selection cut to its first k admissions (all of them for None): what measures read."""

    pool: Pool
    selection: Selection
    k: int | None = None

    @property
    def budget(self) -> Budget:
        return self.selection.budget

    @cached_property
    def order(self) -> IntArray:
        """Indices in order of admission, 0-based."""
        return np.asarray(self.selection.picks.order[: self.k], dtype=np.int64)

    @cached_property
    def tokens(self) -> int | None:
        """Tokens of the cut; None where the pool's tokens are not known."""
        if not len(self.order):
            return 0
        return None if self.pool.tokens is None else int(self.pool.tokens[self.order].sum())

    @property
    def remaining(self) -> int | None:
        """Tokens left of the budget, negative when overspent; None without a token budget."""
        if self.budget.tokens is None or self.tokens is None:
            return None
        return self.budget.tokens - self.tokens


Function = Callable[[Cut], float | None]
Batch = Callable[[Many], FloatArray]


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure. better: which direction is, or neither. costly: needs an exact optimum.

    budgeted: it depends on the budget, and not only on what was sent. batch: the same for many
    selections at once, shape (R,), NaN where undefined; None where it goes one by one.
    needs: in words, what a pool must have for it to be defined.
    """

    name: str
    title: str
    help: str
    unit: Unit
    better: Literal["higher", "lower"] | None
    costly: bool
    of: Function
    needs: str
    budgeted: bool = False
    batch: Batch | None = None


_measures: dict[str, Measure] = {}


def register_measure(
    name: str,
    *,
    title: str,
    help: str,
    needs: str,
    unit: Unit = "share",
    better: Literal["higher", "lower"] | None = "higher",
    costly: bool = False,
    budgeted: bool = False,
    batch: Batch | None = None,
) -> Callable[[Function], Function]:
    """Register a function from a cut to a number, or to None where it is undefined."""

    def add(function: Function) -> Function:
        _measures[name] = Measure(
            name, title, help, unit, better, costly, function, needs, budgeted or costly, batch
        )
        return function

    return add


@cache
def _discover() -> None:
    package = importlib.import_module("selection.measures")
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)


def all_measures() -> tuple[Measure, ...]:
    """Every measure, by name."""
    _discover()
    return tuple(_measures[name] for name in sorted(_measures))


def measure_names() -> tuple[str, ...]:
    """The names of all measures, sorted."""
    return tuple(one.name for one in all_measures())


def measure(pool: Pool, selection: Selection, k: int | None = None) -> dict[str, float | None]:
    """Every measure of a selection; k cuts the order of admission. Undefined is None.

    :raises ValueError: for a negative k.
    """
    if k is not None and k < 0:
        raise ValueError(f"k is {k}; a whole number of 0 or more is accepted.")
    cut = Cut(pool, selection, k)
    return {one.name: one.of(cut) for one in all_measures()}
