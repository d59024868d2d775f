"""The step-through: one selector, decision by decision, with what is covered at that moment."""

from __future__ import annotations

from collections.abc import Mapping

from pages.ui import text
from pages.ui.lanes import Lane, Step
from pages.ui.ledger import heading, mark, noun
from pages.ui.matrix import Line, lines
from pages.ui.reasons import sentence
from storage.views import QuestionView

MOST_LINES = 80


def moment_html(view: QuestionView, lane: Lane, *, at: int) -> str:
    """HTML of the moment after decision `at` (0: before the first) of a lane that runs."""
    done = lane.steps[:at]
    now = done[-1] if done else None
    return (
        f'<section class="r13 moment hue{lane.place}" aria-live="polite">'
        f"{_decision(view, lane, now)}{_balance(lane, now)}{_covered(view, done)}</section>"
    )


def _decision(view: QuestionView, lane: Lane, step: Step | None) -> str:
    if step is None:
        return (
            '<p class="decision">Nothing is decided yet. '
            f"{text.plain(lane.label)} decides on {text.counted(len(lane.steps), 'passage')}.</p>"
        )
    candidate = view.candidates[step.decision.rank - 1]
    why = text.plain(sentence(step.decision, noun=noun(view)))
    return (
        f'<p class="decision">{mark(step, numbered=False)} <b>rank {step.decision.rank}</b>, '
        f"{text.whole(step.decision.tokens)} tokens: {text.plain(heading(candidate))}<br>{why}</p>"
    )


def _balance(lane: Lane, step: Step | None) -> str:
    """What is spent of the budget, as a bar and in words."""
    selection = lane.selection
    budget = None if selection is None else selection.budget.tokens
    spent = 0 if step is None else step.tokens
    sent = 0 if step is None else sum(s.decision.admitted for s in lane.steps[: step.number])
    words = f"{text.counted(sent, 'passage')} sent, {text.whole(spent)} tokens spent"
    if budget is None or spent is None:
        return f'<p class="balance">{words}</p>'
    words += f", {text.left(budget - spent)} of {budget:,}"
    share = min(1.0, spent / budget) if budget else 1.0
    over = " over" if spent > budget else ""
    return (
        f'<div class="bar{over}" role="img" aria-label="{words}">'
        f'<span style="width:{share:.2%}"></span></div><p class="balance">{words}</p>'
    )


def _covered(view: QuestionView, done: tuple[Step, ...]) -> str:
    """Every fact and claim: new at this moment, covered since which rank, or not yet."""
    since: dict[str, int] = {}
    for step in done:
        if step.decision.admitted:
            for name in (*(step.new or ()), *(step.new_facts or ())):
                since.setdefault(name, step.decision.rank)
    at = done[-1].decision.rank if done and done[-1].decision.admitted else None
    shown = lines(view)
    items = "".join(_item(line, since.get(line.name), at) for line in shown[:MOST_LINES])
    more = len(shown) - MOST_LINES
    rest = f'<p class="soft">and {more:,} more</p>' if more > 0 else ""
    return (
        f'<p class="balance">{_counts(view, shown, since)} covered</p>'
        f'<ul class="checklist">{items}</ul>{rest}'
    )


def _counts(view: QuestionView, shown: tuple[Line, ...], since: Mapping[str, int]) -> str:
    """How many facts and other claims are covered: 2 of 2 facts and 26 of 68 statements."""
    said = []
    for fact, kind in ((True, "facts"), (False, f"{noun(view)}s")):
        some = [line for line in shown if line.fact == fact]
        if some:
            said.append(text.out_of(sum(line.name in since for line in some), len(some), kind))
    return text.listed(said) or text.NA


def _item(line: Line, since: int | None, now: int | None) -> str:
    fresh = since is not None and since == now
    kind = f"{' new' if since else ''}{' fact' if line.fact else ''}"
    word = "not covered yet" if since is None else f"rank {since}"
    state = "fresh" if fresh else "held" if since else "open"
    return (
        f'<li class="{state}"><i class="dot{kind}"></i> {text.plain(line.wording)} '
        f'<span class="soft">{"new, " if fresh else ""}{word}</span></li>'
    )
