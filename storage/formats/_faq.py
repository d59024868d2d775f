"""FAQ tables: entries with their answers, and pairs that say which entry a question is asking."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from storage.formats._csv import csv_rows
from storage.formats._fields import Fields, plain
from storage.formats._files import explained, lines, name_of, opened
from storage.formats._grouped import OneFile
from storage.formats._json import Place
from storage.formats._peek import peek
from storage.formats._records import QuestionIds
from storage.records import PassageRecord, QuestionRecord
from storage.report import Problem, Report

ENTRY = frozenset(("question", "answer"))
PAIR = frozenset(("question_1", "question_2", "similar"))
HTML = "answer_html"
DELIMITERS = ",;\t"
NO_POOL = (
    "an FAQ: entries with their answers, but nobody's questions, so there is nothing to select for"
)
NO_ENTRIES = "pairs of questions without the FAQ itself: there is no pool to select from"
ACCEPTED = (
    "the FAQ with a table of pairs in the same import (question_1 of an entry, question_2 as "
    "somebody asks it, similar 1 or 0), or a table with the columns 'question' and 'passage'"
)


def kind(first_line: str) -> str:
    """Whether the first row is that of entries or of pairs; empty for other tables."""
    names = set(_header(first_line)[0])
    if names >= PAIR:
        return "pairs"
    return "entries" if names >= ENTRY and HTML in names else ""


def read_faq(paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
    """One question for each way somebody asks; its pool is the whole FAQ, in no ranking.

    An entry that a pair calls similar holds the answer. A question that no pair calls similar to
    anything is left out: nobody knows its answer.
    """
    entries: dict[str, PassageRecord] = {}
    asked: dict[str, list[str]] = {}
    where: dict[str, Fields] = {}
    once = OneFile()
    before = report.total
    for at, path in enumerate(paths):
        for fields, sound in _rows(path, report):
            start = report.total
            if fields.known >= PAIR:
                _take_pair(fields, asked, where, once, at)
            else:
                _take_entry(fields, entries, plain(f"{path.stem} {fields.place.record}"))
            report.rows_usable += sound and report.total == start
    if report.total == before and not (entries and asked):
        found = NO_ENTRIES if asked else NO_POOL
        report.add(Problem(file=name_of(paths[0]), found=found, accepted=ACCEPTED))
    if entries:
        yield from _questions(entries, asked, where, report)


def _questions(
    entries: dict[str, PassageRecord],
    asked: dict[str, list[str]],
    where: dict[str, Fields],
    report: Report,
) -> Iterator[QuestionRecord]:
    ids = QuestionIds()
    by_question: dict[str, list[str]] = {}
    for id, passage in entries.items():
        by_question.setdefault(_same(str(passage.metadata["title"])), []).append(id)
    for question, similar in asked.items():
        bearing = [id for one in similar for id in by_question.get(_same(one), ())]
        if not bearing:
            report.warn("A pair names an entry that the FAQ does not have.")
        yield QuestionRecord(
            id=ids.made(question, where[question].where),
            question=question,
            passages=tuple(entries.values()),
            answer_bearing=tuple(dict.fromkeys(bearing)) or None,
            ranked=False,
        )


class _Row(Fields):
    """A row that knows the columns of its table. known: their names."""

    __slots__ = ("known",)

    def __init__(self, fields: Fields, known: frozenset[str]) -> None:
        super().__init__(fields.values, fields.place, fields.report)
        self.known = known


def _take_pair(
    fields: Fields, asked: dict[str, list[str]], where: dict[str, Fields], once: OneFile, at: int
) -> None:
    entry = fields.text("question_1", required=True)
    question = fields.text("question_2", required=True)
    similar = str(fields.values.get("similar", "")).strip()
    if similar not in ("0", "1"):
        fields.wrong("similar", repr(similar), "0 or 1")
    if entry is None or question is None or similar != "1":
        return
    if once.takes(question, at, fields, "question_2"):
        where.setdefault(question, fields)
        asked.setdefault(question, []).append(entry)


def _take_entry(fields: Fields, entries: dict[str, PassageRecord], id: str) -> None:
    question = fields.text("question", required=True)
    answer = fields.text("answer") or ""
    if not answer:
        fields.warn("An entry has no answer: its question alone is what it says.")
    known = {"question", "answer", HTML}
    rest = {n: cell.strip() for n, cell in fields.values.items() if n not in known}
    if question is not None:
        title = question.strip()
        entries[id] = PassageRecord(
            id=id,
            text=f"{title}\n{answer.strip()}".strip(),
            metadata={"title": title, **fields.checked(rest)},
        )


def _same(question: str) -> str:
    return " ".join(question.split()).casefold()


def _header(line: str) -> tuple[list[str], str]:
    """Names of columns, and what stands between them: whatever gives most of them."""
    found = [(_names(line, delimiter), delimiter) for delimiter in DELIMITERS]
    return max(found, key=lambda one: len(one[0]))


def _names(line: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader([line.rstrip("\r\n")], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return []
    return [cell.strip() for cell in cells]


def _rows(path: Path, report: Report) -> Iterator[tuple[_Row, bool]]:
    file = name_of(path)
    if not kind(peek(path).first_line):
        with explained(path, report), opened(path):
            found = "a table that is neither an FAQ nor its pairs"
            report.add(Problem(file=file, found=found, accepted=ACCEPTED))
        return
    with explained(path, report), opened(path) as stream:
        numbered = lines(stream, file, report)
        line, text = next(((n, text) for n, text, _ in numbered if text.strip()), (0, ""))
        header, delimiter = _header(text)
        place = Place(file, line, 0)
        for fields, sound in csv_rows(header, numbered, place, report, delimiter=delimiter):
            yield _Row(fields, frozenset(header)), sound
