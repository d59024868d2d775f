"""The assembled prompt, to read in order and to take away."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import downloads, state, text, window
from pages.ui.lanes import Lane, has_facts
from pages.ui.ledger import heading, noun
from selection.window.order import ORDERS
from selection.window.prompt import Prompt, assemble, gold_passages, repeats
from selection.window.slices import Window
from storage.views import QuestionView

WORDS = {
    "rank": "by rank",
    "admission": "as admitted",
    "edges": "gold at the edges",
}
SHOWN = state.number_key("of", 0)
"""Whose prompt is shown, 1-based in the order chosen; 0 is the last selector."""
MOST_LINES = 30
INSTRUCTION = (
    "Answer the question from the passages below and from nothing else. Name the passage that "
    "each statement rests on. Where the passages do not say, say so."
)
"""Stands in for the system prompt, which is not stored."""


def prompt(view: QuestionView, lanes: Sequence[Lane], slices: Window) -> None:
    """Whose prompt and in which order; then what it measures, and the prompt itself."""
    runnable = [lane for lane in lanes if lane.selection is not None]
    if not runnable:
        st.text("None of these selectors can run here.")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        lane = _whose(runnable)
        _order(view)
        one = assemble(view.pool, window.order_of(view, lane), window.filled(view, lane, slices))
        st.download_button(
            "Prompt as text",
            data=lambda: prompt_text(view, one).encode("utf-8", "replace"),
            file_name=f"{downloads.file_name('prompt', view.collection.name, view.id)}.txt",
            mime="text/plain",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )
    left, right = st.columns([3, 2], gap="medium")
    with right:
        st.html(depth_html(view, one))
        st.html(repeats_html(view, one))
    with left:
        st.html(prompt_html(view, one))


def _whose(lanes: Sequence[Lane]) -> Lane:
    places = {lane.place: lane for lane in lanes}
    asked = state.get(SHOWN)
    now = asked if asked in places else lanes[-1].place
    key = state.prime("w-of", now)
    st.selectbox(
        "Selector",
        list(places),
        key=key,
        format_func=lambda place: f"{place} {text.clean(places[place].label)}",
        label_visibility="collapsed",
        on_change=_put,
        args=(key, SHOWN),
        width=280,
    )
    return places[now]


def _order(view: QuestionView) -> None:
    """In which order the passages stand; gold at the edges only where gold is known."""
    options = [name for name in ORDERS if name != "edges" or gold_passages(view.pool)]
    now = state.get(window.ORDER)
    key = state.prime("w-order", now if now in options else "rank")
    st.segmented_control(
        "Order",
        options,
        key=key,
        format_func=WORDS.__getitem__,
        label_visibility="collapsed",
        required=True,
        on_change=_put,
        args=(key, window.ORDER),
        help="The order changes no selection. Gold at the edges is an experiment: it looks at what "
        "nobody knows beforehand.",
    )


def _put(key: str, target: state.Key[object]) -> None:
    value = st.session_state[key]
    state.put({target: target.default if value is None else value})


def depth_html(view: QuestionView, one: Prompt) -> str:
    """From instruction to question, and how deep each gold passage lies."""
    tokens = one.filled.tokens
    gold = gold_passages(view.pool)
    here = [place for place in one.places if place.index in gold]
    rows = "".join(
        f'<tr><th scope="row">rank {place.index + 1}: '
        f"{text.plain(text.shortened(heading(view.candidates[place.index]), 60))}</th>"
        f'<td class="num">{place.depth:.1%}</td><td class="num">{place.to_question:,}</td></tr>'
        for place in here[:MOST_LINES]
    )
    missing = len(gold) - len(here)
    said = f"{text.counted(missing, 'gold passage')} not sent" if missing else ""
    table = (
        '<table class="r13 figures"><thead><tr><th scope="col">gold passage</th>'
        '<th scope="col" class="num">depth</th><th scope="col" class="num">tokens to question</th>'
        f"</tr></thead><tbody>{rows}</tbody></table>"
        if rows
        else ""
    )
    none = "" if gold else "No passage of this question is known to be gold."
    return (
        '<div class="r13"><h2>From instruction to question</h2>'
        f"<p><b>{one.distance:,}</b> tokens: tools {tokens['tools']:,}, history "
        f"{tokens['history']:,}, passages {tokens['retrieval']:,}.</p>{table}"
        f'<p class="soft">{said}{none}</p></div>'
    )


def repeats_html(view: QuestionView, one: Prompt) -> str:
    """How often each claim stands in the prompt."""
    found = repeats(view.pool, one)
    facts = set(view.pool.gold) if has_facts(view.pool) else set()
    rows = "".join(
        f'<tr><td class="num"><b>{len(line.by)}×</b></td><th scope="row">'
        f"{_claim(view, line.claim)}{' <i class=tag>fact</i>' if line.claim in facts else ''}</th>"
        f'<td class="soft">{text.ranks(sorted(index + 1 for index in line.by))}</td></tr>'
        for line in found[:MOST_LINES]
    )
    more = len(found) - MOST_LINES
    rest = f'<p class="soft">and {more:,} more</p>' if more > 0 else ""
    return (
        f'<div class="r13 repeats"><h2>How often each {noun(view)} is said</h2>'
        f'<table class="r13 figures"><tbody>{rows}</tbody></table>{rest}</div>'
    )


def _claim(view: QuestionView, name: str) -> str:
    return text.plain(text.shortened(view.claim_texts.get(name, name), 110))


def prompt_html(view: QuestionView, one: Prompt) -> str:
    """The whole prompt in order; what is not stored is said to be so."""
    gold = gold_passages(view.pool)
    parts = "".join(
        f'<section class="part {kind}"><header>{text.plain(title)}</header>'
        f"<p>{text.plain(body)}</p></section>"
        for kind, title, body in _parts(view, one, gold=gold)
    )
    return (
        '<div class="r13 prompt" role="group" tabindex="0" aria-label="Prompt: arrow keys scroll">'
        f"{parts}</div>"
    )


def prompt_text(view: QuestionView, one: Prompt) -> str:
    """The same as a plain text."""
    return "\n\n".join(
        f"[{title}]\n{text.clean(body)}" for _, title, body in _parts(view, one, gold=frozenset())
    )


def _parts(view: QuestionView, one: Prompt, *, gold: frozenset[int]) -> list[tuple[str, str, str]]:
    """Kind, title and text of each part in order."""
    tokens = one.filled.tokens
    passages = [
        (
            "passage gold" if place.index in gold else "passage",
            f"{view.candidates[place.index].id}, rank {place.index + 1}, {place.tokens:,} tokens"
            + (", gold" if place.index in gold else ""),
            view.candidates[place.index].text or "(no text stored)",
        )
        for place in one.places
    ]
    return [
        ("system", f"system, {tokens['system']:,} tokens (a stand-in)", INSTRUCTION),
        ("absent", f"tools, {tokens['tools']:,} tokens", "(not stored)"),
        ("absent", f"history, {tokens['history']:,} tokens", "(not stored)"),
        *passages,
        ("ask", "question", view.question),
        ("absent", f"answer, room for {tokens['answer']:,} tokens", ""),
    ]
