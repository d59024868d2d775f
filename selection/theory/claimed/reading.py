"""Claims about the answer: what the read-out makes of each selection. No language model is run."""

from __future__ import annotations

from dataclasses import replace

from selection.theory.claims import Bench, Measured, Status, claim
from selection.theory.finance import KAPPA, Draw
from selection.theory.reading import NAMES, readings
from selection.theory.seeds import Swept, swept

SEEDS = range(40)
FEW = range(20)
ALIKE = 0.03
"""Mass on the answer within which selectors count as alike."""


@claim(
    "At three passages: top-k below MMR below coverage and determinant.",
    status=Status.DEMONSTRATED,
    right="On a synthetic read-out that punishes every further passage, not on a language model.",
)
def diversity_beats_relevance(on: Bench) -> Measured:
    three, many = on.at_three, swept(SEEDS)
    return Measured(
        figure=(
            ", ".join(f"{NAMES[name]} {one.mass:.4f}" for name, one in three.items())
            + f"; in this order in {many.ordered} of {len(many.seeds)} seeds"
        ),
        agrees=many.ordered > len(many.seeds) / 2,
    )


@claim(
    "The determinant is better than coverage.",
    status=Status.FALSE,
    right="It is for the one published seed; over many seeds it is behind more often.",
)
def determinant_beats_coverage(on: Bench) -> Measured:
    lead = on.at_three["determinant"].mass - on.at_three["facility"].mass
    many = swept(SEEDS)
    ahead = many.above("determinant", "facility")
    return Measured(
        figure=f"{lead:+.4f} here; ahead in {ahead} of {len(many.seeds)} seeds",
        agrees=ahead < len(many.seeds) / 2,
    )


@claim(
    "The answer's entropy rises with diversity.",
    status=Status.FALSE,
    right="At three passages it falls for coverage and determinant and rises for MMR alone.",
)
def entropy_rises(on: Bench) -> Measured:
    three = on.at_three
    said = ", ".join(f"{NAMES[name]} {one.entropy:.3f}" for name, one in three.items())
    base = three["top_k"].entropy
    falls = three["facility"].entropy < base and three["determinant"].entropy < base
    return Measured(figure=f"{said} bits", agrees=falls)


@claim(
    "Every rule that seeks diversity beats top-k.",
    status=Status.FALSE,
    right="Where the near-copies support the right answer, top-k wins.",
)
def diversity_always_wins(on: Bench) -> Measured:
    del on
    near = Draw(kappa=replace(KAPPA, generic=120.0), generics_on_answer=True)
    found = swept(FEW, draw=near)
    return Measured(figure=_means(found), agrees=_best(found) == "top_k")


@claim(
    "Without redundancy the gap vanishes.",
    status=Status.DEMONSTRATED,
)
def gap_vanishes(on: Bench) -> Measured:
    del on
    found = swept(FEW, draw=Draw(kappa=replace(KAPPA, generic=45.0)))
    means = [found.mean(name) for name in NAMES]
    return Measured(figure=_means(found), agrees=max(means) - min(means) < ALIKE)


def _means(found: Swept) -> str:
    said = ", ".join(f"{NAMES[name]} {found.mean(name):.3f}" for name in NAMES)
    return f"{said} (mean of {len(found.seeds)} seeds)"


def _best(found: Swept) -> str:
    return max(NAMES, key=found.mean)


@claim(
    "More passages help.",
    status=Status.FALSE,
    right="In this read-out each further passage takes weight from the one that decides.",
)
def more_helps(on: Bench) -> Measured:
    curve = [one for one in readings(on.world) if one.selector == "facility"]
    peak = max(curve, key=lambda one: one.mass)
    last = curve[-1]
    return Measured(
        figure=f"coverage: {peak.mass:.3f} at {peak.k} passages, {last.mass:.3f} at {last.k}",
        agrees=peak.k < last.k,
    )
