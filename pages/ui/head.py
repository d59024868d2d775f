"""The head of the Question page: which collection, the question, its neighbours, the link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from pages.ui import frame, state, text
from storage.views import CollectionView, QuestionView


def head(
    view: QuestionView, collections: Sequence[CollectionView], *, shown: Mapping[Any, Any]
) -> None:
    """The parts of one line. shown: everything on screen, by key, for the link that is copied."""
    collection_control(collections, view.collection)
    st.html(question_html(view))
    neighbours(view, budget=shown.get(state.BUDGET))
    with st.popover("Copy link", key="copy"):
        st.text("Opens this screen, with everything that is set.")
        st.code(whole_link(view, shown), language=None, wrap_lines=True)


def collection_control(collections: Sequence[CollectionView], now: CollectionView) -> None:
    """Which collection is open; another one opens at its first question."""
    key = state.prime("w-collection-of-question", now.name)
    st.selectbox(
        "Collection",
        [one.name for one in collections],
        key=key,
        label_visibility="collapsed",
        on_change=_open_collection,
        args=(key,),
        width=210,
    )


def _open_collection(key: str) -> None:
    state.put(
        {
            state.COLLECTION: st.session_state[key],
            state.QUESTION: None,
            state.STEP: 0,
            state.RANK: 0,
        }
    )


def question_html(view: QuestionView) -> str:
    """The question as the page's heading, and that a built-in collection is made up."""
    made_up = '<span class="tag made-up">made up</span> ' if view.collection.made_up else ""
    return f'<div class="r13 question">{made_up}<h1>{text.plain(view.question)}</h1></div>'


def neighbours(view: QuestionView, *, budget: state.Limit = None) -> None:
    """The question before and the one after, by button and by key; the budget goes along."""
    for name, other, icon, key in (
        ("Previous question", view.previous, "chevron_left", "P"),
        ("Next question", view.next, "chevron_right", "N"),
    ):
        if name.startswith("Next"):
            st.html(
                f'<span class="r13 unit">{view.position:,} of {view.total:,}</span>',
                width="content",
            )
        st.button(
            "",
            key=f"w-{key}",
            icon=f":material/{icon}:",
            help=f"{name} (key {key})",
            shortcut=key,
            disabled=other is None,
            on_click=_open,
            args=(other, budget),
        )


def _open(question: str | None, budget: state.Limit) -> None:
    kept = {} if budget is None else {state.BUDGET: budget}
    state.put({state.QUESTION: question, state.STEP: 0, state.RANK: 0, **kept})


def whole_link(view: QuestionView, shown: Mapping[Any, Any]) -> str:
    """The full address of this screen, defaults said as well, so that it outlives them."""
    query = state.address(
        {state.COLLECTION: view.collection.name, state.QUESTION: view.id, **shown}
    )
    return f"{frame.url('question')}?{urlencode(query, doseq=True)}"
