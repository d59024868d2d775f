"""How much of what is sent says the same again."""

from __future__ import annotations

import numpy as np

from selection.claims import count
from selection.measures.many import Many
from selection.measures.registry import Cut, register_measure
from selection.model import FloatArray


def _stated(cut: Cut) -> np.ndarray | None:
    """How many selected passages state each claim; None where unknown, or nothing is stated."""
    bits = cut.pool.claim_bits
    if not bits.known[cut.order].all():
        return None
    times = np.asarray(bits.matrix()[cut.order].sum(axis=0))
    return times if times.any() else None


def _redundancies(many: Many) -> FloatArray:
    total = many.sums(count(many.claims))
    distinct = count(many.unions(many.claims))
    said = many.claims_known & (total > 0)
    return np.asarray(1.0 - np.where(said, distinct, np.nan) / np.where(said, total, 1.0))


@register_measure(
    "redundancy",
    title="redundancy",
    help="1 - distinct / total claims of what is sent: 0 says nothing twice.",
    better="lower",
    batch=_redundancies,
    needs="claims or texts",
)
def redundancy(cut: Cut) -> float | None:
    times = _stated(cut)
    return None if times is None else 1.0 - float((times > 0).sum()) / float(times.sum())


@register_measure(
    "max_repetition",
    title="most repeated claim",
    help="How many of the sent passages state the claim that is stated most often.",
    unit="count",
    better="lower",
    needs="claims or texts",
)
def max_repetition(cut: Cut) -> float | None:
    times = _stated(cut)
    return None if times is None else float(times.max())
