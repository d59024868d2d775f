"""Passages as blocks, as wide as their tokens: what each adds, and whether it is in."""

from __future__ import annotations

from pages.ui import text
from pages.ui.lanes import Lane, Step
from pages.ui.ledger import heading, noun
from pages.ui.reasons import sentence
from storage.views import QuestionView


def blocks_html(view: QuestionView, lane: Lane, *, caption: str, at: int | None = None) -> str:
    """HTML of one lane's blocks in the order of the ranks.

    at: decisions shown, None for all; later ones are still open. Filled: admitted with something
    new. Striped: admitted, adds nothing. Hollow: left out.
    """
    if lane.selection is None:
        return f'<p class="r13 soft">{text.plain(caption)}: {text.plain(lane.problem)}</p>'
    shown = {step.decision.rank for step in lane.steps[:at]}
    now = lane.steps[at - 1].decision.rank if at else None
    cells = "".join(
        _block(view, lane.by_rank[candidate.rank], shown=candidate.rank in shown, now=now)
        for candidate in view.candidates
    )
    return (
        f'<figure class="r13 blocks hue{lane.place}">'
        f"<figcaption><b>{text.plain(caption)}</b> {_sum(lane, at)}</figcaption>"
        f"<ol>{cells}</ol></figure>"
    )


def _sum(lane: Lane, at: int | None) -> str:
    steps = lane.steps[:at]
    admitted = [step for step in steps if step.decision.admitted]
    tokens = admitted[-1].tokens if admitted else 0
    budget = lane.selection.budget.tokens if lane.selection else None
    left = "" if budget is None or tokens is None else f", {text.left(budget - tokens)}"
    return (
        f'<span class="unit">{text.counted(len(admitted), "passage")}, '
        f"{text.whole(tokens)} tokens{left}</span>"
    )


def _block(view: QuestionView, step: Step, *, shown: bool, now: int | None) -> str:
    decision = step.decision
    kind = _kind(step) if shown else "open"
    fresh = len(step.new or ()) + 0
    title = heading(view.candidates[decision.rank - 1])
    why = sentence(decision, noun=noun(view)) if shown else "not decided yet"
    said = text.plain(f"rank {decision.rank}, {text.whole(decision.tokens)} tokens: {title}. {why}")
    width = max(1, decision.tokens or 1)
    mark = f"+{fresh}" if shown and decision.admitted and fresh else ("0" if kind == "idle" else "")
    current = " now" if decision.rank == now else ""
    return (
        f'<li class="{kind}{current}" style="flex-grow:{width}" title="{said}">'
        f'<span class="sr">{said}</span><b aria-hidden="true">{decision.rank}</b>'
        f'<i aria-hidden="true">{mark}</i></li>'
    )


def _kind(step: Step) -> str:
    if not step.decision.admitted:
        return "out"
    return "new" if step.new or step.new is None else "idle"
