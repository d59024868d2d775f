"""Selectors tried on pools: what each sent, and every measure of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from selection.measures import measure
from selection.model import Budget, Pool
from selection.registry import Selector


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one selector did on one question. ranks: 1-based, in order of admission."""

    question: str
    selector: str
    measures: Mapping[str, float | None]
    ranks: tuple[int, ...]


def trial(pools: Sequence[Pool], selectors: Sequence[Selector], budget: Budget) -> list[Row]:
    """Run selectors on pools: pool by pool, selectors in order.

    :raises ValueError: where a selector cannot run; the question is named.
    """
    return [_row(pool, selector, budget) for pool in pools for selector in selectors]


def _row(pool: Pool, selector: Selector, budget: Budget) -> Row:
    try:
        selection = selector.select(pool, budget)
    except ValueError as error:
        raise ValueError(f"Question {pool.id!r}: {error}") from error
    return Row(
        question=pool.id,
        selector=selector.spec,
        measures=measure(pool, selection),
        ranks=selection.ranks,
    )
