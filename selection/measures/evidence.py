"""Whether the passages that are known to hold the answer were sent."""

from __future__ import annotations

import numpy as np

from selection.measures.many import Many
from selection.measures.registry import Cut, register_measure
from selection.model import FloatArray


def _admitted(cut: Cut) -> int:
    return sum(cut.pool.ids[index] in cut.pool.answer_bearing for index in cut.order)


def _of_known(many: Many, found: FloatArray) -> FloatArray:
    """NaN for pools without answer-bearing passages."""
    known = np.array([bool(pool.answer_bearing) for pool in many.pools])
    return np.where(known[many.which], found, np.nan)


def _recalls(many: Many) -> FloatArray:
    totals = [max(1, len(pool.answer_bearing)) for pool in many.pools]
    return _of_known(many, many.bearing / many.of_pools(totals))


@register_measure(
    "evidence_recall",
    title="evidence recall",
    help="Share of the answer-bearing passages that are sent; never retrieved counts as missed.",
    batch=_recalls,
    needs="answer-bearing passages",
)
def evidence_recall(cut: Cut) -> float | None:
    total = len(cut.pool.answer_bearing)
    return _admitted(cut) / total if total else None


@register_measure(
    "answer_bearing_any",
    title="any evidence",
    help="1 if at least one answer-bearing passage is sent, else 0.",
    batch=lambda many: _of_known(many, (many.bearing > 0).astype(np.float64)),
    needs="answer-bearing passages",
)
def answer_bearing_any(cut: Cut) -> float | None:
    return float(_admitted(cut) > 0) if cut.pool.answer_bearing else None
