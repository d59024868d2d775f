"""What each selector puts on the right answer, read through the synthetic answer model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from selection.answer_model import probabilities
from selection.model import Budget, FloatArray
from selection.registry import Selector, make_selector
from selection.theory.finance import DISAMBIGUATOR, TAU, FinancePool, World
from selection.theory.objectives import entropy


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """The free choices of the experiment.

    tau: temperature of the read-out, above 0. lambda_: of MMR, 0 to 1. quality: scale of the
    determinant's quality exp(quality * rel), 0 or more.
    """

    tau: float = TAU
    lambda_: float = 0.5
    quality: float = 0.5


NAMES: Mapping[str, str] = {
    "top_k": "top-k",
    "mmr": "MMR",
    "facility": "facility location",
    "determinant": "log-determinant",
}
"""The four contestants and how a person reads them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One selector with k passages, over the pools of a world.

    mass: mean probability of the right answer. entropy: mean, in bits. reached: in how many pools
    the disambiguator is among the k. masses: shape (pools,), pool by pool.
    """

    selector: str
    k: int
    mass: float
    entropy: float
    reached: int
    masses: FloatArray


def contestants(knobs: Knobs) -> dict[str, Selector]:
    """The four selectors that are compared, by name. MMR counts negative similarity as 0."""
    return {
        # Ordered by score, whatever stands first in the pool: lambda 1 is top-k by score.
        "top_k": make_selector("mmr", lambda_=1.0),
        "mmr": make_selector("mmr", lambda_=knobs.lambda_, clip=True),
        "facility": make_selector("facility_location"),
        "determinant": make_selector("log_det", quality=knobs.quality),
    }


def readings(
    world: World, *, knobs: Knobs = Knobs(), ks: Sequence[int] = range(1, 10)
) -> tuple[Reading, ...]:
    """Every selector at every k, selectors first. ks: 1 or more, in ascending order.

    Greedy answers are nested: one run at the largest k answers the smaller ones.
    """
    found: list[Reading] = []
    for name, selector in contestants(knobs).items():
        orders = [whole_order(selector, pool, max(ks)) for pool in world.pools]
        found += [_reading(name, world, orders, k, knobs) for k in ks]
    return tuple(found)


def whole_order(selector: Selector, pool: FinancePool, most: int) -> tuple[int, ...]:
    """Items in order of admission; where a selector stops early, the rest in the pool's order.

    A k that asks for more than helps is filled up: each k then stands for k passages.
    """
    order = selector.select(pool.pool, Budget(passages=most)).picks.order
    return (*order, *(item for item in range(len(pool.vectors)) if item not in set(order)))[:most]


def _reading(
    name: str, world: World, orders: Sequence[tuple[int, ...]], k: int, knobs: Knobs
) -> Reading:
    shares = [
        probabilities(
            query=pool.query,
            passages=pool.vectors[list(order[:k])],
            prototypes=world.prototypes,
            tau=knobs.tau,
        )
        for pool, order in zip(world.pools, orders, strict=True)
    ]
    masses = np.array([share[pool.answer] for share, pool in zip(shares, world.pools, strict=True)])
    return Reading(
        selector=name,
        k=k,
        mass=float(masses.mean()),
        entropy=float(np.mean([entropy(share) for share in shares])),
        reached=sum(DISAMBIGUATOR in order[:k] for order in orders),
        masses=masses,
    )
