"""What the pools of a collection are like, where no gold says which selector is best on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from selection.model import Budget, Pool
from selection.text.statements import statement_key

NEAR = 0.9
"""Cosine from which two passages count as near repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Means over pools; None where unknown.

    candidates: passages in a pool. exact_repeats: share of passages whose text an earlier one has
    already. near_repeats: share with a cosine of 0.9 or more to an earlier one, exact ones too.
    repeated_claims: 1 - distinct / all claims. spread: standard deviation of the scores over their
    range, 0 where all are equal. in_budget: share of the pool's tokens that the budget holds, at
    most 1.
    """

    questions: int
    candidates: float
    exact_repeats: float | None
    near_repeats: float | None
    repeated_claims: float | None
    spread: float | None
    in_budget: float | None


def profile(pools: Sequence[Pool], budget: Budget) -> Profile:
    """The profile of a collection under a budget; pools without passages are left out."""
    held = [pool for pool in pools if len(pool)]
    return Profile(
        questions=len(held),
        candidates=float(np.mean([len(pool) for pool in held])) if held else 0.0,
        exact_repeats=_mean([_exact(pool) for pool in held]),
        near_repeats=_mean([_near(pool) for pool in held]),
        repeated_claims=_mean([_claims(pool) for pool in held]),
        spread=_mean([_spread(pool) for pool in held]),
        in_budget=_mean([_held(pool, budget) for pool in held]),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None and math.isfinite(value)]
    return float(np.mean(known)) if known else None


def _exact(pool: Pool) -> float | None:
    if not all(pool.texts):
        return None
    return 1 - len({statement_key(text) for text in pool.texts}) / len(pool)


def _near(pool: Pool) -> float | None:
    if not pool.has_similarity:
        return None
    earlier = np.tril(pool.similarity, -1)
    return float((earlier.max(axis=1) >= NEAR).mean())


def _claims(pool: Pool) -> float | None:
    bits = pool.claim_bits
    said = sum(mask.bit_count() for mask in bits.masks)
    if not bits.complete or not said:
        return None
    together = 0
    for mask in bits.masks:
        together |= mask
    return 1 - together.bit_count() / said


def _spread(pool: Pool) -> float | None:
    if pool.scores is None:
        return None
    reach = float(np.ptp(pool.scores))
    return float(pool.scores.std() / reach) if reach else 0.0


def _held(pool: Pool, budget: Budget) -> float | None:
    if pool.tokens is None or budget.tokens is None or not pool.tokens.sum():
        return None
    return min(1.0, budget.tokens / float(pool.tokens.sum()))
