"""Without gold: statements that stand in one passage only, which nothing else could replace."""

from __future__ import annotations

from selection.model import Pool
from selection.text.statements import Carried, carries
from selection.tuning.universe import Universe

WEIGHTY: tuple[Carried, ...] = ("number", "unit", "negation", "condition")


def lone_statements(pool: Pool) -> Universe:
    """Claims or statements that one passage of the pool carries and no other does.

    Losing one is a risk, not a loss: nobody has said that the question needs it. Passages whose
    claims are not known carry none.
    """
    masks = pool.claim_bits.masks
    once = twice = 0
    for mask in masks:
        twice |= once & mask
        once |= mask
    lone = once & ~twice
    bits = [bit for bit in range(lone.bit_length()) if lone >> bit & 1]
    place = {bit: at for at, bit in enumerate(bits)}
    packed = []
    for mask in masks:
        held, found = mask & lone, 0
        while held:
            low = held & -held
            found |= 1 << place[low.bit_length() - 1]
            held ^= low
        packed.append(found)
    return Universe(names=tuple(pool.claim_bits.names[bit] for bit in bits), masks=tuple(packed))


def weight(statement: str) -> tuple[Carried, ...]:
    """What makes a statement one that a repeat elsewhere could not replace, in a fixed order."""
    found = carries(statement)
    return tuple(kind for kind in WEIGHTY if kind in found)
