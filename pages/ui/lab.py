"""What every part of the Lab shares: which pool is on the bench, and which part is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from pages.ui import cache, state, text, wayfinding
from selection.theory.claims import median_pool
from selection.theory.finance import FinancePool, world
from storage.samples.finance import SAMPLE, question_id
from storage.views import CollectionView, QuestionView

STYLES = tuple(Path(__file__).with_name(name) for name in ("figures.css", "lab.css"))
PARTS: Mapping[str, str] = {
    "claims": "Ledger of claims",
    "greedy": "Greedy and the best",
    "geometry": "Geometry",
    "witness": "Witnesses",
    "answer": "The answer",
    "boundary": "The boundary",
}
OF_A_POOL = ("greedy", "geometry", "witness")
"""Parts about one pool, any stored one; the others are about the made-up world as a whole."""
PART = state.choice_key("part", tuple(PARTS), "claims")
K = state.number_key("k", 3)
"""How many passages are looked at."""


def chosen(collections: Sequence[CollectionView]) -> CollectionView | None:
    """The collection of the address, else the finance pools, else the first."""
    if state.get(state.COLLECTION) is None:
        made = next((one for one in collections if one.name == SAMPLE.name), None)
        if made is not None:
            return made
    return wayfinding.chosen(collections)


def question(collection: CollectionView) -> QuestionView:
    """The question of the address; of the finance pools, the one that stands for all."""
    if collection.name == SAMPLE.name and state.get(state.QUESTION) is None:
        try:
            number = median_pool(world())
            return cache.question(collection, question_id(number), relevance=None)
        except LookupError:
            pass
    return wayfinding.question(collection)


def made_pool(view: QuestionView) -> FinancePool | None:
    """The pool of the made-up world behind a question; None where the question is another."""
    if view.collection.name != SAMPLE.name or not view.collection.made_up:
        return None
    return next((one for one in world().pools if question_id(one.number) == view.id), None)


def unfit(view: QuestionView) -> str:
    """Why a question cannot be put on the bench, as a sentence; empty where it can."""
    if not len(view.pool):
        return "Nothing was retrieved for this question, so there is nothing to measure."
    if view.pool.scores is None or not view.pool.has_similarity:
        return (
            "The theory needs a score and a similarity for every passage; this question lacks them."
        )
    return ""


def source_html(view: QuestionView) -> str:
    """What similarity and relevance are made of here."""
    said = f"similarity: {view.sources.similarity}; relevance: {view.sources.relevance}"
    return f'<p class="r13 soft">{text.plain(said)}</p>'


def choose_k(size: int) -> int:
    """How many passages are looked at, 1 to `size`."""
    if size < 2:
        return size
    # Of another length it is another slider: one that keeps its key would start at its lowest end.
    key = state.prime(f"w-k-{size}", max(1, min(state.get(K), size)))
    st.slider(
        "Passages",
        1,
        size,
        key=key,
        on_change=_k,
        args=(key,),
        format="%d passages",
        label_visibility="collapsed",
        width=420,
    )
    return int(st.session_state[key])


def _k(key: str) -> None:
    state.put({K: st.session_state[key]})
