"""A question told rank by rank: what each passage adds, what it costs, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from pages.ui import (
    blocks,
    cache,
    controls,
    downloads,
    frame,
    head,
    scene,
    state,
    takeaway,
    wayfinding,
)
from pages.ui.story import Told, walk
from storage.views import CollectionView, QuestionView

WORKED = "Charged twice"


def main() -> None:
    frame.ensure_frame("Story")
    collections = cache.collections()
    collection = told_of(collections)
    if collection is None or not collection.questions:
        wayfinding.nothing_stored(collection)
        return
    view = wayfinding.question(collection)
    told = walk(view, controls.budget(view.pool))
    top(view, told, collections)
    st.html(takeaway.conclusion_html(told))
    if not view.candidates:
        return
    at = scrubber(len(view.candidates))
    over = at == len(view.candidates)
    for lane in told.lanes:
        st.html(blocks.blocks_html(view, lane, at=None if over else at))
    st.html(blocks.KEY)
    st.html(scene.end_html(told) if over else scene.scene_html(told, at=at))


def told_of(collections: Sequence[CollectionView]) -> CollectionView | None:
    """The collection of the address; without one the worked example, which has a story to tell."""
    if state.get(state.COLLECTION) is None:
        return next((one for one in collections if one.name == WORKED), None) or (
            wayfinding.chosen(collections)
        )
    return wayfinding.chosen(collections)


def top(view: QuestionView, told: Told, collections: Sequence[CollectionView]) -> None:
    """The question, its neighbours, and the ways on: every selector, or a file to forward."""
    with st.container(horizontal=True, vertical_alignment="center", key="head", gap="small"):
        head.collection_control(collections, view.collection)
        st.html(head.question_html(view))
        head.neighbours(view)
        st.page_link(
            frame.path("question"),
            label="All selectors",
            icon=":material/arrow_forward:",
            query_params=state.link(
                {state.COLLECTION: view.collection.name, state.QUESTION: view.id, state.RANK: 0}
            ),
        )
        st.download_button(
            "As a file",
            data=lambda: takeaway.story_file(told, saved_at=datetime.now(UTC)),
            file_name=f"{downloads.file_name(view.collection.name, view.id)}.html",
            mime="text/html",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
            help="The story as one HTML file that opens anywhere and loads nothing.",
        )


def scrubber(size: int) -> int:
    """How many ranks have been walked, from the address; all of them at first."""
    if size < 2:
        return size
    key = state.prime("w-walked", min(state.get(state.RANK), size) or size)
    st.slider(
        "Ranks walked",
        1,
        size,
        key=key,
        on_change=_walked,
        args=(key, size),
        format="rank %d",
        label_visibility="collapsed",
    )
    return int(st.session_state[key])


def _walked(key: str, size: int) -> None:
    at = st.session_state[key]
    state.put({state.RANK: 0 if at == size else at})


main()
