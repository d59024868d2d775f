"""A sweep of k, as one thinks it runs and as it runs in a window of a given size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from selection.claims import Bits
from selection.model import Pool
from selection.window.fill import Filled, fill, unbounded
from selection.window.slices import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The first k ranks.

    thought: only retrieval changes, whatever it costs. run: the window is as large as it is.
    covered: how many facts (claims, where no fact is judged) the k passages hold; kept: how many
    are left after passages were dropped. copies: of the claim that is stated most often.
    """

    k: int
    thought: Filled
    run: Filled
    covered: int
    kept: int
    copies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KSweep:
    """points: k from 1 to the pool's size. what: "facts" or "claims"; total: how many there are.

    first: the smallest k at which another slice gives way; refused: the smallest k that does not
    fit at all; None where there is none.
    """

    points: tuple[Point, ...]
    what: str
    total: int

    @property
    def first(self) -> int | None:
        return next((one.k for one in self.points if one.run.changed), None)

    @property
    def refused(self) -> int | None:
        return next((one.k for one in self.points if one.run.over), None)


def k_sweep(pool: Pool, window: Window) -> KSweep:
    """Every k of top-k over one pool, in rank order.

    :raises ValueError: where a passage's tokens are not known.
    """
    if pool.tokens is None:
        raise ValueError(f"passage {pool.first_without('tokens')!r} has no tokens.")
    costs = [int(cost) for cost in pool.tokens]
    judged = bool(pool.gold) and bool(pool.support_bits.known.any())
    bits = pool.support_bits if judged else pool.claim_bits
    covered, copies = _covered(bits), _copies(pool.claim_bits)
    points = []
    for k in range(1, len(pool) + 1):
        run = fill(window, costs[:k])
        points.append(
            Point(
                k=k,
                thought=unbounded(window, costs[:k]),
                run=run,
                covered=covered[k],
                kept=covered[k - run.dropped],
                copies=copies[k],
            )
        )
    return KSweep(
        points=tuple(points),
        what="facts" if judged else "claims",
        total=len(pool.gold) if judged else len(bits.names),
    )


def _covered(bits: Bits) -> Sequence[int]:
    """How many names the first k rows hold, for k = 0 to all."""
    seen = np.maximum.accumulate(bits.matrix(), axis=0).sum(axis=1)
    return [0, *(int(count) for count in seen)]


def _copies(bits: Bits) -> Sequence[int]:
    """How often the most repeated name stands in the first k rows, for k = 0 to all."""
    times = bits.matrix().cumsum(axis=0).max(axis=1, initial=0)
    return [0, *(int(count) for count in times)]
