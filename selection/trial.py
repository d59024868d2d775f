"""Selectors tried on pools: what each sent, and every measure of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
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


def check(pools: Sequence[Pool], selectors: Sequence[Selector], budget: Budget) -> None:
    """Whether selectors can run on pools, without running them.

    :raises ValueError: naming the first question on which one cannot.
    """
    for pool in pools:
        for selector in selectors:
            with _named(pool):
                selector.check(pool, budget)


@contextmanager
def _named(pool: Pool) -> Iterator[None]:
    """Let what is refused say on which question."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"Question {pool.id!r}: {error}") from error


def _row(pool: Pool, selector: Selector, budget: Budget) -> Row:
    with _named(pool):
        selection = selector.select(pool, budget)
    return Row(
        question=pool.id,
        selector=selector.spec,
        measures=measure(pool, selection),
        ranks=selection.ranks,
    )
