"""The theory, run in front of the reader: every figure is measured when the page is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import cache, frame, head, lab, lab_claims, lab_greedy, lab_witness, state, wayfinding
from storage.views import CollectionView, QuestionView


def main() -> None:
    frame.ensure_frame("Lab")
    collections = cache.collections()
    collection = lab.chosen(collections)
    if collection is None or not collection.questions:
        wayfinding.nothing_stored(collection)
        return
    view = lab.question(collection)
    for style in lab.STYLES:
        st.html(style)
    top(view, collections)
    part = lab.choose_part()
    if part == "claims":
        lab_claims.claims(collections)
        return
    problem = lab.unfit(view)
    if problem:
        st.text(problem)
    elif part == "greedy":
        lab_greedy.greedy(view)
    else:
        lab_witness.witnesses(view)


def top(view: QuestionView, collections: Sequence[CollectionView]) -> None:
    """Which pool is on the bench, its neighbours, and the way to its selectors."""
    with st.container(horizontal=True, vertical_alignment="center", key="head", gap="small"):
        head.collection_control(collections, view.collection)
        st.html(head.question_html(view))
        head.neighbours(view)
        st.page_link(
            frame.path("question"),
            label="All selectors",
            icon=":material/arrow_forward:",
            query_params=state.address(
                {state.COLLECTION: view.collection.name, state.QUESTION: view.id}
            ),
        )


main()
