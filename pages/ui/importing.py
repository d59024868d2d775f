"""The import form: files, what they are, a report before anything is stored, then storing."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.ui import cache, frame, state, text, wayfinding
from storage.formats import format_of, guess, list_formats
from storage.imports import Imported, check_files, import_files
from storage.report import Report
from storage.views import CollectionView

MOST_MEGABYTES = 200
MOST_PROBLEMS = 200
EXAMPLE = json.dumps(
    {
        "question": "How long do I have to return a jacket?",
        "passages": [
            "Jackets can be returned within 30 days.",
            "Sale items can be exchanged, not returned.",
        ],
    }
)
EXISTING = {
    "refuse": "refuse it",
    "add": "add new questions",
    "update": "add new questions and replace changed ones",
}


def form(into: CollectionView | None) -> None:
    """The whole form. into: a collection of one's own that the files are for, if any."""
    left, right = st.columns([3, 2], gap="large")
    with right:
        explained()
    with left:
        done = st.session_state.pop("imported", None)
        if done is not None:
            finished(done)
        files = st.file_uploader(
            "Files that belong together",
            accept_multiple_files=True,
            max_upload_size=MOST_MEGABYTES,
            key=f"upload-{st.session_state.get('uploads', 0)}",
        )
        if files:
            confirm(files, into)


def confirm(files: Sequence[UploadedFile], into: CollectionView | None) -> None:
    """What the files seem to be, the report on them, and the button that stores them."""
    large = [one.name for one in files if one.size > MOST_MEGABYTES * 1_000_000]
    if large:
        st.text(
            f"{text.listed(large)}: larger than {MOST_MEGABYTES} MB. Larger files go in by the "
            "command line, which reads them in constant memory. Nothing was stored."
        )
        return
    with on_disk(files) as paths:
        names = [name for name in list_formats() if format_of(name).reads]
        found = guess(paths[0])
        chosen = st.selectbox(
            "They are" if found is None else "They seem to be",
            names,
            index=names.index(found) if found in names else None,
            format_func=lambda name: format_of(name).title,
            placeholder="choose a format",
        )
        if chosen is None:
            st.text("What these files are could not be guessed from their content.")
            return
        st.text(format_of(chosen).help)
        report = check_files(paths, format=chosen)
        reported(report)
        if report.total:
            return
        name = st.text_input(
            "Name of the collection",
            value=into.name if into is not None else Path(files[0].name).stem[:200],
        )
        existing = st.segmented_control(
            "If it exists",
            list(EXISTING),
            default="refuse" if into is None else "update",
            format_func=EXISTING.__getitem__,
            required=True,
        )
        if st.button("Import", type="primary", icon=":material/upload:"):
            store(paths, format=chosen, name=name, existing=existing or "refuse", of=report)


def reported(report: Report) -> None:
    """What was read: usable, problems with their places, what was guessed."""
    st.html(
        f'<p class="r13"><b>{report.rows_usable:,} of {report.rows_read:,}</b> rows can be used'
        f"{f', {report.total:,} problems: nothing can be stored' if report.total else ''}.</p>"
    )
    lines = [str(one) for one in report.problems[:MOST_PROBLEMS]]
    more = report.total - len(lines)
    if lines:
        rest = [f"and {more:,} more"] if more > 0 else []
        st.code("\n".join([*lines, *rest]), language=None, wrap_lines=True, height=240)
    for line in (*report.warnings, *report.guesses):
        st.text(line)


def store(paths: Sequence[Path], *, format: str, name: str, existing: str, of: Report) -> None:
    """Import with a progress bar; afterwards the page starts anew and says what was done."""
    bar = st.progress(0.0, "Reading")
    total = max(1, of.rows_usable)

    def shown(read: int) -> None:
        bar.progress(min(1.0, read / total), f"{text.counted(read, 'question')} read")

    try:
        done = import_files(
            cache.engine(),
            paths,
            format=format,
            collection=name,
            on_existing=existing,  # type: ignore[arg-type]
            progress=shown,
        )
    except ValueError as problem:
        bar.empty()
        st.code(str(problem), language=None, wrap_lines=True)
        return
    st.session_state["imported"] = done
    st.session_state["uploads"] = st.session_state.get("uploads", 0) + 1
    cache.forget()
    st.rerun()


def finished(done: Imported) -> None:
    """What was stored, and the way to it."""
    with st.container(border=True):
        st.text(str(done))
        now = next((one for one in cache.collections() if one.name == done.collection), None)
        if now is not None and now.questions:
            with st.container(horizontal=True):
                st.page_link(
                    frame.path("question"),
                    label="Open the first question",
                    icon=":material/arrow_forward:",
                    query_params=wayfinding.to(now),
                )
                st.page_link(
                    frame.path("questions"),
                    label="All its questions",
                    query_params=state.address({state.COLLECTION: now.name}),
                )


@contextmanager
def on_disk(files: Sequence[UploadedFile]) -> Iterator[list[Path]]:
    """The uploads as files, for as long as they are read; their names say nothing about paths."""
    with tempfile.TemporaryDirectory(prefix="rank13-") as folder:
        paths = []
        for number, one in enumerate(files):
            safe = "".join(c if c.isalnum() or c in "._-" else "_" for c in one.name)[-80:]
            path = Path(folder) / str(number) / (safe.lstrip(".") or "upload")
            path.parent.mkdir()
            one.seek(0)
            with path.open("wb") as target:
                shutil.copyfileobj(one, target)
            paths.append(path)
        yield paths


def explained() -> None:
    """The smallest file that works, and the same from the command line."""
    st.html(
        '<div class="r13"><h2>The smallest file</h2><p class="soft">One question a line. The order '
        "of the passages is the ranking. Whatever else you have (scores, tokens, claims, facts, "
        "outcomes of two settings) adds to what the screens can say; see docs/format.md.</p></div>"
    )
    st.code(EXAMPLE, language=None, wrap_lines=True)
    st.html('<div class="r13"><h2>From the command line</h2></div>')
    st.code(
        'python -m storage import questions.jsonl --collection "My questions"',
        language=None,
        wrap_lines=True,
    )
    titles = text.listed([format_of(name).title for name in list_formats()])
    st.html(f'<p class="r13 soft">Formats: {text.plain(titles)}.</p>')
