"""One moment of a story: what each selector does with this rank, and what is held by now."""

from __future__ import annotations

from collections.abc import Mapping

from pages.ui import left_out, text
from pages.ui.lanes import Lane, has_facts
from pages.ui.ledger import heading, mark, noun, swatch
from pages.ui.reasons import sentence
from pages.ui.story import Told

MOST_LINES = 8


def end_html(told: Told) -> str:
    """HTML of the end of the walk: what was left out on the left, what is held beside."""
    size = len(told.view.candidates)
    held = _facts(told, size) if has_facts(told.view.pool) else ""
    return (
        f'<section class="r13 scene" aria-live="polite"><div>{left_out.summary_html(told)}</div>'
        f"{held}</section>"
    )


def scene_html(told: Told, *, at: int) -> str:
    """HTML of the moment after rank `at` (1-based): decisions on the left, what is held beside."""
    held = _facts(told, at) if has_facts(told.view.pool) else _statements(told, at)
    return (
        f'<section class="r13 scene" aria-live="polite"><div>{_passage(told, at)}'
        f"{''.join(_verdict(told, lane, at) for lane in told.lanes)}</div>{held}</section>"
    )


def _passage(told: Told, at: int) -> str:
    candidate = told.view.candidates[at - 1]
    tokens = None if told.view.pool.tokens is None else int(told.view.pool.tokens[at - 1])
    return (
        f'<p class="passage"><b>Rank {at}</b>, {text.whole(tokens)} tokens: '
        f"{text.plain(text.shortened(heading(candidate), 90))}</p>"
    )


def _verdict(told: Told, lane: Lane, at: int) -> str:
    if lane.selection is None:
        return ""
    step = lane.by_rank[at]
    why = text.plain(sentence(step.decision, noun=noun(told.view)))
    return (
        f'<div class="verdict hue{lane.place}">{swatch(lane)} {mark(step, numbered=False)} '
        f"<span>{why}</span>{_balance(lane, at)}</div>"
    )


def _balance(lane: Lane, at: int) -> str:
    """What is spent of the budget by now, as a bar."""
    step = lane.by_rank[at]
    budget = None if lane.selection is None else lane.selection.budget.tokens
    if budget is None or step.tokens is None:
        return ""
    words = f"{step.tokens:,} tokens spent, {text.left(budget - step.tokens)}"
    share = min(1.0, step.tokens / budget) if budget else 1.0
    over = " over" if step.tokens > budget else ""
    return (
        f'<div class="bar{over}" role="img" aria-label="{words}" title="{words}">'
        f'<span style="width:{share:.2%}"></span></div>'
    )


def _facts(told: Told, at: int) -> str:
    """A line a fact: which rank has brought it to each selector by now."""
    since = {lane.place: _since(lane, at) for lane in told.lanes}
    words = {fact.id: fact.text for fact in told.view.facts}
    names = list(told.view.pool.gold)
    supports = told.view.pool.support_bits
    somewhere = supports.decode(supports.union(range(len(told.view.pool))))
    rows = "".join(
        f'<tr><th scope="row">{text.plain(text.shortened(words.get(name) or name, 100))}</th>'
        + "".join(
            _cell(since[lane.place].get(name), at, somewhere=name in somewhere)
            for lane in told.lanes
        )
        + "</tr>"
        for name in names[:MOST_LINES]
    )
    more = len(names) - MOST_LINES
    rest = f'<p class="soft">and {text.counted(more, "fact")} more</p>' if more > 0 else ""
    heads = "".join(
        f'<th scope="col">{swatch(lane)}<span class="sr">{text.plain(lane.label)}</span></th>'
        for lane in told.lanes
    )
    return (
        '<div><table class="r13 facts"><caption class="sr">Facts, and the rank that brings each'
        f'</caption><thead><tr><th scope="col">what the question needs</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>{rest}</div>"
    )


def _since(lane: Lane, at: int) -> Mapping[str, int]:
    since: dict[str, int] = {}
    for step in lane.admitted:
        if step.decision.rank <= at:
            for name in step.new_facts or ():
                since.setdefault(name, step.decision.rank)
    return since


def _cell(rank: int | None, at: int, *, somewhere: bool) -> str:
    if rank is None:
        word = "not held" if somewhere else "in no passage"
        return f'<td class="soft"><i class="dot fact"></i> {word}</td>'
    word = f"rank {rank}"
    return f'<td><i class="dot fact new"></i> {f"<b>{word}</b>" if rank == at else word}</td>'


def _statements(told: Told, at: int) -> str:
    """Without facts: what this passage states, and where it stood before."""
    step = told.before.by_rank.get(at)
    if step is None or step.new is None:
        return ""
    first = {
        name: one.decision.rank for one in reversed(told.before.steps) for name in one.new or ()
    }
    said = [*step.new, *(step.old or ())]
    items = "".join(_item(told, name, first.get(name, at), at) for name in said[:MOST_LINES])
    more = len(said) - MOST_LINES
    rest = f'<p class="soft">and {more:,} more</p>' if more > 0 else ""
    kind = noun(told.view)
    return (
        f'<div><p class="passage soft">{text.counted(len(said), kind)} in this passage, '
        f'{len(step.new):,} of them new</p><ul class="held">{items}</ul>{rest}</div>'
    )


def _item(told: Told, name: str, first: int, at: int) -> str:
    wording = text.plain(text.shortened(told.view.claim_texts.get(name, name), 110))
    fresh = first == at
    where = "new" if fresh else f"already at rank {first}"
    return (
        f'<li><i class="dot{" new" if fresh else ""}"></i> {wording} '
        f'<span class="soft">{where}</span></li>'
    )
