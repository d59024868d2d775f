"""Claims about MMR."""

from __future__ import annotations

from selection.theory import objectives
from selection.theory.claims import Bench, Measured, Status, claim
from selection.theory.cycle import contradicts, cycle
from selection.theory.subsets import shape

ROUNDING = 1e-9


@claim(
    "MMR has the guarantee 1 - 1/e.",
    status=Status.FALSE,
    right="It is greedy on no set function at all: its choices can run in a circle.",
)
def mmr_has_a_guarantee(on: Bench) -> Measured:
    del on
    found = cycle()
    steps = ", ".join(f"{one.chosen} takes {one.taken} not {one.left}" for one in found)
    return Measured(figure=f"constructed: {steps}", agrees=contradicts(found))


@claim(
    "The fixed objective closest to MMR is submodular but not monotone.",
    status=Status.THEOREM,
)
def fixed_mmr_is_not_monotone(on: Bench) -> Measured:
    found = shape(objectives.fixed_mmr(on.pool.pool), len(on.pool.vectors))
    return Measured(
        figure=(
            f"no gain grows by more than {max(0.0, -found.witness):.2f}; "
            f"smallest gain {found.least_gain:.3f}"
        ),
        agrees=found.witness >= -ROUNDING and found.least_gain < 0,
    )
