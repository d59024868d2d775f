"""A question told rank by rank: what each passage adds, what it costs, and what is left out."""

from __future__ import annotations

import streamlit as st

from pages.ui import blocks, cache, frame, state, stepping, text, wayfinding
from pages.ui.story import Told, conclusion, walk
from storage.views import CollectionView, QuestionView


def main() -> None:
    frame.ensure_frame("Story")
    collections = cache.collections()
    collection = wayfinding.chosen(collections)
    if collection is None or not collection.questions:
        wayfinding.nothing_stored()
        return
    wayfinding.heading("Story", collections, collection)
    view = asked(collection)
    told = walk(view)
    st.html(f'<p class="r13 tell"><b>{text.plain(view.question)}</b></p>')
    for sentence in conclusion(told):
        st.html(f'<p class="r13 tell">{text.plain(sentence)}</p>')
    at = scrubber(told)
    for lane, caption in (
        (told.before, f"top-k {len(view.pool)}"),
        (told.small, told.small.label),
        (told.after, told.after.label),
    ):
        st.html(blocks.blocks_html(view, lane, caption=caption, at=at))
    if told.after.selection is not None:
        st.html(stepping.moment_html(view, told.after, at=at))
    st.page_link(
        frame.path("question"),
        label="Open this question with every selector",
        icon=":material/arrow_forward:",
        query_params=wayfinding.to(collection, view.id),
    )


def asked(collection: CollectionView) -> QuestionView:
    """The question of the address, else the first of the collection."""
    name = state.get(state.QUESTION)
    if name is not None:
        try:
            return cache.question(collection, name, relevance=None)
        except KeyError:
            st.toast("That question is not in this collection; here is its first one.")
    return cache.question(collection, cache.first_question(collection), relevance=None)


def scrubber(told: Told) -> int:
    """How many ranks have been walked, from the address; all of them at first."""
    size = len(told.view.pool)
    key = state.prime("w-walked", min(state.get(state.RANK), size) or size)
    if size < 2:
        return size
    st.slider(
        "Ranks walked", 1, size, key=key, on_change=_walked, args=(key, size), format="rank %d"
    )
    return int(st.session_state[key])


def _walked(key: str, size: int) -> None:
    at = st.session_state[key]
    state.put({state.RANK: 0 if at == size else at})


main()
