"""Saved quality comparisons: the list, one opened, its questions by their difference."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import cache, comparing, frame, state, tables
from storage.views import ComparisonView


def main() -> None:
    frame.ensure_frame("Comparisons")
    saved = cache.comparisons()
    if not saved:
        nothing_saved()
        return
    opened = next((one for one in saved if one.name == state.get(state.COMPARISON)), None)
    if opened is None:
        listed(saved)
    else:
        shown(opened)


def nothing_saved() -> None:
    """What is missing, and where to get it."""
    st.html('<div class="r13 question"><h1>Comparisons</h1></div>')
    st.text(
        "No comparison is saved yet. Open a question, choose selectors and a budget, "
        "and press “Save comparison”: it runs them over the whole collection."
    )
    st.page_link(frame.path("question"), label="Open a question", icon=":material/arrow_forward:")


def listed(saved: Sequence[ComparisonView]) -> None:
    """Every saved comparison, the newest first."""
    st.html('<div class="r13 question"><h1>Comparisons</h1></div>')
    for one in saved:
        with st.container(border=True):
            st.html(comparing.head_html(one))
            st.html(comparing.means_html(one))
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                st.button(
                    "Open",
                    key=f"open-{one.name}",
                    icon=":material/arrow_forward:",
                    on_click=state.put,
                    args=({state.COMPARISON: one.name},),
                )
                comparing.rename_control(one)
                comparing.delete_control(one)


def shown(one: ComparisonView) -> None:
    """One comparison: means, then its questions by their difference to the baseline."""
    st.button(
        "All comparisons",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=state.put,
        args=({state.COMPARISON: None, state.SELECTED: None, state.MEASURE: None},),
    )
    st.html(comparing.head_html(one, level=1))
    st.html(comparing.means_html(one))
    if len(one.selectors) < 2:
        st.text("There is one selector in this comparison, so there is nothing to pair.")
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        asked = comparing.controls(one)
    page = cache.result_page(one.name, **comparing.query(asked))
    st.html(comparing.pairs_html(page, asked))
    if not page.rows:
        st.text("No question differs under this measure.")
        return
    picked = comparing.table(page, asked)
    if picked is not None:
        st.switch_page(
            frame.path("question"), query_params=comparing.to_question(one, asked, picked)
        )
    tables.pager(page.total, rows=comparing.ROWS)
    comparing.download(one, asked)


main()
