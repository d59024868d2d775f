"""Outcomes of arms by themselves: one row or object for a question, an arm and a run."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from storage.formats._csv import csv_rows
from storage.formats._fields import Fields, quoted, shown
from storage.formats._files import Unreadable, explained, lines, name_of, opened
from storage.formats._json import Place, json_values
from storage.records import ArmOutcome
from storage.report import Problem, Report

NAMES: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "question_id", "id", "qid", "query_id"),
    "name": ("arm", "name", "variant", "system"),
    "run": ("run",),
    "correct": ("correct", "right", "is_correct"),
    "score": ("score",),
    "cited": ("cited",),
    "answer": ("answer", "response"),
    "setting": ("setting",),
    "sent": ("sent",),
}
"""What a column or field means, and the names it may have; the first that is there counts."""
YES, NO = ("true", "yes", "right", "correct", "1"), ("false", "no", "wrong", "incorrect", "0")
SEPARATORS = ("|", ";", ",")
HEADER = (
    "a first row with the columns 'question' and 'arm', and 'correct' or 'score' (also run, cited, "
    "answer, setting, sent),"
)
Found = tuple[str, ArmOutcome, str]
"""The id of the question, what one arm did on it, and where that stands in words."""


def read_outcomes(paths: Sequence[Path], report: Report) -> Iterator[Found]:
    """The outcomes of some files, CSV or JSON lines; what is wrong goes to the report."""
    seen: dict[tuple[str, str, int], str] = {}
    for path in paths:
        for fields in _rows(path, report):
            before = report.total
            found = _outcome(fields)
            if found is None or report.total > before:
                continue
            question, arm = found
            key = (question, arm.name, arm.run)
            if key in seen:
                what = f"question {quoted(question)}, arm {quoted(arm.name)}, run {arm.run} again"
                fields.wrong("", f"{what} (first in {seen[key]})", "each of these once")
                continue
            seen[key] = fields.where
            report.rows_usable += 1
            yield question, arm, fields.where


def _outcome(fields: Fields) -> tuple[str, ArmOutcome] | None:
    question = fields.identifier("question", required=True)
    name = fields.identifier("name", required=True)
    run = fields.whole("run", low=1)
    arm = ArmOutcome(
        name=name or "",
        run=1 if run is None else run,
        correct=fields.flag("correct"),
        score=fields.number("score"),
        cited=fields.flag("cited"),
        answer=fields.text("answer"),
        setting=fields.text("setting"),
        sent=fields.identifiers("sent"),
    )
    if arm.correct is None and arm.score is None and not fields.has("correct"):
        fields.wrong("correct", "no outcome", "right or wrong, or a score,")
    return None if question is None or name is None else (question, arm)


def _rows(path: Path, report: Report) -> Iterator[Fields]:
    """The rows of a file by what they mean."""
    return _of_json(path, report) if _is_json(path) else _of_table(path, report)


def _is_json(path: Path) -> bool:
    try:
        with opened(path) as stream:
            return stream.peek(1 << 12).lstrip()[:1] in (b"{", b"[")
    except (Unreadable, OSError, EOFError):
        return False  # the reader of tables says what is wrong


def _of_json(path: Path, report: Report) -> Iterator[Fields]:
    for place, value in json_values(path, report):
        fields = Fields({}, place, report)
        if not isinstance(value, dict):
            fields.wrong("", shown(value), "an object")
            continue
        fields.values = _meant(value)
        yield fields


def _of_table(path: Path, report: Report) -> Iterator[Fields]:
    file = name_of(path)
    with explained(path, report), opened(path) as stream:
        numbered = lines(stream, file, report)
        line, text = next(((n, text) for n, text, _ in numbered if text.strip()), (0, ""))
        delimiter = max(",;\t", key=text.count)
        cells = next(csv.reader([text.rstrip("\r\n")], delimiter=delimiter), [])
        header = [cell.strip() for cell in cells]
        there = _meant({name.casefold(): name for name in header})
        if not {"question", "name"} <= set(there) or not {"correct", "score"} & set(there):
            found = f"the first row {quoted(text.rstrip())}"
            report.add(Problem(file=file, line=line, found=found, accepted=HEADER))
            return
        place = Place(file, line, 0)
        for fields, sound in csv_rows(header, numbered, place, report, delimiter=delimiter):
            if sound:
                row = {name.casefold(): cell for name, cell in fields.values.items()}
                fields.values = {name: _cell(name, cell) for name, cell in _meant(row).items()}
                yield fields


def _meant(values: Mapping[str, Any]) -> dict[str, Any]:
    """Fields by meaning; others are left out."""
    return {
        meaning: next(values[name] for name in names if name in values)
        for meaning, names in NAMES.items()
        if any(name in values for name in names)
    }


def _cell(name: str, text: str) -> Any:
    """The value of a cell; one that cannot be read stays a text, and is refused as such."""
    bare = text.strip()
    if name in ("correct", "cited"):
        word = bare.casefold()
        return True if word in YES else False if word in NO else text
    if name in ("run", "score"):
        try:
            return int(bare) if bare.isdecimal() and bare.isascii() else float(bare)
        except ValueError:
            return text
    return _list(bare) if name == "sent" else text


def _list(text: str) -> Any:
    """Ids as a JSON list, or apart by |, semicolon or comma."""
    if text.startswith("["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    mark = next((one for one in SEPARATORS if one in text), "|")
    return [part.strip() for part in text.split(mark) if part.strip()]
