"""The import form: files, what they are, a report before anything is stored, then storing."""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.ui import cache, diagnosis, frame, gate, guide, ladder, state, text, wayfinding
from storage.access import Role
from storage.doctor import Examination, examine
from storage.formats import format_of, guess, list_formats
from storage.imports import Imported, import_files
from storage.report import Problem, Report
from storage.views import CollectionView

T = TypeVar("T")
_log = logging.getLogger(__name__)

MOST_MEGABYTES = 200
MOST_BYTES = MOST_MEGABYTES * 2**20
MOST_PROBLEMS = 200
MOST_WORDS = 300
FEW = 6
EXAMPLE = json.dumps(
    {
        "question": "How long do I have to return a jacket?",
        "passages": [
            "Jackets can be returned within 30 days.",
            "Sale items can be exchanged, not returned.",
        ],
    }
)
COMMAND = 'python -m storage import questions.jsonl --collection "My questions"'
TAKEN = {"add": "Add new questions", "update": "Add new, replace changed"}
_CHECKED, _DONE, _TURN, _STOPPED = "checked-files", "imported", "uploads", "import-stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a look at the uploads found. files: which uploads; read_as: None where nobody knows."""

    files: tuple[str, ...]
    read_as: str | None
    guessed: str | None
    examination: Examination | None
    failure: str = ""


def form(into: CollectionView | None, collections: Sequence[CollectionView]) -> None:
    """The whole form. into: a collection of one's own that the files are for, if any."""
    if not gate.may(Role.EDITOR):
        st.text("You may read here; bringing in questions needs the role of editor.")
        return
    left, right = st.columns([3, 2], gap="large")
    with right:
        explained()
    with left:
        files = st.file_uploader(
            "Files that belong together" if into is None else f"Files for {text.label(into.name)}",
            accept_multiple_files=True,
            max_upload_size=MOST_MEGABYTES,
            key=f"upload-{st.session_state.get(_TURN, 0)}",
            help=f"Up to {MOST_MEGABYTES} MB a file. A run and its judgements are one import.",
        )
        if st.session_state.pop(_STOPPED, False):
            refused("The import was stopped. Nothing was stored.")
        if files:
            st.session_state.pop(_DONE, None)
            confirm(files, into, collections)
        elif _DONE in st.session_state:
            finished(st.session_state[_DONE])


def confirm(
    files: Sequence[UploadedFile],
    into: CollectionView | None,
    collections: Sequence[CollectionView],
) -> None:
    """What the files seem to be, the report on them, the name, and the button that stores them."""
    large = [one.name for one in files if one.size > MOST_BYTES]
    if large:
        refused(
            f"{text.listed(large)}: larger than {MOST_MEGABYTES} MB. Larger files go in by the "
            "command line, which reads them in constant memory. Nothing was stored."
        )
        return
    empty = [one.name for one in files if not one.size]
    if empty:
        verb = "is" if len(empty) == 1 else "are"
        refused(f"{text.listed(empty)} {verb} empty. Nothing was stored.")
        return
    names = tuple(f"{one.file_id}/{one.size}" for one in files)
    known = st.session_state.get(_CHECKED)
    guessed = known.guessed if known and known.files == names else guessed_format(files)
    read_as = chosen_format(names, guessed)
    if read_as is None:
        st.text("What these files are could not be guessed from what is in them.")
        return
    if known is None or (known.files, known.read_as) != (names, read_as):
        known = checked(files, names, read_as, guessed)
        st.session_state[_CHECKED] = known
    found = known.examination
    if found is None:
        refused(known.failure)
        return
    reported(found.report)
    if not found.report.total:
        diagnosis.expected(found)
        named(files, read_as, found.report, into, collections)


def guessed_format(files: Sequence[UploadedFile]) -> str | None:
    """What the first file looks like, else what its name says; None where neither tells."""
    ending = Path(files[0].name.lower().removesuffix(".gz")).suffix
    formats = [format_of(name) for name in list_formats()]
    likely = [one.name for one in formats if one.reads and ending in one.suffixes]
    likely.sort(key=lambda name: not format_of(name).writes)
    found, _ = attempted(lambda: _guess(files[:1]), "The files cannot be read")
    return found or next(iter(likely), None)


def _guess(files: Sequence[UploadedFile]) -> str | None:
    with on_disk(files) as paths:
        return guess(paths[0])


