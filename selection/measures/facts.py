"""How much of what the question needs (gold facts) a selection supports."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from selection.measures.many import Many
from selection.measures.registry import Cut, register_measure
from selection.model import FloatArray, Pool


def gold_share(pool: Pool, rows: np.ndarray | range) -> float | None:
    """Share of gold weight supported by some rows; None without gold or without any judgement."""
    weights = np.fromiter(pool.gold.values(), dtype=np.float64, count=len(pool.gold))
    total = float(weights.sum())
    bits = pool.support_bits
    if total <= 0 or not bits.known.any():
        return None
    return float(weights @ supported(pool, rows)) / total


def supported(pool: Pool, rows: np.ndarray | range) -> np.ndarray:
    """Which gold facts some rows support, as booleans in the order of `pool.gold`."""
    return np.asarray(pool.support_bits.matrix()[np.asarray(rows, dtype=np.intp)].any(axis=0))


def judged(cut: Cut) -> tuple[int, int]:
    """How many of the selected passages have been judged against gold, and how many there are."""
    return int(cut.pool.support_bits.known[cut.order].sum()), len(cut.order)


def _shares(facts: NDArray[np.bool_], weights: FloatArray) -> FloatArray:
    """Shares of gold weight, shape of the rows of `facts`; NaN where nothing is judged."""
    totals = weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((facts * weights).sum(axis=1) / totals, dtype=np.float64)


def recalls(many: Many) -> FloatArray:
    """`claim_recall` of many selections."""
    shares = _shares(many.facts, many.weights[many.which])
    return np.where(many.judged[many.which], shares, np.nan)


def _ceilings(many: Many) -> FloatArray:
    shares = _shares(many.pool_facts, many.weights)
    return np.where(many.judged, shares, np.nan)[many.which]


def _per_thousand(many: Many) -> FloatArray:
    tokens = np.where(many.rows.tokens > 0, many.rows.tokens, np.nan)
    return np.asarray(1000.0 * recalls(many) * many.weights.sum(axis=1)[many.which] / tokens)


@register_measure(
    "claim_recall",
    title="fact recall",
    help="Share of the gold weight that the selection supports.",
    batch=recalls,
    needs="gold facts held against the passages",
)
def claim_recall(cut: Cut) -> float | None:
    return gold_share(cut.pool, cut.order)


@register_measure(
    "claim_ceiling",
    title="fact ceiling",
    help="Share of the gold weight that the whole pool supports: what retrieval brought.",
    batch=_ceilings,
    needs="gold facts held against the passages",
)
def claim_ceiling(cut: Cut) -> float | None:
    return gold_share(cut.pool, range(len(cut.pool)))


@register_measure(
    "selection_loss",
    title="selection loss",
    help="Fact ceiling minus fact recall: retrieved, and then not sent.",
    better="lower",
    batch=lambda many: _ceilings(many) - recalls(many),
    needs="gold facts held against the passages",
)
def selection_loss(cut: Cut) -> float | None:
    ceiling, recall = claim_ceiling(cut), claim_recall(cut)
    return None if ceiling is None or recall is None else ceiling - recall


@register_measure(
    "gold_per_1k_tokens",
    title="gold per 1,000 tokens",
    help="Gold weight supported for every thousand tokens sent.",
    unit="ratio",
    batch=_per_thousand,
    needs="gold facts held against the passages, and token counts",
)
def gold_per_1k_tokens(cut: Cut) -> float | None:
    recall = claim_recall(cut)
    if recall is None or not cut.tokens:
        return None
    return 1000.0 * recall * sum(cut.pool.gold.values()) / cut.tokens
