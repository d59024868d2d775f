"""Saving what is compared here over the whole collection, under a name."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import cache, frame, gate, state, text
from pages.ui.frame import Viewer
from pages.ui.lanes import Lane
from selection.model import Budget
from storage.access import Role
from storage.jobs.kinds.comparison import Request
from storage.views import CollectionView, QuestionView

LONGEST = 200
_DONE = "saved-comparison"
_QUEUED = "queued-comparison"
SOON = 2.0
"""Seconds that somebody waits at the page; what takes longer becomes a job."""
GLANCE = 0.5
"""Seconds after which the pace so far tells how long the rest will take."""


class TakesLong(Exception):
    """The run would not be done soon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody asked to save, and where to say how far it is."""

    collection: CollectionView
    lanes: tuple[Lane, ...]
    limits: Budget
    relevance: str | None
    name: str
    note: str
    replace: bool
    slot: DeltaGenerator


def ask(
    view: QuestionView, lanes: Sequence[Lane], *, limits: Budget, relevance: str | None
) -> Wish | None:
    """The button and its form; a wish once it is sent."""
    if not gate.may(Role.EDITOR):
        return None
    with st.popover("Save comparison", key="save"):
        with st.form("w-save", border=False):
            st.text(what(view, lanes, limits))
            name = st.text_input("Name", value=suggested(lanes, limits), max_chars=LONGEST)
            note = st.text_area("Note", height="content", max_chars=2000)
            replace = st.checkbox("Replace a comparison of that name")
            sent = st.form_submit_button("Save", type="primary")
        slot = st.container()
        if not sent:
            with slot:
                _ended(view.collection)
    if not sent:
        return None
    if not replace and name.strip() in {one.name for one in cache.comparisons()}:
        slot.text(
            f"There is a comparison {name.strip()!r} already; choose another name or tick Replace. "
            "Nothing was run or stored."
        )
        return None
    return Wish(
        collection=view.collection,
        lanes=tuple(lanes),
        limits=limits,
        relevance=relevance,
        name=name,
        note=note,
        replace=replace,
        slot=slot,
    )


def _ended(collection: CollectionView) -> None:
    """That it is saved, or that it runs on its own, and the way to it."""
    if _DONE in st.session_state:
        name = st.session_state.pop(_DONE)
        st.text(f"Saved as {text.clean(name)}.")
        _way("Open it in Comparisons", {state.COLLECTION: collection.name, state.COMPARISON: name})
    elif _QUEUED in st.session_state:
        name = st.session_state.pop(_QUEUED)
        st.text(f"{text.clean(name)} takes a while, so it runs by itself; this page may be closed.")
        _way("See how far it is", {state.COLLECTION: collection.name})


def _way(words: str, address: Mapping[state.Key[Any], Any]) -> None:
    if frame.has_room("comparisons"):
        st.page_link(
            frame.path("comparisons"),
            label=words,
            icon=":material/arrow_forward:",
            query_params=state.address(address),
        )


def what(view: QuestionView, lanes: Sequence[Lane], limits: Budget) -> str:
    """What would be run, in a sentence."""
    questions = text.counted(view.collection.questions, "question")
    selectors = text.counted(len(lanes), "selector")
    return f"Runs {selectors} on {questions} of this collection, {limit_words(limits)}."


def limit_words(limits: Budget) -> str:
    """A budget in words: under 4,000 tokens; without a budget."""
    parts = []
    if limits.tokens is not None:
        parts.append(f"{limits.tokens:,} tokens")
    if limits.passages is not None:
        parts.append(text.counted(limits.passages, "passage"))
    return f"under {text.listed(parts)}" if parts else "without a budget"


def suggested(lanes: Sequence[Lane], limits: Budget) -> str:
    """A name that says what is compared."""
    return f"{' / '.join(lane.label for lane in lanes)}, {limit_words(limits)}"[:LONGEST]


def carry_out(wish: Wish | None, viewer: Viewer) -> None:
    """Run and save what was asked for, after the page is drawn; nothing is stored when stopped.

    What would keep somebody waiting is handed over to a process of its own.
    """
    if wish is None:
        return
    with wish.slot:
        bar = st.progress(0.0, "Starting")
    began = time.monotonic()

    def progress(done: int, total: int) -> None:
        passed = time.monotonic() - began
        if passed > GLANCE and done < total and passed * total / done > SOON:
            raise TakesLong
        if done % 20 == 0 or done == total:
            bar.progress(done / max(1, total), f"{done:,} of {total:,} questions")

    try:
        cache.save(
            wish.collection,
            [lane.selector for lane in wish.lanes],
            wish.limits,
            relevance=wish.relevance,
            name=wish.name,
            note=wish.note,
            author=viewer.name,
            replace=wish.replace,
            progress=progress,
        )
    except TakesLong:
        _hand_over(wish, viewer)
        return
    except ValueError as problem:
        wish.slot.text(str(problem))
        return
    st.session_state[_DONE] = wish.name.strip()
    cache.forget()
    st.rerun()


def _hand_over(wish: Wish, viewer: Viewer) -> None:
    """Let a job do it, from its beginning."""
    request = Request(
        name=wish.name.strip(),
        selectors=tuple(lane.selector.spec for lane in wish.lanes),
        tokens=wish.limits.tokens,
        passages=wish.limits.passages,
        relevance=wish.relevance,
        note=wish.note,
        replace=wish.replace,
    )
    try:
        cache.submit(wish.collection.name, request, author=viewer.name)
    except ValueError as problem:
        wish.slot.text(str(problem))
        return
    st.session_state[_QUEUED] = request.name
    st.rerun()
