"""One question: selectors side by side, the ledger of every rank, and what it would change."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator as Place

from pages.ui import (
    beside,
    cache,
    controls,
    findings,
    firmness,
    frame,
    head,
    headline,
    ladder,
    losses,
    panels,
    saving,
    state,
)
from pages.ui.lanes import Lane
from selection.model import Budget
from storage.views import CollectionView, QuestionView


def main() -> None:
    viewer = frame.ensure_frame()
    collections = cache.collections()
    collection = chosen_collection(collections)
    if collection is None or not collection.questions:
        nothing_here(collection)
        return
    view = chosen_question(collection)
    frame.name_tab(f"{view.question[:60]} · {collection.name}")
    limits = controls.budget(view.pool)
    lanes = run(view, limits)
    full = panels.in_full(lanes)
    with st.container(horizontal=True, vertical_alignment="center", key="head", gap="small"):
        head.head(view, collections, shown=panels.on_screen(lanes, full=full, limits=limits))
        wish = saving.ask(view, lanes, limits=limits, relevance=relevance_asked())
    with st.container(horizontal=True, vertical_alignment="center", key="knobs", gap="small"):
        controls.budget_control(view.pool, limits)
        controls.limits_control(view, limits)
        controls.selector_chips(view, lanes, full=full, limits=limits)
    st.html(headline.headline_table(view, lanes))
    said = st.empty()
    if any(lane.selection is not None for lane in lanes):
        said.html(findings.findings_html(view, lanes))
    with st.container(horizontal=True, vertical_alignment="center", key="views", gap="small"):
        panels.view_control(view)
        panels.file_button(view, lanes)
        if state.get(state.VIEW) == "ledger":
            firmness.button([lane for lane in lanes if lane.place in full])
        st.html(ladder.provenance_html(collection, view.sources))
        ladder.next_step(collection)
    notes = beside.beside_html(view, lanes)
    reserve = losses.has_losses(view, lanes)
    place = panels.panel(view, lanes, full=full, notes=notes, reserve=reserve)
    if place is not None:
        appraise(view, lanes, full=full, said=said, place=place)
    saving.carry_out(wish, viewer)


def appraise(
    view: QuestionView, lanes: Sequence[Lane], *, full: Sequence[int], said: Place, place: Place
) -> None:
    """Hold every selector against the best possible, after everything else has been drawn."""
    late = not all(lane.appraised for lane in lanes)
    for lane in lanes:
        _ = lane.appraisal
    if late:
        said.html(findings.findings_html(view, lanes))
    with place:
        losses.losses(view, lanes, full=full)


def chosen_collection(collections: Sequence[CollectionView]) -> CollectionView | None:
    """The collection of the address, else the first; a name that is gone counts as none."""
    asked = state.get(state.COLLECTION)
    return next((one for one in collections if one.name == asked), next(iter(collections), None))


def chosen_question(collection: CollectionView) -> QuestionView:
    """The question of the address, else the first of the collection."""
    relevance = relevance_asked()
    asked = state.get(state.QUESTION)
    if asked is not None:
        try:
            return cache.question(collection, asked, relevance=relevance)
        except LookupError:
            st.toast("That question is not in this collection; here is its first one.")
    return cache.question(collection, cache.first_question(collection), relevance=relevance)


def relevance_asked() -> str | None:
    asked = state.get(state.RELEVANCE)
    return None if asked == "auto" else asked


def run(view: QuestionView, limits: Budget) -> list[Lane]:
    """Every chosen selector, run."""
    return [
        cache.lane(view, selector.spec, place=place, budget=limits, relevance=relevance_asked())
        for place, selector in enumerate(controls.chosen(view.pool, limits), start=1)
    ]


def nothing_here(collection: CollectionView | None) -> None:
    """What is missing, and the next step as a button."""
    name = "" if collection is None else collection.name
    st.title("No question yet")
    st.text(
        f"The collection {name} holds no questions." if name else "No collection is stored yet."
    )
    if frame.has_room("data"):
        st.page_link(frame.path("data"), label="Bring in your own questions")


main()
