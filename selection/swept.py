"""A sweep reduced to its measures, for a chunk of pools: small enough to travel and to be kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from selection.model import Budget, FloatArray, Pool
from selection.sweep import sweep


@dataclass(frozen=True, slots=True, kw_only=True)
class SweptPools:
    """questions: ids of the pools. columns: measure -> values, shape (pools, settings)."""

    questions: tuple[str, ...]
    columns: Mapping[str, FloatArray]


def swept(
    pools: Sequence[Pool],
    *,
    name: str,
    grid: Mapping[str, Sequence[Any]],
    budgets: Sequence[Budget],
    measures: Sequence[str],
) -> SweptPools:
    """Sweep some pools; settings are the product of the grid, each under every budget.

    :raises ValueError: as `sweep` and its columns do.
    """
    found = sweep(pools, name, grid, budgets=budgets)
    columns = found.columns(*measures)
    return SweptPools(
        questions=tuple(pool.id for pool in pools),
        columns={one: columns[one].reshape(len(pools), -1) for one in measures},
    )
