"""The theory, run in front of the reader: every figure is measured when the page is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from pages.ui import (
    cache,
    frame,
    head,
    lab,
    lab_answer,
    lab_boundary,
    lab_claims,
    lab_geometry,
    lab_greedy,
    lab_witness,
    parts,
    state,
    wayfinding,
)
from storage.views import CollectionView, QuestionView

OF_A_POOL: Mapping[str, Callable[[QuestionView], None]] = {
    "greedy": lab_greedy.greedy,
    "geometry": lab_geometry.geometry,
    "witness": lab_witness.witnesses,
}


def main() -> None:
    frame.ensure_frame("Lab")
    for style in lab.STYLES:
        st.html(style)
    part = parts.choose(lab.PARTS, lab.PART)
    if part not in OF_A_POOL:
        # The others have their question as the heading.
        st.html('<h1 class="sr">Lab</h1>')
    collections = cache.collections()
    if part == "claims":
        lab_claims.claims(collections)
    elif part == "answer":
        lab_answer.answer()
    elif part == "boundary":
        lab_boundary.boundary()
    else:
        one_pool(part, collections)


def one_pool(part: str, collections: Sequence[CollectionView]) -> None:
    """A part about one pool: which one, and then what is measured on it."""
    collection = lab.chosen(collections)
    if collection is None or not collection.questions:
        wayfinding.nothing_stored(collection)
        return
    view = lab.question(collection)
    top(view, collections)
    problem = lab.unfit(view)
    if problem:
        st.text(problem)
    else:
        OF_A_POOL[part](view)


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
