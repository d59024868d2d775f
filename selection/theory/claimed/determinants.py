"""Claims about determinants and the geometry behind them."""

from __future__ import annotations

import numpy as np

from selection.model import Budget
from selection.registry import make_selector
from selection.theory import objectives
from selection.theory.claims import Bench, Measured, Status, claim
from selection.theory.subsets import shape
from selection.theory.volume import volume

ROUNDING = 1e-9
TRIPLE = (0, 5, 6)
"""A generic passage, the one that names the company, and one from another sector."""


@claim("log det(I + L) is monotone and submodular.", status=Status.THEOREM)
def shifted_determinant_is_submodular(on: Bench) -> Measured:
    found = shape(objectives.shifted_log_det(on.pool.pool), len(on.pool.vectors))
    return Measured(
        figure=(
            f"all {found.subsets:,} sets of the pool: smallest gain {found.least_gain:.3f}, "
            f"no gain grows by more than {max(0.0, -found.witness):.2f}"
        ),
        agrees=found.least_gain >= -ROUNDING and found.witness >= -ROUNDING,
    )


@claim("A determinant is quality times squared volume.", status=Status.THEOREM)
def determinant_is_quality_times_volume(on: Bench) -> Measured:
    one = volume(on.pool.pool, TRIPLE)
    return Measured(
        figure=f"{one.determinant:.4f} = {one.quality:.4f} × {one.volume:.4f}",
        agrees=bool(np.isclose(one.determinant, one.quality * one.volume)),
    )


@claim(
    "The set of k passages with the largest determinant is NP-hard to find.",
    status=Status.CITED,
    right="So greedy is used; its promise is about log det(I + L), not about the determinant.",
)
def exact_map_is_hard(on: Bench) -> Measured:
    raw, shifted = make_selector("dpp_map"), make_selector("log_det")
    same = sum(
        set(raw.select(one.pool, Budget(passages=3)).ranks)
        == set(shifted.select(one.pool, Budget(passages=3)).ranks)
        for one in on.world.pools
    )
    return Measured(
        figure=f"greedy on either picks the same three in {same} of {len(on.world.pools)} pools",
        agrees=same < len(on.world.pools),
    )
