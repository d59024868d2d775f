"""Token budgets under which a walk of the ranks sends what was sent, and where such ranges meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def explaining(
    tokens: Sequence[int], sent: frozenset[int], *, mode: str
) -> tuple[int, int | None] | None:
    """The budgets, first and last, under which a walk of the ranks sends what was sent.

    Without a last one every larger budget does as well. None where no budget does.
    """
    spent = sum(tokens[index] for index in sent)
    last: int | None = None
    running = 0
    for index, cost in enumerate(tokens):
        if index in sent:
            running += cost
            continue
        if mode == "stop":
            # What follows the first gap must be out as well.
            return (spent, running + cost - 1) if running == spent else None
        last = running + cost - 1 if last is None else min(last, running + cost - 1)
    return None if last is not None and last < spent else (spent, last)


def densest(ranges: Sequence[tuple[int, int | None]]) -> tuple[int, int]:
    """The stretch of budgets that lies in most ranges; of several the first."""
    events: Counter[int] = Counter()
    for first, last in ranges:
        events[first] += 1
        if last is not None:
            events[last + 1] -= 1
    points = sorted(events)
    depth, best, stretch = 0, -1, (points[0], points[0])
    for at, point in enumerate(points):
        depth += events[point]
        if depth > best:
            best = depth
            end = points[at + 1] - 1 if at + 1 < len(points) else point
            stretch = (point, end)
    return stretch


def roundest(first: int, last: int) -> int:
    """The number in a stretch that a person would have typed: the one with the most zeros."""
    unit = 1
    while -(-first // (unit * 10)) * unit * 10 <= last:
        unit *= 10
    half = unit * 5
    return (
        -(-first // half) * half if -(-first // half) * half <= last else -(-first // unit) * unit
    )


def common(ranges: Sequence[tuple[int, int | None]]) -> tuple[int, int] | None:
    """The budgets that lie in all ranges."""
    lasts = [last for _, last in ranges if last is not None]
    if not lasts:
        return None
    first = max(first for first, _ in ranges)
    return (first, min(lasts)) if first <= min(lasts) else None