def chosen_format(names: tuple[str, ...], guessed: str | None) -> str | None:
    """The format that the person confirms or chooses, with what it is."""
    readable = [name for name in list_formats() if format_of(name).reads]
    chosen = st.selectbox(
        "They are" if guessed is None else "They seem to be",
        readable,
        index=readable.index(guessed) if guessed in readable else None,
        format_func=lambda name: format_of(name).title,
        placeholder="choose a format",
        key=f"w-format-{'-'.join(names)}",
        width=320,
    )
    if chosen is not None:
        st.html(f'<p class="r13 soft">{text.plain(format_of(chosen).help)}</p>')
    return chosen


def checked(
    files: Sequence[UploadedFile], names: tuple[str, ...], read_as: str, guessed: str | None
) -> Checked:
    """Read the files once and keep what was found, so that typing a name reads nothing again."""
    bar = st.progress(0.0, "Looking at the files")

    def shown(read: int) -> None:
        if read % 100 == 0:
            bar.progress(0.5, f"{text.counted(read, 'row')} looked at")

    def look() -> Examination:
        with on_disk(files) as paths:
            return examine(paths, format=read_as, progress=shown)

    found, failure = attempted(look, "The files cannot be read")
    bar.empty()
    return Checked(
        files=names, read_as=read_as, guessed=guessed, examination=found, failure=failure
    )


def attempted(work: Callable[[], T], what: str) -> tuple[T | None, str]:
    """Do something that may fail on files from outside; the result, or why there is none."""
    try:
        return work(), ""
    except ValueError as problem:
        return None, str(problem)
    except Exception as problem:
        _log.exception("%s", what)
        return None, f"{what}: {type(problem).__name__}. Nothing was stored."


def refused(words: str) -> None:
    """Why nothing can be stored; the words may quote the file."""
    st.html(f'<p class="r13 refused">{text.plain(words)}</p>')


def reported(report: Report) -> None:
    """What was read: usable, problems with their places, what was guessed."""
    rows = text.counted(report.rows_read, "row")
    if not report.rows_read and not report.total:
        refused("There is no question in these files. Nothing was stored.")
        return
    if not report.total:
        lines = [f"{report.rows_usable:,} of {rows} can be stored."]
        lines += [*report.warnings, *report.guesses]
        said = "<br>".join(text.plain(text.shortened(line, MOST_WORDS)) for line in lines)
        st.html(f'<p class="r13 accepted">{said}</p>')
        return
    among = f" in {rows}, {report.rows_usable:,} of them usable" if report.rows_read else ""
    refused(
        f"{text.counted(report.total, 'problem')}{among}. "
        "Nothing was stored; a file goes in whole or not at all."
    )
    with st.container(height=320 if len(report.problems) > FEW else "content", border=False):
        st.html(problems_html(report))
    for line in (*report.warnings, *report.guesses):
        st.text(text.shortened(line, MOST_WORDS))


def problems_html(report: Report) -> str:
    """Every problem with its place, what was found there, and what is accepted."""
    rows = "".join(_problem_row(one) for one in report.problems[:MOST_PROBLEMS])
    more = report.total - min(len(report.problems), MOST_PROBLEMS)
    rest = f'<p class="r13 soft">and {more:,} more</p>' if more else ""
    return (
        '<table class="r13 problems"><caption class="sr">Problems</caption><thead><tr>'
        '<th scope="col">where</th><th scope="col">found</th><th scope="col">accepted</th></tr>'
        f"</thead><tbody>{rows}</tbody></table>{rest}"
    )


def _problem_row(one: Problem) -> str:
    found, accepted = (
        text.plain(text.shortened(words, MOST_WORDS)) for words in (one.found, one.accepted)
    )
    place = text.plain(text.shortened(one.place, MOST_WORDS))
    return f'<tr><th scope="row">{place}</th><td>{found}</td><td>{accepted}</td></tr>'


