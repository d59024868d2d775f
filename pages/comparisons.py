"""Saved quality comparisons: the list, one opened, its questions by their difference."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import cache, comparing, frame, rerunning, state, tables, wayfinding, working
from pages.ui.frame import Viewer
from storage.views import ComparisonView

GO = ":material/arrow_forward:"


def main() -> None:
    viewer = frame.ensure_frame("Comparisons")
    saved = cache.comparisons()
    asked = state.get(state.COMPARISON)
    opened = next((one for one in saved if one.name == asked), None)
    if opened is None:
        wayfinding.title("Comparisons")
    working.shown("comparison")
    if opened is not None:
        shown(opened, viewer)
        return
    if asked is not None:
        st.text("The comparison of that name is not stored, or not any more.")
    if saved:
        listed(saved, viewer)
    else:
        nothing_saved()


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
            st.html(comparing.means_html(one))
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


def shown(one: ComparisonView, viewer: Viewer) -> None:
    """One comparison: means, then its questions by their difference to the baseline."""
    frame.name_tab(one.name[:60])
    with st.container(horizontal=True, vertical_alignment="center", key="head", gap="small"):
        st.button(
            "All comparisons",
            icon=":material/arrow_back:",
            type="tertiary",
            on_click=state.put,
            args=(dict.fromkeys((state.COMPARISON, state.SELECTED, state.MEASURE)),),
        )
        st.html(f'<div class="r13 question"><h1>{comparing.name_html(one)}</h1></div>')
        st.page_link(
            frame.path("question"),
            label="With these settings",
            icon=GO,
            help="Opens the collection with these selectors and this budget.",
            query_params=comparing.to_question(one, one.selectors),
        )
        if len(one.selectors) > 1:
            st.page_link(
                frame.path("brief"),
                label="Brief",
                icon=GO,
                help="The same on one screen, for the person who decides.",
                query_params=comparing.to_brief(one),
            )
        rerunning.control(one, viewer)
        comparing.rename_control(one)
        comparing.delete_control(one)
    st.html(comparing.facts_html(one))
    st.html(comparing.means_html(one))
    if not comparing.defined(one):
        st.text("No measure has a value here: the collection had no questions.")
    elif len(one.selectors) < 2:
        st.text("There is one selector in this comparison, so there is nothing to pair.")
    else:
        paired(one)


def paired(one: ComparisonView) -> None:
    """The questions by their difference under one measure; a picked one opens."""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        asked = comparing.controls(one)
    page = comparing.pairs(one, asked)
    st.html(comparing.pairs_html(page, asked))
    if not page.rows:
        return
    picked = comparing.table(one, page, asked)
    if picked is not None:
        selectors = (one.selectors[0], asked.selector)
        st.switch_page(
            frame.path("question"), query_params=comparing.to_question(one, selectors, picked)
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        tables.pager(page.total, rows=comparing.ROWS)
        comparing.download(one, asked)


main()
