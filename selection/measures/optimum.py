"""How far a selection is from the best that the same budget could have bought, on gold."""

from __future__ import annotations

from selection.exact import best
from selection.measures.facts import claim_ceiling, claim_recall
from selection.measures.registry import Cut, register_measure


def over_budget(cut: Cut) -> bool:
    """Whether the cut holds more tokens or passages than the budget allows."""
    budget = cut.budget
    if budget.passages is not None and len(cut.order) > budget.passages:
        return True
    return cut.remaining is not None and cut.remaining < 0


@register_measure(
    "budget_ceiling",
    title="budget ceiling",
    help="Share of the gold weight in the exact best set under the budget, over judged facts.",
    costly=True,
    needs="gold facts held against the passages",
)
def budget_ceiling(cut: Cut) -> float | None:
    """None without gold, without token counts under a token budget, or at the time limit."""
    if claim_ceiling(cut) is None or (cut.budget.tokens is not None and cut.pool.tokens is None):
        return None
    solution = best(cut.pool, cut.budget, "gold")
    return solution.value / sum(cut.pool.gold.values()) if solution.proven else None


@register_measure(
    "budget_loss",
    title="budget loss",
    help="Fact ceiling minus budget ceiling: retrieved, and no set under the budget holds it.",
    better="lower",
    costly=True,
    needs="gold facts held against the passages",
)
def budget_loss(cut: Cut) -> float | None:
    ceiling, reachable = claim_ceiling(cut), budget_ceiling(cut)
    if ceiling is None or reachable is None or over_budget(cut):
        return None
    return ceiling - reachable


@register_measure(
    "selector_loss",
    title="selector loss",
    help="Budget ceiling minus fact recall: the budget could have bought it, the selector did not.",
    better="lower",
    costly=True,
    needs="gold facts held against the passages",
)
def selector_loss(cut: Cut) -> float | None:
    reachable, recall = budget_ceiling(cut), claim_recall(cut)
    if reachable is None or recall is None or over_budget(cut):
        return None
    return reachable - recall


@register_measure(
    "optimum_ratio",
    title="share of the optimum",
    help="Gold weight supported, as a share of the exact best set under the budget.",
    unit="ratio",
    costly=True,
    needs="gold facts held against the passages",
)
def optimum_ratio(cut: Cut) -> float | None:
    reachable, recall = budget_ceiling(cut), claim_recall(cut)
    if not reachable or recall is None or over_budget(cut):
        return None
    return recall / reachable
