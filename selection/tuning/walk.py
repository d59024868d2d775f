"""One knob walked over a collection: every question at every value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from selection.ledger import Picks, Selection
from selection.measures import Measure
from selection.model import Budget, FloatArray, Pool
from selection.registry import Selector
from selection.rows import Rows
from selection.sweep import Sweep, sweep
from selection.tuning.knobs import Knob, with_value

CHUNK = 100
Progress = Callable[[int, int], None]
Order = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A question on which the selector cannot run, and why, as a sentence."""

    question: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Walk:
    """Every question at every value of a knob.

    selector, budget: where all other knobs stand. swept: the runs, a row a question and value.
    left_out: questions on which the selector cannot run.
    """

    selector: Selector
    budget: Budget
    knob: Knob
    values: tuple[Any, ...]
    swept: Sweep = field(repr=False)
    left_out: tuple[LeftOut, ...] = ()

    @property
    def pools(self) -> tuple[Pool, ...]:
        """The questions that were run, in order."""
        return self.swept.pools

    @cached_property
    def orders(self) -> tuple[tuple[Order, ...], ...]:
        """For each pool, for each value, the 0-based indices in order of admission."""
        width = len(self.values)
        rows = [self.swept.order(row) for row in range(len(self.swept))]
        return tuple(tuple(rows[at : at + width]) for at in range(0, len(rows), width))

    @cached_property
    def tokens(self) -> FloatArray:
        """Tokens sent, shape (questions, values); NaN where not known."""
        return self._table(self.swept.rows.tokens)

    @cached_property
    def passages(self) -> FloatArray:
        """Passages sent, shape (questions, values)."""
        return self._table(self.swept.rows.counts)

    def _table(self, column: NDArray[Any]) -> FloatArray:
        return np.asarray(column, dtype=np.float64).reshape(len(self.pools), len(self.values))

    @cached_property
    def rising_is_tighter(self) -> bool:
        """Whether a higher value sends less, on average; equal means count as yes."""
        if not len(self.pools) or len(self.values) < 2:
            return True
        sent = self.passages.mean(axis=0)
        return bool(sent[-1] <= sent[0])

    @cached_property
    def from_open(self) -> tuple[int, ...]:
        """Places of the values from the one that sends most to the one that sends least.

        By the values' own order where they have one, else by mean passages.
        """
        places = range(len(self.values))
        if not self.knob.ordered:
            sent = self.passages.mean(axis=0)
            return tuple(sorted(places, key=lambda at: -sent[at]))
        return tuple(places) if self.rising_is_tighter else tuple(reversed(places))

    @property
    def steers_amount(self) -> bool:
        """Whether the knob decides how much is sent, by more than 2 %, and not only what."""
        sent = self.tokens if np.isfinite(self.tokens).all() else self.passages
        if not sent.size:
            return False
        means = sent.mean(axis=0)
        return bool(np.ptp(means) > 0.02 * means.max())

    @property
    def binds(self) -> bool:
        """Whether any question is answered differently at any two values."""
        return any(len(set(orders)) > 1 for orders in self.orders)

    def setting(self, at: int) -> tuple[Selector, Budget]:
        """The selector and the budget at one of the values."""
        return with_value(self.selector, self.budget, self.knob, self.values[at])

    def selection(self, question: int, at: int) -> Selection:
        """One question at one value, with its ledger."""
        selector, budget = self.setting(at)
        return Selection(
            pool=self.pools[question],
            budget=budget,
            selector=selector,
            picks=Picks(order=self.orders[question][at]),
        )

    def measured(self, measure: Measure) -> FloatArray:
        """A measure, shape (questions, values); NaN where it is undefined."""
        return self._table(self.swept.columns(measure.name)[measure.name])

    def at(self, value: Any) -> int:
        """The place of a value; of the nearest one where it was not tried.

        No limit (None) is nearest to the one that sends most.
        """
        if value in self.values:
            return self.values.index(value)
        if value is None:
            return self.from_open[0]
        if not self.knob.ordered:
            return 0
        return min(range(len(self.values)), key=lambda at: abs(self.values[at] - value))


def walk(
    pools: Sequence[Pool],
    selector: Selector,
    budget: Budget,
    knob: Knob,
    values: Sequence[Any],
    *,
    progress: Progress | None = None,
) -> Walk:
    """Run a selector on every pool at every value of one knob.

    progress: called with questions done and questions in all. Pools that lack what the selector
    needs are left out and named.
    """
    runnable: list[Pool] = []
    left_out: list[LeftOut] = []
    strictest = replace(budget, tokens=0) if knob.limit and knob.name == "tokens" else budget
    for pool in pools:
        try:
            selector.check(pool, strictest)
        except ValueError as problem:
            left_out.append(LeftOut(question=pool.id, why=str(problem)))
        else:
            runnable.append(pool)
    return Walk(
        selector=selector,
        budget=budget,
        knob=knob,
        values=tuple(values),
        swept=_swept(runnable, selector, budget, knob, values, progress=progress),
        left_out=tuple(left_out),
    )


def _swept(
    pools: Sequence[Pool],
    selector: Selector,
    budget: Budget,
    knob: Knob,
    values: Sequence[Any],
    *,
    progress: Progress | None,
) -> Sweep:
    """One sweep, run a chunk at a time, so that it can say how far it is."""
    grid = {name: [value] for name, value in selector.values.items()}
    budgets = [budget]
    if knob.limit:
        budgets = [replace(budget, **{knob.name: value}) for value in values]
    else:
        grid[knob.name] = list(values)
    whole = sweep([], selector.name, grid, budgets=budgets)
    rows = []
    for start in range(0, len(pools), CHUNK):
        some = pools[start : start + CHUNK]
        rows.append(sweep(some, selector.name, grid, budgets=budgets).rows)
        if progress:
            progress(start + len(some), len(pools))
    return replace(whole, pools=tuple(pools), rows=Rows.joined(rows))
