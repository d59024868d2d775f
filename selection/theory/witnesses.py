"""The set functions of the theory, each looked at on one pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from selection.model import Pool
from selection.theory import objectives
from selection.theory.finance import TAU, FinancePool, World
from selection.theory.objectives import SetFunction
from selection.theory.subsets import MOST, Shape, shape
from selection.theory.witness import sampled

ON_POOLS: Mapping[str, Callable[[Pool], SetFunction]] = {
    "facility location": objectives.coverage,
    "log-determinant, shifted": objectives.shifted_log_det,
    "fixed objective near MMR": objectives.fixed_mmr,
    "facility location, signed similarity": lambda pool: objectives.coverage(pool, signed=True),
}
INFORMATION = "information gain of the read-out"
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """One set function on one pool. drawn: the witness of 400 random pairs of sets.

    looked_at: how many passages, from the first rank; all subsets of those were looked at.
    """

    name: str
    drawn: float
    shape: Shape
    looked_at: int

    @property
    def submodular(self) -> bool:
        return self.shape.witness >= -ROUNDING

    @property
    def monotone(self) -> bool:
        return self.shape.least_gain >= -ROUNDING


def witnesses(
    pool: Pool, *, world: World | None = None, made: FinancePool | None = None
) -> tuple[Witness, ...]:
    """Every set function on the first passages of a pool.

    Information gain needs answers to choose from, so it is there for pools of the world alone;
    its passages are in item order.

    :raises ValueError: where a passage lacks a score or a similarity.
    """
    size = min(len(pool), MOST)
    functions = {name: make(pool) for name, make in ON_POOLS.items()}
    if world is not None and made is not None:
        functions[INFORMATION] = objectives.information_gain(
            made.vectors, made.query, world.prototypes, tau=TAU
        )
    return tuple(
        Witness(
            name=name,
            drawn=sampled(function, size),
            shape=shape(function, size),
            looked_at=size,
        )
        for name, function in functions.items()
    )
