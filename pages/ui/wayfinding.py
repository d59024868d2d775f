"""Which collection and question are open, and the ways from one page to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages.ui import cache, frame, state, text
from storage.views import CollectionView, QuestionView


def chosen(collections: Sequence[CollectionView]) -> CollectionView | None:
    """The collection of the address, else the first; a name that is gone counts as none."""
    asked = state.get(state.COLLECTION)
    return next((one for one in collections if one.name == asked), next(iter(collections), None))


def question(collection: CollectionView) -> QuestionView:
    """The question of the address, else the first of a collection that has one."""
    asked = state.get(state.QUESTION)
    relevance = state.get(state.RELEVANCE)
    scale = None if relevance == "auto" else relevance
    if asked is not None:
        try:
            return cache.question(collection, asked, relevance=scale)
        except LookupError:
            st.toast("That question is not in this collection; here is its first one.")
    return cache.question(collection, cache.first_question(collection), relevance=scale)


def title(words: str) -> None:
    """The title of a page that is about no single collection."""
    st.html(f'<div class="r13 question"><h1>{text.plain(words)}</h1></div>')


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


OF_ONE_COLLECTION = (
    state.BEFORE,
    state.AFTER,
    state.DIAGNOSIS,
    state.VERDICT,
    state.GROUP,
    state.CASE,
)
"""Keys that mean something in one collection only: another one starts without them."""


def _open(key: str) -> None:
    """Open another collection from its start; how it is sorted stays."""
    state.put(
        {
            state.COLLECTION: st.session_state[key],
            state.QUESTION: None,
            state.SEARCH: None,
            state.OUTCOME: "",
            state.WHERE: None,
            state.PAGE: 1,
            **dict.fromkeys(OF_ONE_COLLECTION),
        }
    )


def to(
    collection: CollectionView,
    question: str | None = None,
    more: Mapping[state.Key[Any], Any] | None = None,
) -> dict[str, str | list[str]]:
    """The address of a collection, or of one question in it, for a link to another page."""
    return state.address(
        {state.COLLECTION: collection.name, state.QUESTION: question, **(more or {})}
    )


def counts(collection: CollectionView) -> str:
    """How much a collection holds: 240 questions, 4,792 candidates."""
    return (
        f"{text.counted(collection.questions, 'question')}, "
        f"{text.counted(collection.candidates, 'candidate')}"
    )


def note_html(collection: CollectionView) -> str:
    """What a collection is, in two lines at most; all of it for who points at it."""
    note = collection.note.removeprefix("Made up: ")
    note = note[:1].upper() + note[1:]
    return f'<p class="r13 soft two-lines" title="{text.plain(note)}">{text.plain(note)}</p>'


def nothing_stored(collection: CollectionView | None = None) -> None:
    """No collection at all, or an empty one: say so, and offer the next step."""
    title("Nothing to show yet")
    if collection is None:
        st.text("No collection is stored, neither a built-in one nor one of your own.")
        _bring_in()
    else:
        empty(collection)


def empty(collection: CollectionView) -> None:
    """A collection without questions."""
    st.text(f"The collection {text.clean(collection.name)} holds no questions.")
    _bring_in()


def _bring_in() -> None:
    if frame.has_room("data"):
        st.page_link(
            frame.path("data"),
            label="Bring in your own questions",
            icon=":material/arrow_forward:",
        )
