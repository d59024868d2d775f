"""Diversity measures of the retrieval literature, over gold facts as subtopics."""

from __future__ import annotations

import numpy as np

from selection.measures.facts import supported
from selection.measures.many import Many
from selection.measures.registry import Cut, register_measure
from selection.model import FloatArray

ALPHA = 0.5


def _subtopic_recalls(many: Many) -> FloatArray:
    sizes = many.of_pools([max(1, len(pool.gold)) for pool in many.pools])
    return np.where(many.judged[many.which], many.facts.sum(axis=1) / sizes, np.nan)


@register_measure(
    "subtopic_recall",
    title="subtopic recall",
    help="Share of the gold facts covered, each counting the same (Zhai and others 2003).",
    batch=_subtopic_recalls,
    needs="gold facts held against the passages",
)
def subtopic_recall(cut: Cut) -> float | None:
    if not cut.pool.gold or not cut.pool.support_bits.known.any():
        return None
    return float(supported(cut.pool, cut.order).mean())


@register_measure(
    "alpha_ndcg",
    title="alpha-nDCG",
    help="Rewards new facts early, repeats by halves (alpha 0.5); ideal order found greedily.",
    needs="gold facts held against the passages",
)
def alpha_ndcg(cut: Cut) -> float | None:
    """Clarke and others 2008. The ideal is greedy, as in ndeval; the true one is NP-hard.

    Depth is k, or the number of passages sent; undefined where the pool supports no fact.
    """
    depth = len(cut.order) if cut.k is None else cut.k
    facts = cut.pool.support_bits.matrix()
    if not depth or not facts.any():
        return None
    return _gain(facts[cut.order]) / _ideal(facts, depth=depth)


def _gain(rows: np.ndarray) -> float:
    """Discounted gain of rows in order: a fact seen c times before counts (1 - alpha)^c."""
    seen = np.cumsum(rows, axis=0) - rows
    return float((rows * (1 - ALPHA) ** seen).sum(axis=1) @ _discount(len(rows)))


def _ideal(facts: np.ndarray, *, depth: int) -> float:
    seen = np.zeros(facts.shape[1])
    free = np.asarray(facts.any(axis=1))
    best = []
    for _ in range(min(depth, int(free.sum()))):
        gains = np.where(free, facts @ (1 - ALPHA) ** seen, -1.0)
        at = int(gains.argmax())
        best.append(float(gains[at]))
        seen += facts[at]
        free[at] = False
    return float(np.asarray(best) @ _discount(len(best)))


def _discount(length: int) -> np.ndarray:
    return 1.0 / np.log2(np.arange(2, length + 2))
