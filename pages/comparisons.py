"""Saved quality comparisons: the list, one opened, or runs of several held against a baseline."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import (
    cache,
    comparing,
    contrast,
    frame,
    pairing,
    rerunning,
    runs,
    state,
    tables,
    wayfinding,
    working,
)
from pages.ui.frame import Viewer
from pages.ui.runs import RunView
from storage.views import ComparisonView

GO = ":material/arrow_forward:"


def main() -> None:
    viewer = frame.ensure_frame("Comparisons")
    saved = cache.comparisons()
    asked = state.get(state.COMPARISON)
    opened = next((one for one in saved if one.name == asked), None)
    chosen = runs.asked(saved)
    if opened is not None:
        head(opened, viewer)
        working.shown("comparison")
        beside(saved, runs.of_comparison(opened))
        return
    wayfinding.title("Comparisons")
    working.shown("comparison")
    if asked is not None:
        st.text("The comparison of that name is not stored, or not any more.")
    if not saved:
        nothing_saved()
    elif len(chosen) >= runs.FEWEST:
        back()
        beside(saved, chosen)
    else:
        runs.picker(saved, chosen)
        listed(saved, viewer)


def nothing_saved() -> None:
    """What is missing, and where to get it."""
    st.text(
        "No comparison is saved yet. Open a question, choose selectors and a budget, "
        "and press “Save comparison”: it runs them over the whole collection."
    )
    st.page_link(frame.path("question"), label="Open a question", icon=GO)


def listed(saved: Sequence[ComparisonView], viewer: Viewer) -> None:
    """Every saved comparison, the newest first."""
    for one in saved:
        with st.container(border=True, gap="xsmall"):
            st.html(f'<div class="r13 card"><h2>{comparing.name_html(one)}</h2></div>')
            st.html(comparing.facts_html(one))
            st.html(contrast.means_html(runs.of_comparison(one)))
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                st.button(
                    "Open",
                    key=f"open-{one.name}",
                    icon=GO,
                    type="tertiary",
                    on_click=state.put,
                    args=({state.COMPARISON: one.name},),
                )
                rerunning.control(one, viewer)
                comparing.rename_control(one)
                comparing.delete_control(one)


def back() -> None:
    """The way back to the list."""
    keys = (state.COMPARISON, state.SELECTED, state.MEASURE)
    st.button(
        "All comparisons",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=state.put,
        args=({**dict.fromkeys(keys), state.RUNS: ()},),
    )


def head(one: ComparisonView, viewer: Viewer) -> None:
    """An opened comparison: its name, what can be done with it, and what it is of."""
    frame.name_tab(one.name[:60])
    with st.container(horizontal=True, vertical_alignment="center", key="head", gap="small"):
        back()
        st.html(f'<div class="r13 question"><h1>{comparing.name_html(one)}</h1></div>')
        st.page_link(
            frame.path("question"),
            label="With these settings",
            icon=GO,
            help="Opens the collection with these selectors and this budget.",
            query_params=pairing.to_question(runs.of_comparison(one)),
        )
        if len(one.selectors) > 1:
            st.page_link(
                frame.path("brief"),
                label="Brief",
                icon=GO,
                help="The same on one screen, for the person who decides.",
                query_params=runs.to_brief(one),
            )
        rerunning.control(one, viewer)
        comparing.rename_control(one)
        comparing.delete_control(one)
    st.html(comparing.facts_html(one) + comparing.drift_html(one))


def beside(saved: Sequence[ComparisonView], now: Sequence[RunView]) -> None:
    """Runs side by side: means, tests under one measure, and the questions behind them."""
    runs.picker(saved, now)
    for sentence in runs.differences(now):
        st.text(sentence)
    st.html(contrast.means_html(now))
    if not pairing.defined(now):
        st.text("No measure has a value here: the collection had no questions.")
        return
    if len(now) < runs.FEWEST:
        st.text("There is one selector in this comparison, so there is nothing to pair.")
        return
    asked = pairing.asked(now)
    standings = cache.standings(
        [one.run for one in now],
        asked.measure.name,
        same_data=asked.same_data,
        stamps=[one.stamp for one in now],
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        runs.baseline_control(now)
        pairing.measure_control(now, asked)
        if asked.same_data or contrast.data_html(standings):
            pairing.same_control(asked)
    st.html(contrast.tests_html(now, standings, asked.measure) + contrast.data_html(standings))
    contrast.left_out(now, standings)
    questions(now, pairing.settled(asked, now, standings))


def questions(now: Sequence[RunView], asked: pairing.Asked) -> None:
    """The questions by their difference; a picked one opens with both settings."""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        pairing.controls(now, asked)
    page = pairing.pairs(asked)
    st.html(pairing.pairs_html(page, asked))
    if not page.rows:
        return
    picked = pairing.table(page, asked)
    if picked is not None:
        st.switch_page(
            frame.path("question"),
            query_params=pairing.to_question((asked.baseline, asked.other), picked),
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        tables.pager(page.total, rows=pairing.ROWS)
        pairing.download(asked)


main()
