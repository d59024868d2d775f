"""Statements of one pool that are equal but for a number or a unit."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from selection.model import Pool
from selection.text.statements import skeleton


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberConflict:
    """Statements that differ only in a quantity, and the ranks (1-based) of each."""

    statements: tuple[str, ...]
    ranks: tuple[tuple[int, ...], ...]


def number_conflicts(pool: Pool) -> tuple[NumberConflict, ...]:
    """All of a pool, by the first rank at which one of them stands."""
    bits = pool.claim_bits
    groups: dict[str, list[int]] = defaultdict(list)
    for bit, name in enumerate(bits.names):
        shape = skeleton(name)
        if shape and shape != name:
            groups[shape].append(bit)
    found = [
        NumberConflict(
            statements=tuple(bits.names[bit] for bit in same),
            ranks=tuple(
                tuple(at + 1 for at, mask in enumerate(bits.masks) if mask >> bit & 1)
                for bit in same
            ),
        )
        for same in groups.values()
        if len(same) > 1
    ]
    return tuple(sorted(found, key=lambda one: min(ranks[0] for ranks in one.ranks if ranks)))
