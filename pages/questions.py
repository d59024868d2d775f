"""Every stored question: find, filter, sort, and open one."""

from __future__ import annotations

import streamlit as st

from pages.ui import cache, frame, listing, state, tables, text, wayfinding
from storage.views import CollectionView, Page


def main() -> None:
    frame.ensure_frame("Questions")
    collections = cache.collections()
    collection = wayfinding.chosen(collections)
    if collection is None:
        wayfinding.nothing_stored()
        return
    wayfinding.heading("Questions", collections, collection)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="filters"):
        listing.filters(collection)
    page = listing.page(collection)
    st.html(summary_html(collection, page))
    if not page.rows:
        nothing_found()
        return
    opened = listing.table(page)
    if opened is not None:
        st.switch_page(frame.path("question"), query_params=wayfinding.to(collection, opened))
    tables.pager(page.total, rows=listing.ROWS)
    listing.download(collection)


def summary_html(collection: CollectionView, page: Page) -> str:
    """How many of how many, and what the collection is."""
    found = text.out_of(page.total, collection.questions, "questions")
    note = f" {text.plain(collection.note)}" if collection.note else ""
    return f'<p class="r13"><b>{found}</b><span class="soft">{note}</span></p>'


def nothing_found() -> None:
    """The filter leaves nothing: say so, and take it away with one button."""
    st.text("No question matches this filter.")
    st.button(
        "Show all questions",
        on_click=state.put,
        args=({state.SEARCH: None, state.OUTCOME: "", state.PAGE: 1},),
    )


main()