def named(
    files: Sequence[UploadedFile],
    read_as: str,
    report: Report,
    into: CollectionView | None,
    collections: Sequence[CollectionView],
) -> None:
    """The name of the collection, what happens where it is taken, and the button."""
    if not report.rows_read:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        name = st.text_input(
            "Name of the collection",
            value=into.name if into is not None else Path(files[0].name).stem[:200],
            max_chars=200,
            width=320,
        ).strip()
        taken = next((one for one in collections if one.name == name), None)
        existing: str | None = "refuse"
        if taken is not None and not taken.made_up:
            existing = st.segmented_control(
                "This collection is stored already",
                list(TAKEN),
                default="update" if into is not None and into.name == name else None,
                format_func=TAKEN.__getitem__,
            )
        free = taken is None or not taken.made_up
        redact = st.checkbox(
            "Mask personal data",
            help="E-mail addresses and numbers of accounts, cards and telephones become blocks "
            "before anything is stored. Names of people are not found.",
        )
        pressed = st.button(
            "Import",
            type="primary",
            icon=":material/upload:",
            disabled=not name or not free or existing is None,
        )
    if not free:
        st.text("A built-in collection has that name, and it is made up; choose another name.")
    elif existing is None:
        st.text("The name is taken: say what to do with what is there, or choose another name.")
    if pressed and existing is not None:
        store(files, read_as=read_as, name=name, existing=existing, redact=redact, of=report)


def store(
    files: Sequence[UploadedFile],
    *,
    read_as: str,
    name: str,
    existing: str,
    redact: bool,
    of: Report,
) -> None:
    """Import with a progress bar; afterwards the page starts anew and says what was done.

    Stop, or anything else on the page, ends it; then nothing is stored.
    """
    bar = st.progress(0.0, "Starting")
    stop = st.empty()
    stop.button("Stop", key="w-stop-import", on_click=_stopped)
    total = max(1, of.rows_usable)

    def shown(read: int) -> None:
        bar.progress(min(1.0, read / total), f"{text.counted(read, 'question')} read")

    def work() -> Imported:
        with on_disk(files) as paths:
            return import_files(
                cache.writing(Role.EDITOR),
                paths,
                format=read_as,
                collection=name,
                on_existing=existing,  # type: ignore[arg-type]
                redact=redact,
                progress=shown,
            )

    done, failure = attempted(work, "The import failed")
    if done is None:
        bar.empty()
        stop.empty()
        refused(failure)
        return
    st.session_state[_DONE] = done
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
    st.session_state.pop(_CHECKED, None)
    cache.forget()
    st.rerun()


def _stopped() -> None:
    st.session_state[_STOPPED] = True


def finished(done: Imported) -> None:
    """What was stored, what is worth knowing about it, and the way to it."""
    with st.container(border=True, gap="xsmall"):
        st.html(f'<div class="r13 card"><h2>{text.plain(done)}</h2></div>')
        now = next((one for one in cache.collections() if one.name == done.collection), None)
        if now is None or not now.questions:
            return
        st.html(f'<p class="r13 soft">{wayfinding.counts(now)}; {ladder.step_words(now)}</p>')
        with st.container(horizontal=True, gap="small"):
            st.page_link(
                frame.path("question"),
                label="Open the first question",
                icon=":material/arrow_forward:",
                query_params=wayfinding.to(now),
            )
            st.page_link(
                frame.path("questions"),
                label="All its questions",
                icon=":material/arrow_forward:",
                query_params=state.address({state.COLLECTION: now.name}),
            )
            ladder.next_step(now)


@contextmanager
def on_disk(files: Sequence[UploadedFile]) -> Iterator[list[Path]]:
    """The uploads as files, for as long as they are read; their names say nothing about paths."""
    with tempfile.TemporaryDirectory(prefix="rank13-") as folder:
        paths = []
        for number, one in enumerate(files):
            safe = "".join(c if c.isalnum() or c in "._- " else "_" for c in one.name)[-80:]
            path = Path(folder) / str(number) / (safe.strip(" .") or "upload")
            path.parent.mkdir()
            one.seek(0)
            with path.open("wb") as target:
                shutil.copyfileobj(one, target)
            paths.append(path)
        yield paths


def explained() -> None:
    """The smallest file that works, and the same from the command line."""
    st.html(
        '<div class="r13"><h2>The smallest file</h2><p class="soft">One question a line; the order '
        "of the passages is the ranking. Scores, tokens, claims, facts and the outcomes of two "
        "settings add to what the screens can say.</p></div>"
    )
    st.code(EXAMPLE, language=None, wrap_lines=True)
    readable = [format_of(name).title for name in list_formats() if format_of(name).reads]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        guide.format_button()
        st.html(f'<p class="r13 soft">Formats: {text.plain(text.listed(readable))}.</p>')
    st.html('<p class="r13">The same from the command line, for files of any size:</p>')
    st.code(COMMAND, language=None, wrap_lines=True)
