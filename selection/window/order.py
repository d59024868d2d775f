"""In which order the chosen passages stand in the prompt. It changes no selection."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

Order = Callable[[Sequence[int], Collection[int]], tuple[int, ...]]


def by_rank(admitted: Sequence[int], gold: Collection[int]) -> tuple[int, ...]:
    """As the retriever ranked them."""
    del gold
    return tuple(sorted(admitted))


def by_admission(admitted: Sequence[int], gold: Collection[int]) -> tuple[int, ...]:
    """As the selector took them."""
    del gold
    return tuple(admitted)


def gold_at_edges(admitted: Sequence[int], gold: Collection[int]) -> tuple[int, ...]:
    """Gold passages from both ends inwards, by rank; the others between them, by rank.

    An experiment: no retriever knows which passages are gold.
    """
    known = [index for index in sorted(admitted) if index in gold]
    others = [index for index in sorted(admitted) if index not in gold]
    return (*known[::2], *others, *reversed(known[1::2]))


ORDERS: Mapping[str, Order] = {
    "rank": by_rank,
    "admission": by_admission,
    "edges": gold_at_edges,
}
"""admitted: 0-based indices in order of admission; gold: indices that are gold."""
