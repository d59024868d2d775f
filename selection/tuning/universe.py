"""What can go missing: for each pool, named things and which passages carry them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from selection.cover import covered
from selection.model import Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Universe:
    """names: the things. masks: one whole number a passage, bit b says that it carries names[b]."""

    names: tuple[str, ...]
    masks: tuple[int, ...]

    def covered(self, order: Sequence[int]) -> int:
        """The things that some passages carry, as bits."""
        return covered(self.masks, order)

    def carriers(self, bit: int, order: Sequence[int]) -> tuple[int, ...]:
        """The passages among some that carry one thing, 0-based, ascending."""
        return tuple(sorted(index for index in order if self.masks[index] >> bit & 1))


MakeUniverse = Callable[[Pool], Universe]


def facts(pool: Pool) -> Universe:
    """The gold facts of a pool; none where nothing is judged."""
    bits = pool.support_bits
    return Universe(names=bits.names, masks=bits.masks)
