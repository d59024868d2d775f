"""Claims about coverage and the greedy algorithm."""

from __future__ import annotations

from selection.theory import objectives, traps
from selection.theory.claims import Bench, Measured, Status, claim
from selection.theory.instance import contest
from selection.theory.steps import FLOOR, coverage_steps
from selection.theory.subsets import shape

ROUNDING = 1e-9


@claim("Facility-location coverage is monotone and submodular.", status=Status.THEOREM)
def coverage_is_submodular(on: Bench) -> Measured:
    found = shape(objectives.coverage(on.pool.pool), len(on.pool.vectors))
    return Measured(
        figure=(
            f"all {found.subsets:,} sets of the pool: smallest gain {found.least_gain:.2f}, "
            f"no gain grows by more than {max(0.0, -found.witness):.2f}"
        ),
        agrees=found.least_gain >= -ROUNDING and found.witness >= -ROUNDING,
    )


@claim(
    "Coverage is monotone and submodular with negative similarities left in as well.",
    status=Status.FALSE,
    right="Similarity must be clipped at 0: both properties break otherwise.",
)
def coverage_with_signs(on: Bench) -> Measured:
    found = shape(objectives.coverage(on.pool.pool, signed=True), len(on.pool.vectors))
    return Measured(
        figure=f"smallest gain {found.least_gain:.3f}, a gain grows by {-found.witness:.3f}",
        agrees=found.least_gain < 0 and found.witness < 0,
    )


@claim(
    "With at most k passages, greedy has at least 1 - 1/e of the best, if the objective is "
    "monotone submodular.",
    status=Status.THEOREM,
)
def greedy_has_a_floor(on: Bench) -> Measured:
    two = contest(2)
    here = [s.value / s.best for s in coverage_steps(on.pool.pool, most=6) if s.best]
    return Measured(
        figure=(
            f"constructed: {two.greedy} of {two.best} claims, floor {two.floor:.3f}; "
            f"on the pool {min(here):.4f} of the best at worst"
        ),
        agrees=two.greedy >= two.floor and min(here) >= FLOOR,
    )


@claim(
    "Greedy has a floor under a token budget as well.",
    status=Status.FALSE,
    right="Neither gains alone nor gains per token alone have a floor; the better of both has.",
)
def greedy_under_tokens(on: Bench) -> Measured:
    del on
    gain, dense = traps.by_gain(), traps.by_gain_per_token()
    return Measured(
        figure=(
            f"constructed: gains alone {gain.got} of {gain.best} claims, gains per token alone "
            f"{dense.got} of {dense.best}"
        ),
        agrees=gain.got < FLOOR * gain.best and dense.got < FLOOR * dense.best,
    )
