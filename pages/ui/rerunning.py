"""Running a saved comparison again, with the same settings, on the data as they are now."""

from __future__ import annotations

import streamlit as st

from pages.ui import cache, gate, text
from pages.ui.frame import Viewer
from storage.access import Role
from storage.jobs.kinds.comparison import Request
from storage.views import ComparisonView

LONGEST = 200


def control(one: ComparisonView, viewer: Viewer) -> None:
    """The button and its form; once sent, a job runs it and is shown on the page."""
    if not gate.may(Role.EDITOR):
        return
    with st.popover("Run again", key=f"rerun-{one.name}", type="tertiary"):
        with st.form(f"w-rerun-{one.name}", border=False):
            st.text(
                f"Runs the same {text.counted(len(one.selectors), 'selector')} under the same "
                "budget on the collection as it is now."
            )
            name = st.text_input("Name", value=free_name(one.name), max_chars=LONGEST)
            replace = st.checkbox("Replace the saved one instead")
            sent = st.form_submit_button("Run", type="primary")
        if sent:
            _run(one, viewer, name=one.name if replace else name, replace=replace)


def free_name(name: str) -> str:
    """A name for the next run that no other comparison has."""
    taken = {one.name for one in cache.comparisons()}
    number = 2
    while (free := f"{name[: LONGEST - 12]}, run {number}") in taken:
        number += 1
    return free


def _run(one: ComparisonView, viewer: Viewer, *, name: str, replace: bool) -> None:
    request = Request(
        name=name.strip(),
        selectors=one.selectors,
        tokens=one.budget_tokens,
        passages=one.budget_passages,
        relevance=None if one.relevance == "default" else one.relevance,
        note=one.note,
        replace=replace,
    )
    try:
        cache.submit(one.collection, request, author=viewer.name)
    except ValueError as problem:
        st.text(str(problem))
        return
    st.rerun()
