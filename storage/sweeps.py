"""A sweep over a stored collection: read, walked and measured chunk by chunk, in little memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from selection.model import Budget, FloatArray
from selection.sweep import sweep
from storage import queries
from storage.compare import needs_of
from storage.engine import Database
from storage.reading import pools_of

CHUNK = 500
MEASURES = ("claim_recall", "redundancy", "tokens", "passages")
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """What every setting did on every question.

    questions: their ids. settings: parameters and budget of each, in the order of the second axis.
    columns: measure -> values, shape (questions, settings); NaN where undefined.
    """

    questions: tuple[str, ...]
    settings: tuple[tuple[Mapping[str, Any], Budget], ...]
    columns: Mapping[str, FloatArray] = field(repr=False)


def sweep_stored(
    database: Database,
    collection: str,
    name: str,
    grid: Mapping[str, Sequence[Any]],
    *,
    budgets: Sequence[Budget] = (Budget(),),
    measures: Sequence[str] = MEASURES,
    relevance: str | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Swept:
    """Sweep a selector's parameters over a stored collection.

    measures: columns of a sweep, see `Sweep.columns`. progress: called with questions done and
    questions in all.

    :raises NotStored: for an unknown collection. :raises ValueError: for an unknown name, or where
        the selector cannot run.
    """
    home = queries.collection(database, collection)
    with database.read() as connection:
        keys = queries.question_keys(connection, home.id)
    first = sweep([], name, grid, budgets=budgets)
    needs = frozenset(need for budget in budgets for need in needs_of(first.selectors, budget))
    settings = tuple((one.values, budget) for one in first.selectors for budget in first.budgets)
    ids: list[str] = []
    parts: list[dict[str, FloatArray]] = []
    for start in range(0, len(keys), CHUNK):
        some = keys[start : start + CHUNK]
        pools = pools_of(database, home.id, some, needs=needs, relevance=relevance)
        found = sweep(pools, name, grid, budgets=budgets, executor=executor).columns(*measures)
        ids += [pool.id for pool in pools]
        parts.append({one: found[one].reshape(len(pools), len(settings)) for one in measures})
        if progress:
            progress(len(ids), len(keys))
    return Swept(
        questions=tuple(ids),
        settings=settings,
        columns={
            one: np.concatenate([part[one] for part in parts])
            if parts
            else np.zeros((0, len(settings)))
            for one in measures
        },
    )
