"""Claims about information gain."""

from __future__ import annotations

from selection.theory import objectives
from selection.theory.claims import Bench, Measured, Status, claim
from selection.theory.finance import TAU
from selection.theory.subsets import shape
from selection.theory.synergy import exclusive_or
from selection.theory.witness import TRIALS, sampled


def _gain(on: Bench) -> objectives.SetFunction:
    return objectives.information_gain(on.pool.vectors, on.pool.query, on.world.prototypes, tau=TAU)


@claim(
    "Information gain is submodular.",
    status=Status.FALSE,
    right="Only where the passages are independent given the answer.",
)
def information_is_submodular(on: Bench) -> Measured:
    found, drawn = shape(_gain(on), len(on.pool.vectors)), sampled(_gain(on), len(on.pool.vectors))
    return Measured(
        figure=(
            f"witness {drawn:.2f} in {TRIALS} random pairs of sets, {found.witness:.3f} over all"
        ),
        agrees=found.witness < 0,
    )


@claim(
    "Two passages can tell together what neither tells alone.",
    status=Status.DEMONSTRATED,
)
def synergy_exists(on: Bench) -> Measured:
    del on
    found = exclusive_or()
    return Measured(
        figure=f"exclusive or: {found.first:g}, {found.second:g} and together {found.both:g} bit",
        agrees=found.both > found.first + found.second,
    )


@claim(
    "The drop in entropy that is measured here grows with every passage.",
    status=Status.FALSE,
    right="That holds for mutual information; a realised drop can be taken back.",
)
def realised_gain_is_monotone(on: Bench) -> Measured:
    found = shape(_gain(on), len(on.pool.vectors))
    return Measured(
        figure=f"smallest gain {found.least_gain:.3f} bits", agrees=found.least_gain < 0
    )
