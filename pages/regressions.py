"""What got worse between two arms, why, and the review."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.ui import (
    cache,
    frame,
    guarding,
    handover,
    parts,
    proposed,
    regressing,
    regressing_causes,
    regressing_change,
    regressing_list,
    regressing_rule,
    reviewing,
    reviewing_case,
    state,
    tables,
    wayfinding,
)
from pages.ui.frame import Viewer
from storage.diagnose import Regressions
from storage.studies.case import Case
from storage.views import CollectionView

STYLE = Path(regressing.__file__).with_name("regressing.css")
PARTS = {
    "questions": "Review",
    "causes": "What stands out",
    "change": "What would change",
    "rule": "The rule behind it",
}


def main() -> None:
    viewer = frame.ensure_frame("Regressions")
    collections = cache.collections()
    collection = regressing.chosen(collections)
    if collection is None or not collection.questions:
        wayfinding.nothing_stored(collection)
        return
    st.html(STYLE)
    wayfinding.heading("Regressions", collections, collection)
    names = regressing.arms(collection)
    if len(names) < 2:
        regressing.nothing_to_compare(collection, collections, names)
        return
    regressing.arm_controls(names)
    found = regressing.found(collection, names)
    st.html(regressing.opening_html(found))
    if not found.worse:
        st.text("No question got worse, so there is nothing to review.")
        return
    regressing.diagnosis_table(found)
    proposed.counts(collection, found)
    part = parts.choose(PARTS, state.PART)
    if part == "causes":
        st.html(regressing_causes.crowding_html(found))
        regressing_causes.suspects(found)
    elif part == "change":
        regressing_change.change(collection, found)
    elif part == "rule":
        regressing_rule.rules(collection, found)
    else:
        review(collection, found, viewer)


def review(collection: CollectionView, found: Regressions, viewer: Viewer) -> None:
    """The list on the left, one question on the right."""
    reviews = reviewing.stored(collection)
    listed = regressing_list.listed(found, reviews)
    case = reviewing.chosen(listed, reviews)
    left, right = st.columns([5, 8], gap="medium")
    with left, st.container():
        reviewing.progress(listed, reviews)
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
            regressing_list.filters(found, reviews)
        clear_group(found)
        if listed.cases:
            picked = regressing_list.table(listed, reviews, case)
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                tables.pager(len(listed.cases), rows=regressing_list.ROWS)
                regressing_list.hand_over(listed, reviews, found)
                handover.button(
                    handover.Reviewed(
                        collection=collection,
                        found=found,
                        listed=listed,
                        reviews=reviews,
                        filters=handover.filters(),
                    )
                )
            if picked is not None and (case is None or picked != case.question):
                open_case(listed, picked)
        else:
            nothing_left()
    if case is not None and listed.cases:
        with right:
            panel = reviewing.Panel(
                collection=collection,
                case=case,
                listed=listed,
                reviews=reviews,
                reviewer=reviewing.reviewer(viewer),
            )
            one_case(panel, case, found)


def open_case(listed: regressing_list.Listed, picked: str) -> None:
    """Open the row that was picked."""
    case = next(one for one in listed.cases if one.question == picked)
    state.put(regressing_list.address_of(listed, case))
    st.rerun()


def one_case(panel: reviewing.Panel, case: Case, found: Regressions) -> None:
    """One question: the ways on, what happened to it, the verdict."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        reviewing.steps(panel.listed, panel.reviews, case)
        reviewing.open_link(panel)
        guarding.control(panel, found)
    st.html(reviewing_case.head_html(case))
    reviewing.verdicts(panel)
    try:
        view = cache.question(panel.collection, case.question, relevance=None)
    except LookupError:
        st.text("This question is not stored any more.")
        return
    proposed.control(panel, view)
    st.html(reviewing_case.case_html(case, view))
    if panel.history:
        st.html(reviewing_case.history_html(panel.history))


def clear_group(found: Regressions) -> None:
    """While the list is held to one article, say so, with the way out."""
    group = state.get(state.GROUP)
    if group is None:
        return
    name = next((one.text for one in found.suspects.documents if one.id == group), group)
    st.button(
        regressing_causes.label_of(name),
        icon=":material/close:",
        help="Show the questions without this article as well",
        on_click=state.put,
        args=({state.GROUP: None, state.PAGE: 1},),
    )


def nothing_left() -> None:
    """The filters leave nothing: say so, and take them away with one button."""
    st.text("No question matches these filters.")
    st.button(
        "Show all that got worse",
        on_click=state.put,
        args=(
            {
                state.DIAGNOSIS: None,
                state.GROUP: None,
                state.VERDICT: None,
                state.WHERE: None,
                state.SEARCH: None,
                state.PAGE: 1,
            },
        ),
    )


main()
