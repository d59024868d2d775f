"""Every stored question: find, filter, sort, and open one."""

from __future__ import annotations

import streamlit as st

from pages.ui import cache, frame, listing, tables, text, wayfinding
from storage.views import CollectionView, Page


def main() -> None:
    frame.ensure_frame("Questions")
    collections = cache.collections()
    collection = wayfinding.chosen(collections)
    if collection is None:
        wayfinding.nothing_stored()
        return
    wayfinding.heading("Questions", collections, collection)
    if not collection.questions:
        wayfinding.empty(collection)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="filters"):
        listing.filters(collection)
    page = listing.page(collection)
    st.html(summary_html(collection, page))
    if not page.rows:
        st.button("Show all questions", on_click=listing.show_all)
        return
    opened = listing.table(collection, page)
    if opened is not None:
        st.switch_page(frame.path("question"), query_params=wayfinding.to(collection, opened))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        tables.pager(page.total, rows=listing.ROWS)
        listing.download(collection)


def summary_html(collection: CollectionView, page: Page) -> str:
    """How many match, and how a row is opened."""
    if not page.total:
        return '<p class="r13">No question matches this filter.</p>'
    many = text.counted(collection.questions, "question")
    found = f"{page.total:,} of {many}" if listing.asked().filtered else many
    return f'<p class="r13"><b>{found}</b> <span class="soft">{tables.HOW}</span></p>'


main()
