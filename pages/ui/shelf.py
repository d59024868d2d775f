"""One stored collection: what it holds, taking it away, deleting it."""

from __future__ import annotations

import io
from collections.abc import Sequence

import streamlit as st

from pages.ui import (
    cache,
    downloads,
    frame,
    gate,
    ladder,
    outcomes_form,
    state,
    text,
    wayfinding,
)
from storage.access import Role
from storage.export import stored_records
from storage.formats import format_of
from storage.imports import load_sample
from storage.removal import remove_collection
from storage.samples import all_samples
from storage.views import CollectionView


def collection(one: CollectionView) -> None:
    """A line with what it holds, and its buttons at the end."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", border=True):
        st.html(summary_html(one))
        if one.questions:
            st.page_link(
                frame.path("questions"),
                label="Open",
                icon=":material/arrow_forward:",
                query_params=wayfinding.to(one),
            )
        st.download_button(
            "Download",
            data=lambda: exported(one.name),
            file_name=f"{downloads.file_name(one.name)}.jsonl",
            mime="application/jsonl",
            on_click="ignore",
            key=f"export-{one.id}",
            type="tertiary",
            icon=":material/download:",
            help="Everything that was imported, as JSON lines; nothing is lost on the way.",
        )
        if not one.made_up:
            outcomes_form.control(one)
        delete_control(one)


def summary_html(one: CollectionView) -> str:
    """Name, counts, the step of the ladder, and what it is."""
    made_up = ' <span class="tag made-up">made up</span>' if one.made_up else ""
    has = [
        f"{text.out_of(number, one.questions)} with {what}"
        for number, what in (
            (one.with_outcomes, "outcomes"),
            (one.with_evidence, "evidence"),
            (one.with_facts, "facts"),
        )
        if number
    ]
    counts = ", ".join([wayfinding.counts(one), *has])
    note = wayfinding.note_html(one) if one.note else ""
    return (
        f'<div class="r13 shelf"><h2>{text.plain(one.name)}</h2>{made_up} '
        f'<span class="soft">{counts}; {ladder.step_words(one)}; '
        f"stored {one.imported_at:%Y-%m-%d %H:%M} UTC</span>{note}</div>"
    )


def exported(name: str) -> bytes:
    """A collection in the project's own format; nothing where it has been deleted meanwhile."""
    stream = io.StringIO()
    format_of("jsonl").write(stored_records(cache.engine(), name), stream)
    return stream.getvalue().encode("utf-8", "surrogatepass")


def delete_control(one: CollectionView) -> None:
    """Deleting asks for the name first, and says what goes."""
    if not gate.may(Role.EDITOR):
        return
    with st.popover("Delete", key=f"delete-{one.id}", type="tertiary"):
        goes = [text.counted(one.questions, "question")]
        if one.comparisons:
            goes.append(text.counted(one.comparisons, "saved comparison"))
        st.text(f"Deletes {text.listed(goes)}. This cannot be undone; download it first.")
        st.code(text.clean(one.name), language=None, wrap_lines=True)
        with st.form(f"w-delete-{one.id}", border=False):
            typed = st.text_input("Type the name of the collection", key=f"typed-{one.id}")
            sent = st.form_submit_button("Delete it", type="primary")
        if not sent:
            return
        if typed.strip() != one.name.strip():
            st.text("That is not its name; nothing was deleted.")
            return
        remove_collection(cache.writing(Role.EDITOR), one.name)
        cache.forget()
        if state.get(state.COLLECTION) == one.name:
            state.put({state.COLLECTION: None})
        st.rerun()


def bring_back(collections: Sequence[CollectionView]) -> None:
    """Built-in collections that were deleted can be made again: they are code."""
    there = {one.name for one in collections}
    gone = [sample for sample in all_samples() if sample.name not in there]
    if not gone or not gate.may(Role.EDITOR):
        return
    names = text.listed([sample.name for sample in gone])
    if st.button(
        f"Bring back {names}", key="bring-back", type="tertiary", icon=":material/history:"
    ):
        with st.spinner("Making them again"):
            for sample in gone:
                load_sample(cache.writing(Role.EDITOR), sample)
        cache.forget()
        st.rerun()
