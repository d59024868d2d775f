"""Adding outcomes of arms to a collection that is stored already."""

from __future__ import annotations

import streamlit as st

from pages.ui import cache, frame, gate, importing, state, text
from storage.access import Role
from storage.outcome_imports import Added, import_outcomes
from storage.views import CollectionView

COLUMNS = "question, arm, and correct or score; also run, cited, answer, setting, sent"


def control(one: CollectionView) -> None:
    """A panel with the upload; what was done, or why nothing was, stays in it."""
    if not gate.may(Role.EDITOR):
        return
    with st.popover("Add outcomes", key=f"outcomes-{one.id}", type="tertiary"):
        st.text(
            "Whether each arm answered each question right, as CSV or JSON lines. Columns: "
            f"{COLUMNS}."
        )
        with st.form(f"w-outcomes-{one.id}", border=False, clear_on_submit=True):
            files = st.file_uploader(
                "Outcomes",
                accept_multiple_files=True,
                max_upload_size=importing.MOST_MEGABYTES,
                key=f"outcome-files-{one.id}",
            )
            again = st.checkbox("Replace outcomes that are stored", key=f"outcome-replace-{one.id}")
            sent = st.form_submit_button("Add them", type="primary")
        if sent and files:
            _add(one, files, replace_known=again)
        elif sent:
            st.text("Choose a file first. Nothing was stored.")


def _add(one: CollectionView, files: list[importing.UploadedFile], *, replace_known: bool) -> None:
    def work() -> Added:
        with importing.on_disk(files) as paths:
            return import_outcomes(
                cache.writing(Role.EDITOR),
                paths,
                collection=one.name,
                replace_known=replace_known,
            )

    done, failure = importing.attempted(work, "The outcomes cannot be read")
    if done is None:
        importing.refused(failure)
        return
    cache.forget()
    st.text(text.clean(done))
    if frame.has_room("regressions"):
        st.page_link(
            frame.path("regressions"),
            label="What got worse",
            icon=":material/arrow_forward:",
            query_params=state.address({state.COLLECTION: one.name}),
        )
