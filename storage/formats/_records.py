"""From JSON values to questions: what every JSON format shares, ids of questions included."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from storage.formats._fields import OBJECT, Fields, quoted, shown
from storage.formats._json import Place, json_values
from storage.records import QuestionRecord
from storage.report import Report

Parse = Callable[[Fields], QuestionRecord | None]
Values = Callable[[Path, Report], Iterator[tuple[Place, Any]]]


class QuestionIds:
    """The ids of the questions read so far, over all files of an import."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def claim(self, id: str, where: str) -> str | None:
        """Take an id. None: it was free; else the place that has it."""
        taken = self._first.get(id)
        if taken is None:
            self._first[id] = where
        return taken

    def made(self, question: str, where: str) -> str:
        """An id for a question without one: from its text, so that the same file gives the same.

        Questions with the same text are counted: the second ends in -2.
        """
        stem = "q-" + hashlib.sha256(question.encode()).hexdigest()[:12]
        id, times = stem, 1
        while self.claim(id, where) is not None:
            times += 1
            id = f"{stem}-{times}"
        return id


def read_records(
    paths: Sequence[Path],
    report: Report,
    parse: Parse,
    *,
    id_field: str = "id",
    values: Values = json_values,
) -> Iterator[QuestionRecord]:
    """Questions of files, one object a question; those with problems are left out.

    parse: makes a record, with an empty id where the file gives none; None where it cannot.
    values: takes a file apart into its objects.
    """
    ids = QuestionIds()
    for path in paths:
        for place, value in values(path, report):
            before = report.total
            record = _one(Fields({}, place, report), value, parse, ids, id_field)
            if record is not None and report.total == before:
                report.rows_usable += 1
                yield record


def _one(
    fields: Fields, value: object, parse: Parse, ids: QuestionIds, id_field: str
) -> QuestionRecord | None:
    if not isinstance(value, dict):
        fields.wrong("", shown(value), OBJECT)
        return None
    fields.values = value
    record = parse(fields)
    if record is None:
        return None
    if not record.passages:
        fields.warn("A question has no passages.")
    if not all(passage.text.strip() for passage in record.passages):
        fields.warn("A passage has no text, so nothing can be computed from it.")
    where = fields.where
    if not record.id:
        return dataclasses.replace(record, id=ids.made(record.question, where))
    taken = ids.claim(record.id, where)
    if taken is not None:
        found = f"{quoted(record.id)}, which {taken} has as well"
        fields.wrong(id_field, found, "an id that no other question has")
    return record
