"""The slices that share a context window, each with a size, a floor and a place in the eviction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Name = Literal["system", "tools", "history", "retrieval", "answer"]
NAMES: tuple[Name, ...] = get_args(Name)
"""In the order in which they stand in the window; the answer is written last."""
RECEIVER: Name = "history"
"""Gets what retrieval leaves over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """One slice. size: tokens that it is allotted; floor: what it keeps whatever happens.

    place: 1 gives way first; None never gives way. Equal places give way in the window's order.

    :raises ValueError: naming the slice, for a negative size, a floor above it, or a place below 1.
    """

    name: Name
    size: int
    floor: int
    place: int | None

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError(f"{self.name}: the size is {self.size:,}; 0 or more is accepted.")
        if not 0 <= self.floor <= self.size:
            raise ValueError(
                f"{self.name}: the floor is {self.floor:,}; 0 to its size of {self.size:,} is "
                "accepted."
            )
        if self.place is not None and self.place < 1:
            raise ValueError(f"{self.name}: the place is {self.place}; 1 or more, or none.")

    @property
    def spare(self) -> int:
        """Tokens that it can give."""
        return 0 if self.place is None else self.size - self.floor


@dataclass(frozen=True, slots=True)
class Window:
    """All slices of a window, in its order.

    :raises ValueError: where a slice is missing or stands twice.
    """

    slices: tuple[Slice, ...]

    def __post_init__(self) -> None:
        if tuple(one.name for one in self.slices) != NAMES:
            raise ValueError(f"A window has the slices {', '.join(NAMES)}, each once, in order.")

    @classmethod
    def of(cls, slices: Iterable[Slice]) -> Window:
        """The slices in any order."""
        return cls(tuple(sorted(slices, key=lambda one: NAMES.index(one.name))))

    @property
    def total(self) -> int:
        """Tokens of the whole window."""
        return sum(one.size for one in self.slices)

    def __getitem__(self, name: Name) -> Slice:
        return self.slices[NAMES.index(name)]

    @property
    def eviction(self) -> tuple[Slice, ...]:
        """The slices that may give way, the first to do so first."""
        places = [(one.place, one) for one in self.slices if one.place is not None]
        return tuple(one for _, one in sorted(places, key=lambda pair: pair[0]))


SHARES: Mapping[Name, tuple[float, float, int | None]] = {
    "system": (0.2, 0.2, None),
    "tools": (0.3, 0.1, 2),
    "history": (1.0, 0.15, 1),
    "retrieval": (1.0, 0.0, None),
    "answer": (0.25, 0.1, 3),
}
"""Where nothing is set: size and floor as shares of the retrieval slice, and the place."""


def default_window(retrieval: int) -> Window:
    """A window around a retrieval slice of so many tokens, to two digits."""
    return Window(
        tuple(
            Slice(
                name=name,
                size=retrieval if name == "retrieval" else _round(size * retrieval),
                floor=_round(floor * retrieval),
                place=place,
            )
            for name, (size, floor, place) in SHARES.items()
        )
    )


def _round(value: float) -> int:
    """To two digits."""
    step = 10 ** max(0, len(str(int(value))) - 2)
    return int(round(value / step) * step)
