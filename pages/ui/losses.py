"""Beside the ledger: where the facts of a selector are lost, and the smallest change that helps."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import controls, text
from pages.ui.appraisal import Loss
from pages.ui.findings import best_of, best_words
from pages.ui.lanes import Lane, has_facts
from pages.ui.ledger import swatch
from selection.changes import Change, Dropped
from storage.views import QuestionView

NOTHING = 1e-9
MOST_FACTS = 6
"""Dropped facts listed for one selector; how many more there are is said."""


def has_losses(view: QuestionView, lanes: Sequence[Lane]) -> bool:
    """Whether there is anything to say: judged facts, and a selector that runs."""
    return has_facts(view.pool) and any(lane.selection is not None for lane in lanes)


def losses(view: QuestionView, lanes: Sequence[Lane], *, full: Sequence[int]) -> None:
    """Draw it for the selectors in full, each with buttons that apply a change."""
    specs = tuple(lane.selector.spec for lane in lanes)
    st.html('<div class="r13"><h2>Where facts are lost</h2></div>')
    for lane in lanes:
        if lane.place in full and lane.selection is not None:
            _lane(view, lane, specs)
    _offer_best(view, lanes, specs)


def _lane(view: QuestionView, lane: Lane, specs: tuple[str, ...]) -> None:
    found = lane.appraisal
    if found.loss is None:
        return
    st.html(loss_html(lane, found.loss))
    if lane.dropped is None:
        st.html('<p class="r13 soft">What would help could not be worked out.</p>')
        return
    for dropped in lane.dropped[:MOST_FACTS]:
        _dropped(view, lane, dropped, specs)
    more = len(lane.dropped) - MOST_FACTS
    if more > 0:
        st.html(f'<p class="r13 soft">and {text.counted(more, "more fact")}</p>')


def loss_html(lane: Lane, loss: Loss) -> str:
    """The three parts of what is missed and their sum, as a bar and in facts."""
    if loss.missed < NOTHING:
        words = "the one judged fact" if loss.facts == 1 else f"all {loss.facts:,} judged facts"
        fitting = loss.selector is not None or loss.reachable is None
        end = "nothing is lost" if fitting else "but over the budget, so its parts are n/a"
        return f'<p class="r13 loss">{swatch(lane)} {words} sent: {end}</p>'
    parts = {
        "never retrieved": loss.never,
        "beyond this budget": loss.budget,
        "left out by the selector": loss.selector,
    }
    rows = "".join(
        f'<dt>{name}</dt><dd class="num">{_amount(loss, share)}</dd>'
        for name, share in parts.items()
    )
    total = _amount(loss, loss.missed)
    of = f"of {text.counted(loss.facts, 'judged fact')}" + ("" if loss.equal else ", by weight")
    over = "" if loss.selector is not None or loss.reachable is None else _over()
    return (
        f'<div class="r13 loss hue{lane.place}"><p>{swatch(lane)} missed {total} {of}</p>'
        f"{_bar(loss)}<dl>{rows}</dl>{over}</div>"
    )


def _over() -> str:
    return '<p class="soft">n/a: what is sent is over the budget.</p>'


def _amount(loss: Loss, share: float | None) -> str:
    if share is None:
        return text.NA
    count = loss.count(share)
    return text.decimal(share) if count is None else text.whole(count)


def _bar(loss: Loss) -> str:
    """Sent, left out, beyond the budget, never retrieved: from the fullest form to the emptiest."""
    if loss.budget is None or loss.selector is None:
        return ""
    pieces = {
        "sent": 1 - loss.missed,
        "dropped": loss.selector,
        "dear": loss.budget,
        "never": loss.never,
    }
    bars = "".join(
        f'<span class="{kind}" style="flex-grow:{share:.4f}"></span>'
        for kind, share in pieces.items()
        if share > NOTHING
    )
    return f'<div class="parts" aria-hidden="true">{bars}</div>'


def _dropped(view: QuestionView, lane: Lane, dropped: Dropped, specs: tuple[str, ...]) -> None:
    """One fact: its wording, the cheapest passage that carries it, and a button a change."""
    st.html(dropped_html(view, dropped))
    if not dropped.changes:
        return
    with st.container(horizontal=True, gap="small", key=f"help{lane.place}-{_slug(view, dropped)}"):
        for change in dropped.changes:
            st.button(
                text.label(change_words(lane, change)),
                key=f"w-help{lane.place}-{_slug(view, dropped)}-{change.knob}",
                help=_effect(lane, change),
                on_click=controls.apply_change,
                args=(lane.place, change, specs),
            )


def _slug(view: QuestionView, dropped: Dropped) -> int:
    return list(view.pool.gold).index(dropped.fact)


def dropped_html(view: QuestionView, dropped: Dropped) -> str:
    """A dropped fact in words, with the cheapest passage that carries it."""
    facts = {fact.id: fact.text for fact in view.facts}
    words = text.shortened(facts.get(dropped.fact) or dropped.fact, 110)
    cost = "" if dropped.cheapest_tokens is None else f", {dropped.cheapest_tokens:,} tokens"
    lead = "cheapest: " if len(dropped.ranks) > 1 else ""
    none = "" if dropped.changes else "; no single knob brings it back"
    return (
        f'<p class="r13 lost"><i class="dot fact"></i> {text.plain(words)} '
        f'<span class="soft">{lead}rank {dropped.cheapest}{cost}{none}</span></p>'
    )


def change_words(lane: Lane, change: Change) -> str:
    """The change on its button: +143 tokens; k 5 → 7."""
    labels = {param.name: param.label for param in lane.selector.params}
    if change.knob not in labels:
        return change.text
    before, after = (_short(value) for value in (change.before, change.after))
    return f"{labels[change.knob]} {before} → {after}"


def _short(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def _effect(lane: Lane, change: Change) -> str:
    if change.knob == "tokens":
        return f"Sets the budget of every selector to {change.after:,} tokens."
    if change.knob == "passages":
        return f"Lets every selector send up to {change.after:,} passages."
    return f"Sets this knob of selector {lane.place}."


def _offer_best(view: QuestionView, lanes: Sequence[Lane], specs: tuple[str, ...]) -> None:
    """The best set on judged facts, as a selector to lay beside the others."""
    best = best_of(lanes)
    if best is None or not best.ranks or len(specs) >= controls.state.MOST_SELECTORS:
        return
    st.button(
        "Show the best possible",
        key="w-best",
        help=text.label(best_words(best, facts=len(view.pool.gold))),
        on_click=controls.add_best,
        args=(specs,),
    )
