"""The ledger of claims: what is said about selection, how far it is true, and the figure for it.

A claim is a function that measures; one more is one more function in `selection.theory.claimed`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property

import numpy as np

from selection.model import Pool
from selection.theory.finance import FinancePool, World, world
from selection.theory.reading import Reading, readings


class Status(StrEnum):
    """How far a claim is true."""

    THEOREM = "theorem"
    CITED = "cited"
    DEMONSTRATED = "demonstrated"
    FALSE = "false"


@dataclass(frozen=True, kw_only=True)
class Bench:
    """What claims are measured on. twenty: the worked example of twenty passages, if there is one.

    number: the pool of the world that stands for all of them.
    """

    world: World
    number: int
    twenty: Pool | None = None

    @property
    def pool(self) -> FinancePool:
        return self.world.pools[self.number]

    @cached_property
    def at_three(self) -> dict[str, Reading]:
        """Every contestant with three passages, over all pools."""
        return {one.selector: one for one in readings(self.world, ks=(3,))}


def bench(*, twenty: Pool | None = None) -> Bench:
    """The published world and its median pool."""
    made = world()
    return Bench(world=made, number=median_pool(made), twenty=twenty)


def median_pool(made: World) -> int:
    """The pool whose lead of log-determinant over top-k, at three passages, is the median one."""
    three = {one.selector: one.masses for one in readings(made, ks=(3,))}
    lead = three["determinant"] - three["top_k"]
    return int(np.argmin(np.abs(lead - np.median(lead))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was found. figure: in words with its numbers. agrees: whether it fits the status."""

    figure: str
    agrees: bool


Measure = Callable[[Bench], Measured]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim. says: as it is told. right: what is right where it is false or loose."""

    name: str
    says: str
    status: Status
    right: str
    measure: Measure
    needs_twenty: bool


_claims: dict[str, Claim] = {}


def claim(
    says: str, *, status: Status, right: str = "", needs_twenty: bool = False
) -> Callable[[Measure], Measure]:
    """Register a function that measures a claim; its name becomes the claim's."""

    def add(measure: Measure) -> Measure:
        name = measure.__name__
        if name in _claims and _claims[name].measure.__module__ != measure.__module__:
            raise ValueError(f"There is a claim {name!r} already.")
        _claims[name] = Claim(
            name=name,
            says=says,
            status=status,
            right=right,
            measure=measure,
            needs_twenty=needs_twenty,
        )
        return measure

    return add


@cache
def _discover() -> None:
    package = importlib.import_module("selection.theory.claimed")
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)


def all_claims() -> tuple[Claim, ...]:
    """Every claim, theorems first, each status in the order of its files."""
    _discover()
    order = list(Status)
    return tuple(sorted(_claims.values(), key=lambda one: order.index(one.status)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the ledger."""

    claim: Claim
    measured: Measured


def ledger(on: Bench) -> tuple[Entry, ...]:
    """Measure every claim now; those about the twenty passages only where these are there."""
    return tuple(
        Entry(claim=one, measured=one.measure(on))
        for one in all_claims()
        if on.twenty is not None or not one.needs_twenty
    )
