"""The same experiment on many seeds: does an ordering hang on one of them?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from selection.theory.finance import PUBLISHED, Draw, world
from selection.theory.reading import NAMES, Knobs, readings


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """Mean mass on the right answer at one k. masses: selector -> one a seed, in their order."""

    k: int
    seeds: tuple[int, ...]
    masses: dict[str, tuple[float, ...]]

    def mean(self, selector: str) -> float:
        return float(np.mean(self.masses[selector]))

    def above(self, first: str, second: str) -> int:
        """In how many seeds one selector has more mass than another."""
        pairs = zip(self.masses[first], self.masses[second], strict=True)
        return sum(a > b for a, b in pairs)

    @property
    def ordered(self) -> int:
        """In how many seeds top-k < MMR < facility location and log-determinant, strictly."""
        columns = zip(*(self.masses[name] for name in NAMES), strict=True)
        return sum(top < mmr < min(rest) for top, mmr, *rest in columns)


def swept(
    seeds: Sequence[int], *, k: int = 3, knobs: Knobs = Knobs(), draw: Draw = PUBLISHED
) -> Swept:
    """Draw the world anew for every seed and read all selectors at k."""
    found: dict[str, list[float]] = {name: [] for name in NAMES}
    for seed in seeds:
        for one in readings(world(replace(draw, seed=seed)), knobs=knobs, ks=(k,)):
            found[one.selector].append(one.mass)
    masses = {name: tuple(values) for name, values in found.items()}
    return Swept(k=k, seeds=tuple(seeds), masses=masses)
