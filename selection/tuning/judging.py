"""Decide between two settings with few judgements (Carterette, Allan and Sitaraman 2006).

Only what one of them sends and the other does not can make a difference. Each such passage weighs
what it says that the other setting does not say at all; judged as needed, it counts for its side.
While the unjudged ones could still turn the sign, the heaviest of them is asked for next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from selection.cover import covered
from selection.model import Pool
from selection.tuning.walk import Order

Side = Literal["first", "second"]
Judgements = Mapping[tuple[int, int], bool]
"""(question, 0-based passage) -> whether it holds something that the answer needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A passage that one setting sends and the other does not.

    question: place in the pools. index: 0-based. side: who sends it. influence: its weight in the
    difference: the statements that only it brings and the other setting has nowhere, over all
    statements of the question's pool, so that every question weighs the same. statements: these.
    """

    question: int
    index: int
    side: Side
    influence: float
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """known: the difference so far, first minus second, summed over the judged units.

    best, worst: what it becomes if every open judgement goes for the first or for the second.
    decided: no open judgement can change the sign any more. open: unjudged, heaviest first.
    judged: how many units are judged.
    """

    known: float
    best: float
    worst: float
    open: tuple[Unit, ...]
    judged: int

    @property
    def decided(self) -> bool:
        return self.worst > 0 or self.best < 0 or not self.open

    @property
    def winner(self) -> Side | None:
        """Who is ahead once it is decided; None while it is not, and where they are equal."""
        if not self.decided:
            return None
        if self.worst > 0:
            return "first"
        return "second" if self.best < 0 else None


def units(
    pools: Sequence[Pool], first: Sequence[Order], second: Sequence[Order]
) -> tuple[Unit, ...]:
    """What needs judging, the heaviest first, then by question and rank.

    Where claims are not known every passage weighs the same. A passage whose statements the other
    setting has all of is no unit: whatever it is judged, nothing changes.
    """
    found = [
        unit
        for at, pool in enumerate(pools)
        for side, mine, theirs in (
            ("first", first[at], second[at]),
            ("second", second[at], first[at]),
        )
        for unit in _units(at, pool, "first" if side == "first" else "second", mine, theirs)
    ]
    return tuple(sorted(found, key=lambda one: (-one.influence, one.question, one.index)))


def _units(question: int, pool: Pool, side: Side, mine: Order, theirs: Order) -> list[Unit]:
    only = [index for index in mine if index not in set(theirs)]
    if not pool.claim_bits.complete:
        share = 1.0 / max(1, len(pool))
        return [
            Unit(question=question, index=index, side=side, influence=share, statements=())
            for index in only
        ]
    bits = pool.claim_bits
    total = max(1, covered(bits.masks, range(len(pool))).bit_count())
    have = covered(bits.masks, theirs)
    found = []
    for index in sorted(only):
        new = bits.masks[index] & ~have
        if not new:
            continue
        have |= new
        names = tuple(bits.names[bit] for bit in range(new.bit_length()) if new >> bit & 1)
        found.append(
            Unit(
                question=question,
                index=index,
                side=side,
                influence=new.bit_count() / total,
                statements=names,
            )
        )
    return found


def from_gold(pools: Sequence[Pool], found: Sequence[Unit]) -> dict[tuple[int, int], bool]:
    """Judgements that are known already: whether a judged passage supports any gold fact."""
    return {
        (one.question, one.index): bool(pools[one.question].support_bits.masks[one.index])
        for one in found
        if pools[one.question].gold and pools[one.question].support_bits.known[one.index]
    }


def verdict(found: Sequence[Unit], judged: Judgements) -> Verdict:
    """Where the comparison stands with what has been judged."""
    known = best = worst = 0.0
    left: list[Unit] = []
    for one in found:
        weight = one.influence if one.side == "first" else -one.influence
        needed = judged.get((one.question, one.index))
        if needed is None:
            left.append(one)
            best += max(0.0, weight)
            worst += min(0.0, weight)
        elif needed:
            known += weight
    return Verdict(
        known=known,
        best=known + best,
        worst=known + worst,
        open=tuple(left),
        judged=len(found) - len(left),
    )
