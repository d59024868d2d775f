"""A made-up world of companies in sectors, and sixteen pools of nine passages about them.

Five near-copies fit a whole sector and are closest to the query; one passage points at the company
that is asked about; three come from other sectors. Everything is drawn from a seed, one stream of
random numbers for each group, so that every pool can be made alone and is always the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from selection.model import FloatArray, Passage, Pool
from selection.theory.sphere import unit, vmf

SEED = 7
DIMENSION = 32
SECTORS = 4
COMPANIES = 4
"""Companies in a sector; the first one is the answer to every question about it."""
THEMES = 4
"""Questions for each sector."""
QUERY_MIX = 0.12
"""How much of the query points at the company; the rest points at its sector."""
TAU = 0.15
"""Temperature with which the read-out in `selection.answer_model` is meant to be used."""
GENERICS = 5
DISAMBIGUATOR = 5
"""Item that names the company; 0 to 4 are generic, 6 to 8 come from the other sectors."""


@dataclass(frozen=True, slots=True)
class Concentration:
    """kappa of each draw: 0 is uniform on the sphere, large is close to the mean direction."""

    company: float = 60.0
    generic: float = 220.0
    disambiguator: float = 120.0
    distractor: float = 45.0
    query: float = 140.0


KAPPA = Concentration()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What a world is drawn from. seed: 0 or more.

    generics_on_answer: the near-copies are drawn around the right company, not around its sector,
    so that what repeats is what is true.
    """

    seed: int = SEED
    kappa: Concentration = KAPPA
    generics_on_answer: bool = False


PUBLISHED = Draw()
"""The world whose figures are published."""


@dataclass(frozen=True, kw_only=True)
class FinancePool:
    """One pool. vectors: shape (9, 32), in item order; query: shape (32,).

    answer: row of the world's prototypes that is right.
    """

    number: int
    vectors: FloatArray
    query: FloatArray
    answer: int

    @cached_property
    def relevance(self) -> FloatArray:
        """Inner product of each item with the query, shape (9,)."""
        return np.asarray(self.vectors @ self.query)

    @cached_property
    def pool(self) -> Pool:
        """The same for selectors; rank = item + 1, so that ties go to the lowest item."""
        return Pool(
            [
                Passage(id=f"item-{item}", score=float(self.relevance[item]), embedding=row)
                for item, row in enumerate(self.vectors)
            ],
            query_embedding=self.query,
            id=f"finance-{self.number:02d}",
        )


@dataclass(frozen=True, kw_only=True)
class World:
    """prototypes: unit vector of each company, sector by sector, shape (16, 32)."""

    draw: Draw
    prototypes: FloatArray
    pools: tuple[FinancePool, ...]


def kind(item: int) -> str:
    """What an item of a pool is: generic, disambiguator or distractor."""
    if item == DISAMBIGUATOR:
        return "disambiguator"
    return "generic" if item < GENERICS else "distractor"


@lru_cache(maxsize=64)
def world(draw: Draw = PUBLISHED) -> World:
    """The companies and the sixteen pools of one draw."""
    means = _sectors(draw)
    prototypes = _prototypes(draw, means)
    pools = tuple(_pool(draw, number, means, prototypes) for number in range(SECTORS * THEMES))
    return World(draw=draw, prototypes=prototypes, pools=pools)


def _sectors(draw: Draw) -> FloatArray:
    """Mean direction of each sector, shape (4, 32)."""
    return unit(np.random.default_rng(draw.seed).standard_normal((SECTORS, DIMENSION)))


def _prototypes(draw: Draw, means: FloatArray) -> FloatArray:
    return np.concatenate(
        [
            unit(vmf(COMPANIES, mean, draw.kappa.company, seed=draw.seed + 11 * s + 1))
            for s, mean in enumerate(means)
        ]
    )


def _pool(draw: Draw, number: int, means: FloatArray, prototypes: FloatArray) -> FinancePool:
    kappa = draw.kappa
    own = number // THEMES
    company = prototypes[own * COMPANIES]
    seed = draw.seed + 1000 * number + 7
    others = [s for s in range(SECTORS) if s != own]
    around = company if draw.generics_on_answer else means[own]
    items = np.concatenate(
        [
            vmf(GENERICS, around, kappa.generic, seed=seed + 1),
            vmf(1, company, kappa.disambiguator, seed=seed + 2),
            *(
                vmf(1, means[other], kappa.distractor, seed=seed + 100 + i)
                for i, other in enumerate(others)
            ),
        ]
    )
    aim = unit((1.0 - QUERY_MIX) * means[own] + QUERY_MIX * company)
    query = vmf(1, aim, kappa.query, seed=seed + 5)[0]
    return FinancePool(number=number, vectors=items, query=query, answer=own * COMPANIES)
