"""The whole context window: what each slice keeps, what a larger k evicts, and the prompt."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import (
    cache,
    controls,
    frame,
    head,
    parts,
    state,
    text,
    wayfinding,
    window,
    window_bars,
    window_prompt,
    window_slices,
    window_sweep,
)
from pages.ui.lanes import Lane
from selection.model import Budget
from storage.views import CollectionView, QuestionView


def main() -> None:
    frame.ensure_frame("Window")
    collections = cache.collections()
    collection = wayfinding.chosen(collections)
    if collection is None or not collection.questions:
        wayfinding.nothing_stored(collection)
        return
    view = wayfinding.question(collection)
    for style in window.STYLES:
        st.html(style)
    top(view, collections)
    if view.pool.tokens is None or not len(view.pool):
        st.text(window.unfit(view))
        return
    limits = controls.budget(view.pool)
    slices = window.asked(limits, view.pool)
    lanes = run(view, limits)
    with st.container(horizontal=True, vertical_alignment="center", key="knobs", gap="small"):
        controls.budget_control(view.pool, limits)
        window_slices.control(slices)
        controls.selector_chips(view, lanes, full=(1, 2), limits=limits)
    st.html(window_bars.bars_html(view, lanes, slices))
    part = parts.choose(window.PARTS, window.PART)
    if part == "sweep":
        window_sweep.sweep(view, slices)
    elif part == "prompt":
        window_prompt.prompt(view, lanes, slices)
    else:
        st.html(window_bars.table_html(view, lanes, slices))


def run(view: QuestionView, limits: Budget) -> list[Lane]:
    """Every chosen selector, run; the size of the retrieval slice is its budget."""
    asked = state.get(state.RELEVANCE)
    return [
        cache.lane(
            view,
            selector.spec,
            place=place,
            budget=limits,
            relevance=None if asked == "auto" else asked,
        )
        for place, selector in enumerate(controls.chosen(view.pool, limits), start=1)
    ]


def top(view: QuestionView, collections: Sequence[CollectionView]) -> None:
    """The question, its neighbours, and the way to every decision."""
    with st.container(horizontal=True, vertical_alignment="center", key="head", gap="small"):
        head.collection_control(collections, view.collection)
        st.html(head.question_html(view))
        head.neighbours(view, budget=state.get(state.BUDGET))
        st.page_link(
            frame.path("question"),
            label="Every decision",
            icon=":material/arrow_forward:",
            help=text.label("The same question and selectors, rank by rank"),
            query_params=state.address(
                {
                    state.COLLECTION: view.collection.name,
                    state.QUESTION: view.id,
                    state.SELECTORS: state.get(state.SELECTORS),
                    state.BUDGET: state.get(state.BUDGET),
                }
            ),
        )


main()
