"""One change on one screen, for the person who decides: what it does, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.ui import (
    brief_file,
    brief_words,
    briefing,
    cache,
    downloads,
    figures,
    frame,
    ladder,
    regressing,
    reviewing,
    state,
    tables,
    text,
    wayfinding,
)
from pages.ui.figures import Figure, Prices
from storage.brief import Brief
from storage.views import CollectionView

STYLE = Path(brief_file.__file__).with_name("brief.css")
ROWS = tables.FEW
A_ROW = 4


def main() -> None:
    frame.ensure_frame("Brief")
    collections = cache.collections()
    collection = regressing.chosen(collections)
    if collection is None or not collection.questions:
        wayfinding.nothing_stored(collection)
        return
    st.html(STYLE)
    wayfinding.heading("Brief", collections, collection)
    found = briefing.changes(collection)
    now = briefing.chosen(found)
    if now is None:
        nothing_compared(collection)
        return
    prices = Prices(volume=state.get(state.VOLUME), price=state.get(state.PRICE))
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        briefing.control(found, now)
        price_controls()
        slot = st.empty()
    try:
        brief = now.make()
    except (ValueError, LookupError) as problem:
        st.text(text.clean(problem))
        return
    reviews = reviewing.stored(collection)
    shown = figures.figures(brief, reviews, prices)
    with slot.container(horizontal=True, gap="small", vertical_alignment="center"):
        hand_over(brief, shown, collection, prices)
        ways_on(brief, collection)
    st.html(head_html(brief, prices))
    tiles(shown)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        said = [*brief_words.limits(brief), f"The collection: {ladder.step_words(collection)}."]
        st.html(f'<p class="r13 soft">{text.plain(" ".join(said))}</p>')
        ladder.next_step(collection)
    opened = next((one for one in shown if one.key == state.get(state.FIGURE)), None)
    if opened is not None and opened.lines:
        questions(opened, brief, collection)


def nothing_compared(collection: CollectionView) -> None:
    """Too many questions to run two settings on while somebody waits: say how to get there."""
    st.text(
        "No change is stored for this collection: neither outcomes of two arms nor a comparison. "
        "Open a question, choose two selectors, and press “Save comparison”."
    )
    st.page_link(
        frame.path("question"),
        label="Open a question",
        icon=":material/arrow_forward:",
        query_params=wayfinding.to(collection),
    )


def price_controls() -> None:
    """How many questions a month, and what a million tokens cost; both are in the address."""
    key = state.prime("w-volume", state.get(state.VOLUME))
    st.number_input(
        "Questions a month",
        key=key,
        min_value=0,
        max_value=10**state.MOST_DIGITS - 1,
        step=1_000,
        on_change=_put,
        args=(key, state.VOLUME),
        width=170,
    )
    key = state.prime("w-price", state.get(state.PRICE))
    st.number_input(
        "Dollars a million tokens",
        key=key,
        min_value=0.0,
        max_value=1e6,
        step=0.1,
        format="%0.2f",
        on_change=_put,
        args=(key, state.PRICE),
        width=170,
    )


def _put(widget: str, key: state.Key[float]) -> None:
    value = st.session_state[widget]
    state.put({key: key.default if value is None else value})


def hand_over(
    brief: Brief, shown: tuple[Figure, ...], collection: CollectionView, prices: Prices
) -> None:
    """The same as one file, built on the click."""
    st.download_button(
        "As a file",
        data=lambda: brief_file.brief_file(
            brief, shown, collection, prices, saved_at=datetime.now(UTC)
        ),
        file_name=f"{downloads.file_name(collection.name, 'brief')}.html",
        mime="text/html",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        help="This brief as one HTML file that opens anywhere and loads nothing.",
    )


def ways_on(brief: Brief, collection: CollectionView) -> None:
    """Where the figures come from: the review of what got worse, or the saved comparison."""
    if brief.source is None:
        room, words = "regressions", "Review what got worse"
        more = {state.BEFORE: brief.before, state.AFTER: brief.after}
        address = wayfinding.to(collection, None, more)
    elif brief.source.name:
        room, words = "comparisons", "Open the comparison"
        address = state.address({state.COMPARISON: brief.source.name})
    else:
        return
    st.page_link(
        frame.path(room), label=words, icon=":material/arrow_forward:", query_params=address
    )


def head_html(brief: Brief, prices: Prices) -> str:
    """The change, over what, and what it comes to."""
    said = " ".join(brief_words.sentences(brief, prices))
    return (
        f'<div class="r13 brief"><h2>{text.plain(brief_words.title(brief))}</h2>'
        f'<p class="soft">{text.plain(brief_words.where(brief))}</p>'
        f'<p class="tell">{text.plain(said)}</p></div>'
    )


def tiles(shown: Sequence[Figure]) -> None:
    """A tile a figure; pressing it shows the questions that it stands on."""
    now = state.get(state.FIGURE)
    with st.container(key="figures"):
        for start in range(0, len(shown), A_ROW):
            for one, place in zip(shown[start:], st.columns(A_ROW, gap="small"), strict=False):
                with place, st.container(border=True, gap=None, height="stretch"):
                    st.html(f'<p class="r13 soft">{text.plain(one.title)}</p>')
                    st.button(
                        text.label(one.value),
                        key=f"figure-{one.key}",
                        type="primary" if one.key == now else "tertiary",
                        disabled=not one.lines,
                        help=f"Show {text.counted(len(one.lines), 'question')}"
                        if one.lines
                        else None,
                        on_click=state.put,
                        args=({state.FIGURE: None if one.key == now else one.key, state.PAGE: 1},),
                    )
                    st.html(f'<p class="r13 soft note">{text.plain(one.note)}</p>')


def questions(one: Figure, brief: Brief, collection: CollectionView) -> None:
    """The questions of a figure; a picked one opens with both settings side by side."""
    start = (max(1, state.get(state.PAGE)) - 1) * ROWS
    lines = one.lines[start : start + ROWS]
    st.html(f'<div class="r13"><h2>{text.plain(one.title)}: {len(one.lines):,}</h2></div>')
    table = pd.DataFrame(
        {
            "question": pd.Series([text.clean(line.text) for line in lines], dtype="str"),
            "what": pd.Series([text.clean(line.words) for line in lines], dtype="str"),
        }
    )
    picked = tables.pick(
        table,
        ids=[line.question for line in lines],
        picked=None,
        name=f"brief-{one.key}",
        alt=f"{one.title}: one question a row; pick a row to open it",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        tables.pager(len(one.lines), rows=ROWS)
    if picked is not None:
        address = {state.SELECTORS: state.SELECTORS.read(brief.selectors)}
        if brief.source is not None:
            limits = brief.source.budget
            none = state.Unlimited.NONE
            address[state.BUDGET] = none if limits.tokens is None else limits.tokens
            address[state.CAP] = limits.passages
        st.switch_page(
            frame.path("question"), query_params=wayfinding.to(collection, picked, address)
        )


main()
