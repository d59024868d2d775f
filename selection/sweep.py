"""Sweeps of a selector's parameters over many pools and budgets."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from selection import batch_claims, batch_mmr
from selection.ledger import Picks, Selection
from selection.measures import Cut, Measure, all_measures
from selection.measures.many import Many
from selection.model import Budget, Pool
from selection.registry import Selector, make_selector
from selection.rows import Rows
from selection.travel import light

CHUNK = 512
"""Pools at a time: enough to vectorise over, few enough to stay in the cache."""

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables that, set to 1, keep linear algebra to one thread."""

Engine = Callable[[Sequence[Pool], Sequence[Selector], Sequence[Budget]], Rows]
_ENGINES: Mapping[str, Engine] = {"marginal_gain": batch_claims.walk, "mmr": batch_mmr.run}


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Every selection of a sweep; rows pool-major, then settings, then budgets."""

    pools: tuple[Pool, ...] = field(repr=False)
    selectors: tuple[Selector, ...]
    budgets: tuple[Budget, ...]
    rows: Rows = field(repr=False)
    parameters: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.rows.counts)

    @cached_property
    def _ends(self) -> np.ndarray:
        return np.concatenate([[0], np.cumsum(self.rows.counts)])

    def order(self, row: int) -> tuple[int, ...]:
        """The 0-based indices of one row in order of admission."""
        if not -len(self) <= row < len(self):
            raise IndexError(f"There is no row {row}; there are {len(self):,}.")
        row %= len(self)
        return tuple(self.rows.flat[self._ends[row] : self._ends[row + 1]].tolist())

    def ranks(self, row: int) -> tuple[int, ...]:
        """The 1-based ranks of one row in order of admission."""
        return tuple(index + 1 for index in self.order(row))

    def selection(self, row: int) -> Selection:
        """One row as a selection, with its ledger."""
        per_pool = len(self.selectors) * len(self.budgets)
        setting, budget = divmod(row % per_pool, len(self.budgets))
        return Selection(
            pool=self.pools[row // per_pool],
            budget=self.budgets[budget],
            selector=self.selectors[setting],
            picks=Picks(order=self.order(row)),
        )

    def columns(self, *names: str) -> dict[str, np.ndarray]:
        """Columns by name, equally long; without names all but the measures that are costly.

        `pool` (0-based), one a parameter, `budget_tokens` and `budget_passages` (NaN = unset),
        `passages`, `tokens`, and the measures. Undefined is NaN. Costly measures need an exact
        optimum, once a pool and budget: by name only.

        :raises ValueError: for a name that is no column.
        """
        fixed = self._fixed()
        measures = {one.name: one for one in all_measures() if one.name not in fixed}
        wanted = names or (*fixed, *(n for n, one in measures.items() if not one.costly))
        for name in wanted:
            if name not in fixed and name not in measures:
                known = ", ".join([*fixed, *measures])
                raise ValueError(f"There is no column {name!r}; there are {known}.")
        computed = self._measured([measures[name] for name in wanted if name in measures])
        return {name: fixed[name]() if name in fixed else computed[name] for name in wanted}

    def _fixed(self) -> dict[str, Callable[[], np.ndarray]]:
        def parameter(name: str) -> Callable[[], np.ndarray]:
            return lambda: self._along(selectors=[s.values[name] for s in self.selectors])

        def budget(name: str) -> Callable[[], np.ndarray]:
            limits = [getattr(one, name) for one in self.budgets]
            return lambda: self._along(budgets=[math.nan if x is None else x for x in limits])

        return {
            "pool": lambda: np.repeat(
                np.arange(len(self.pools)), len(self.selectors) * len(self.budgets)
            ),
            **{name: parameter(name) for name in self.parameters},
            "budget_tokens": budget("tokens"),
            "budget_passages": budget("passages"),
            "passages": lambda: self.rows.counts.astype(np.int64),
            "tokens": lambda: self.rows.tokens,
        }

    def _along(
        self, *, selectors: Sequence[Any] | None = None, budgets: Sequence[float] | None = None
    ) -> np.ndarray:
        if selectors is not None:
            once = np.repeat(np.asarray(selectors), len(self.budgets))
        else:
            once = np.tile(np.asarray(budgets, dtype=np.float64), len(self.selectors))
        return np.tile(once, len(self.pools))

    def _measured(self, measures: Sequence[Measure]) -> dict[str, np.ndarray]:
        """Measures row by row; within a pool, equal orders under one budget are measured once."""
        columns = {one.name: np.full(len(self), math.nan) for one in measures}
        per_pool = len(self.selectors) * len(self.budgets)
        if not measures or not per_pool:
            return columns
        together = [one for one in measures if one.batch is not None]
        measures = [one for one in measures if one.batch is None]
        for start in range(0, len(self.pools) if together else 0, CHUNK):
            some = slice(start * per_pool, (start + CHUNK) * per_pool)
            many = Many.of(self.pools[start : start + CHUNK], self._rows(some), self.budgets)
            for one in together:
                assert one.batch is not None
                columns[one.name][some] = one.batch(many)
        if not measures:
            return columns
        for start in range(0, len(self), per_pool):
            known: dict[Any, float | None] = {}
            for row in range(start, start + per_pool):
                self._measure_row(row, measures, columns, known)
        return columns

    def _rows(self, some: slice) -> Rows:
        """A run of rows of its own."""
        first, last, _ = some.indices(len(self))
        return Rows(
            self.rows.counts[some],
            self.rows.flat[self._ends[first] : self._ends[last]],
            self.rows.tokens[some],
        )

    def _measure_row(
        self,
        row: int,
        measures: Sequence[Measure],
        columns: Mapping[str, np.ndarray],
        known: dict[Any, float | None],
    ) -> None:
        selection = self.selection(row)
        cut = Cut(selection.pool, selection)
        for one in measures:
            key = (one.name, selection.picks.order, selection.budget if one.budgeted else None)
            if key not in known:
                known[key] = one.of(cut)
            value = known[key]
            if value is not None:
                columns[one.name][row] = value


def sweep(
    pools: Sequence[Pool],
    name: str,
    grid: Mapping[str, Sequence[Any]] | None = None,
    *,
    budgets: Sequence[Budget] = (Budget(),),
    executor: Executor | None = None,
    seed: int = 0,
) -> Sweep:
    """Run a selector over pools, over the product of a grid in the order given, and over budgets.

    grid: parameter -> values; parameters left out take their defaults. executor: anything with
    `submit`; chunks of pools are sent to it, without what nobody reads there. seed: for selectors
    that draw at random; none of those built in does.

    :raises ValueError: for an unknown name or value, or a pool that lacks what the selector needs.
    """
    values = {} if grid is None else {name: list(column) for name, column in grid.items()}
    selectors = tuple(
        make_selector(name, **dict(zip(values, setting, strict=True)))
        for setting in product(*values.values())
    )
    held, limits = tuple(pools), tuple(budgets)
    chunks = [held[start : start + CHUNK] for start in range(0, len(held), CHUNK)]
    return Sweep(
        pools=held,
        selectors=selectors,
        budgets=limits,
        rows=Rows.joined(list(_over(executor, chunks, selectors, limits))),
        parameters=tuple(values),
    )


def worker_pool(workers: int) -> ProcessPoolExecutor:
    """Processes for `executor=`: fresh interpreters, one BLAS thread each, no pages on the path."""
    for name in ONE_THREAD:
        # Read when a worker loads its BLAS; that of this process is loaded already.
        os.environ.setdefault(name, "1")
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_pages)


def _leave_pages() -> None:
    sys.path[:] = [entry for entry in sys.path if Path(entry).name != "pages"]


def _over(
    executor: Executor | None,
    chunks: Sequence[Sequence[Pool]],
    selectors: Sequence[Selector],
    budgets: Sequence[Budget],
) -> Iterator[Rows]:
    if executor is None:
        yield from (run_chunk(chunk, selectors, budgets) for chunk in chunks)
        return
    needs = frozenset(
        need for one in selectors for b in budgets for need in one.requires(Pool(), b)
    )
    futures = []
    for chunk in chunks:
        # Here, where every pool is whole, so that a refusal can name the passage.
        _check(chunk, selectors, budgets)
        some = [light(pool, needs) for pool in chunk]
        futures.append(executor.submit(run_chunk, some, selectors, budgets))
    yield from (future.result() for future in futures)


def run_chunk(
    pools: Sequence[Pool], selectors: Sequence[Selector], budgets: Sequence[Budget]
) -> Rows:
    """All rows of a chunk of pools, by the vectorised engine of the selector where there is one."""
    _check(pools, selectors, budgets)
    if not selectors or not budgets:
        return Rows.joined([])
    engine = _ENGINES.get(selectors[0].name, _one_by_one)
    return engine(pools, selectors, budgets)


def _check(pools: Sequence[Pool], selectors: Sequence[Selector], budgets: Sequence[Budget]) -> None:
    for pool, selector, budget in product(pools, selectors[:1], _stricter(budgets)):
        selector.check(pool, budget)


def _stricter(budgets: Sequence[Budget]) -> Sequence[Budget]:
    """One budget that needs all that any of them needs."""
    limited = [budget for budget in budgets if budget.tokens is not None]
    return limited[:1] or budgets[:1]


def _one_by_one(
    pools: Sequence[Pool], selectors: Sequence[Selector], budgets: Sequence[Budget]
) -> Rows:
    return Rows.joined(
        [
            Rows.of(
                pool,
                (order for selector in selectors for order in _orders(selector, pool, budgets)),
            )
            for pool in pools
        ]
    )


def _orders(selector: Selector, pool: Pool, budgets: Sequence[Budget]) -> Iterator[tuple[int, ...]]:
    """One order a budget; where a smaller cap gives a prefix, one run answers every cap."""
    if not selector.nested:
        for budget in budgets:
            selector.check(pool, budget)
            yield selector.pick(pool, budget).order
        return
    longest: dict[int | None, tuple[int, ...]] = {}
    for tokens in dict.fromkeys(budget.tokens for budget in budgets):
        caps = [budget.passages for budget in budgets if budget.tokens == tokens]
        most = None if None in caps else max(cap for cap in caps if cap is not None)
        longest[tokens] = selector.pick(pool, Budget(tokens, most)).order
    for budget in budgets:
        yield longest[budget.tokens][: budget.passages]
