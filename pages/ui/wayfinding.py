"""Which collection is open, and the ways from one page to another."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import frame, state, text
from storage.views import CollectionView


def chosen(collections: Sequence[CollectionView]) -> CollectionView | None:
    """The collection of the address, else the first; a name that is gone counts as none."""
    asked = state.get(state.COLLECTION)
    return next((one for one in collections if one.name == asked), next(iter(collections), None))


def heading(title: str, collections: Sequence[CollectionView], now: CollectionView) -> None:
    """The title of a page over one collection, and the choice of another."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="heading"):
        made_up = '<span class="tag made-up">made up</span>' if now.made_up else ""
        st.html(f'<div class="r13 question"><h1>{text.plain(title)}</h1>{made_up}</div>')
        key = state.prime("w-collection", now.name)
        st.selectbox(
            "Collection",
            [one.name for one in collections],
            key=key,
            label_visibility="collapsed",
            on_change=_open,
            args=(key,),
            width=280,
        )


def _open(key: str) -> None:
    state.put(
        {
            state.COLLECTION: st.session_state[key],
            state.QUESTION: None,
            state.SEARCH: None,
            state.PAGE: 1,
        }
    )


def to(collection: CollectionView, question: str | None = None) -> dict[str, str | list[str]]:
    """The address of a collection, or of one question in it, for a link to another page."""
    return state.address({state.COLLECTION: collection.name, state.QUESTION: question})


def nothing_stored() -> None:
    """No collection at all: say so, and offer the next step."""
    st.title("Nothing stored yet")
    st.text("There is no collection yet, neither a built-in one nor one of your own.")
    if frame.has_room("data"):
        st.page_link(frame.path("data"), label="Bring in your own questions")
