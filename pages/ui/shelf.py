"""One stored collection: what it holds, taking it away, deleting it."""

from __future__ import annotations

import io

import streamlit as st

from pages.ui import cache, downloads, frame, ladder, text, wayfinding
from storage.export import stored_records
from storage.formats import format_of
from storage.removal import remove_collection
from storage.views import CollectionView


def collection(one: CollectionView) -> None:
    """A card with its counts and its buttons."""
    with st.container(border=True):
        st.html(summary_html(one))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
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
            delete_control(one)


def summary_html(one: CollectionView) -> str:
    """Name, counts and the step of the ladder."""
    made_up = '<span class="tag made-up">made up</span>' if one.made_up else ""
    counts = ", ".join(
        [
            text.counted(one.questions, "question"),
            text.counted(one.candidates, "candidate"),
            *(
                f"{text.out_of(number, one.questions)} with {what}"
                for number, what in (
                    (one.with_outcomes, "outcomes"),
                    (one.with_evidence, "evidence"),
                    (one.with_facts, "facts"),
                )
                if number
            ),
        ]
    )
    note = f"<p>{text.plain(one.note.removeprefix('Made up: '))}</p>" if one.note else ""
    return (
        f'<div class="r13"><h2>{text.plain(one.name)} {made_up}</h2>'
        f'<p class="soft">{counts}; {ladder.step_words(one)}; '
        f"imported {one.imported_at:%Y-%m-%d %H:%M} UTC</p>{note}</div>"
    )


def exported(name: str) -> bytes:
    """A collection in the project's own format."""
    stream = io.StringIO()
    format_of("jsonl").write(stored_records(cache.engine(), name), stream)
    return stream.getvalue().encode("utf-8", "surrogatepass")


def delete_control(one: CollectionView) -> None:
    """Deleting asks for the name first, and says what goes."""
    with st.popover("Delete", key=f"delete-{one.id}", type="tertiary"):
        goes = [text.counted(one.questions, "question")]
        if one.comparisons:
            goes.append(text.counted(one.comparisons, "saved comparison"))
        st.text(f"Deletes {text.listed(goes)}. This cannot be undone; download it first.")
        typed = st.text_input("Type the name of the collection", key=f"typed-{one.id}")
        if st.button(
            "Delete it",
            key=f"really-{one.id}",
            type="primary",
            disabled=typed.strip() != one.name,
        ):
            remove_collection(cache.engine(), one.name)
            cache.forget()
            st.rerun()
