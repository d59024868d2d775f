"""Whether the passages that are known to hold the answer were sent."""

from __future__ import annotations

from selection.measures.registry import Cut, register_measure


def _admitted(cut: Cut) -> int:
    return sum(cut.pool.ids[index] in cut.pool.answer_bearing for index in cut.order)


@register_measure(
    "evidence_recall",
    title="evidence recall",
    help="Share of the answer-bearing passages that are sent; never retrieved counts as missed.",
)
def evidence_recall(cut: Cut) -> float | None:
    total = len(cut.pool.answer_bearing)
    return _admitted(cut) / total if total else None


@register_measure(
    "answer_bearing_any",
    title="any evidence",
    help="1 if at least one answer-bearing passage is sent, else 0.",
)
def answer_bearing_any(cut: Cut) -> float | None:
    return float(_admitted(cut) > 0) if cut.pool.answer_bearing else None
