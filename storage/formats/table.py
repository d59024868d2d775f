"""The plainest file there is: a table with a question and a passage in each row."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from storage.formats import Format, Peek, register_format
from storage.formats._faq import kind as faq_kind
from storage.formats._faq import read_faq
from storage.formats._fields import Fields, plain, quoted
from storage.formats._files import LONGEST_LINE, explained, lines, name_of, opened
from storage.formats._json import Place
from storage.formats._peek import peek as look
from storage.formats._records import QuestionIds
from storage.records import PassageRecord, QuestionRecord
from storage.report import Problem, Report

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "query", "user_input"),
    "passage": ("passage", "text", "passage_text", "content", "contents", "context", "document"),
    "id": ("id", "question_id", "query_id", "qid"),
    "passage_id": ("passage_id", "doc_id", "docid", "document_id", "chunk_id"),
    "score": ("score",),
    "tokens": ("tokens", "token_count"),
    "answer": ("answer",),
}
"""What a column means, and the names it may have; the first that is there counts."""

REQUIRED = ("question", "passage")
DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab"}
HEADER = "a first row with the columns 'question' and 'passage', apart by comma, semicolon or tab,"
OPEN_RAG_EVAL = ("generated_answer", "query", "passage_id", "passage")
WITHOUT_ANSWERS = "a table without that column, or the format open-rag-eval,"
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)

EXAMPLE = """\
id,question,passage_id,passage,tokens,score
q1,How long is the refund window?,p1,Refunds within 30 days.,5,0.9
q1,How long is the refund window?,p2,"Shipping takes 5 days,
at most.",6,0.4
q2,How long does shipping take?,p2,Shipping takes 5 days.,,
"""

csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))


@register_format(
    "table",
    title="Table (CSV or TSV)",
    suffixes=(".csv", ".tsv", ".txt"),
    ranked=True,
    help="One row a passage, with the columns question and passage; their order is the ranking.",
    example={"questions.csv": EXAMPLE},
)
class Table(Format):
    """Rows of one question may stand together or apart; the whole table is read first.

    An FAQ with a table of pairs in the same import is read as well, see `read_faq`.
    """

    def recognises(self, peek: Peek) -> int:
        header = _header(peek.first_line)
        if faq_kind(peek.first_line):
            return len(REQUIRED)
        return sum(name in header.columns for name in REQUIRED) if header.complete else 0

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        if any(faq_kind(look(path).first_line) for path in paths):
            yield from read_faq(paths, report)
            return
        ids = QuestionIds()
        for path in paths:
            for group in _groups(path, report).values():
                record = group.record(ids, report)
                if record is not None:
                    report.rows_usable += len(group.passages)
                    yield record


@dataclass(frozen=True, slots=True)
class _Header:
    """delimiter between cells; names of all columns; columns: meaning -> name of the column."""

    delimiter: str
    names: tuple[str, ...]
    columns: Mapping[str, str]

    @property
    def complete(self) -> bool:
        return all(name in self.columns for name in REQUIRED)


@dataclass(slots=True)
class _Group:
    """The rows of one question so far. broken: one of them has a problem."""

    fields: Fields
    id: str
    question: str
    answer: str = ""
    passages: list[PassageRecord] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    broken: bool = False

    def record(self, ids: QuestionIds, report: Report) -> QuestionRecord | None:
        """The question; None where a row of it has a problem or its id is taken."""
        where = self.fields.where
        taken = ids.claim(self.id, where) if self.id else None
        if taken is not None:
            found = f"{quoted(self.id)}, which {taken} has as well"
            self.fields.wrong("id", found, "an id that no other question has")
            return None
        if self.broken:
            return None
        return QuestionRecord(
            id=self.id or ids.made(self.question, where),
            question=self.question,
            passages=tuple(self.passages),
            metadata={"answer": self.answer} if self.answer else {},
        )


_Groups = dict[tuple[str, str], _Group]


def _groups(path: Path, report: Report) -> _Groups:
    """The questions of one table by id, or by text where there is no id, in order of appearance."""
    file, before = name_of(path), report.total
    groups: _Groups = {}
    with explained(path, report), opened(path) as stream:
        numbered = lines(stream, file, report)
        for number, line, _ in numbered:
            if line.strip():
                header = _checked_header(line, file, number, report)
                if header is not None:
                    texts = (text for _, text, _ in numbered)
                    _collect(groups, header, texts, Place(file, number, 0), report)
                break
    if not groups and report.total == before:
        report.add(Problem(file=file, found="no question", accepted=HEADER + " then rows,"))
    if len(groups) > 1 and all(len(group.passages) == 1 for group in groups.values()):
        report.warn(f"Every question in {file} has one passage only: is its id one of passages?")
    return groups


def _header(line: str) -> _Header:
    """The columns by the delimiter that gives most of them a meaning."""
    found = [_split(line, delimiter) for delimiter in DELIMITERS]
    return max(found, key=lambda header: len(header.columns))


def _split(line: str, delimiter: str) -> _Header:
    try:
        cells = next(csv.reader([line.rstrip("\r\n")], delimiter=delimiter, strict=True), [])
    except csv.Error:
        cells = []
    names = tuple(cell.strip() or f"column {at}" for at, cell in enumerate(cells, start=1))
    by_plain = {re.sub(r"[\s-]+", "_", name.casefold()): name for name in reversed(names)}
    columns = {
        meaning: by_plain[known]
        for meaning, aliases in COLUMNS.items()
        for known in reversed(aliases)
        if known in by_plain
    }
    return _Header(delimiter, names, columns)


def _checked_header(line: str, file: str, number: int, report: Report) -> _Header | None:
    header = _header(line)
    twice = next((name for name in header.names if header.names.count(name) > 1), None)
    if set(OPEN_RAG_EVAL) <= set(header.names):
        found = f"the column {OPEN_RAG_EVAL[0]!r}, as open-rag-eval has it"
        report.add(Problem(file=file, line=number, found=found, accepted=WITHOUT_ANSWERS))
        return None
    if not header.complete:
        found = f"the first row {quoted(line.rstrip())}"
        report.add(Problem(file=file, line=number, found=found, accepted=HEADER))
        return None
    if twice is not None:
        found = f"the column {quoted(twice)} twice"
        report.add(Problem(file=file, line=number, found=found, accepted="each column once"))
        return None
    if header.delimiter != ",":
        report.guess(f"Cells of {file} are taken to be apart by {DELIMITERS[header.delimiter]}.")
    for meaning, name in header.columns.items():
        if name != meaning:
            report.guess(f"The column {quoted(name)} of {file} is read as {meaning!r}.")
    rest = [quoted(name) for name in header.names if name not in header.columns.values()]
    if rest:
        kept = "are kept as metadata of the passages"
        report.guess(f"Columns of {file} without a known name {kept}: {', '.join(rest)}.")
    return header


def _collect(
    groups: _Groups, header: _Header, texts: Iterator[str], start: Place, report: Report
) -> None:
    """Add each row to its question. start: where the header stands."""
    reader = csv.reader(texts, delimiter=header.delimiter, strict=True)
    for record in count(1):
        place = Place(start.file, start.line + reader.line_num + 1, record)
        before = report.total
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            report.rows_read += 1
            rule = "a cell in quotes that are closed, with a quote inside written twice,"
            Fields({}, place, report).wrong("", f"a row that cannot be read ({error})", rule)
            continue
        if not any(map(str.strip, cells)):
            continue
        report.rows_read += 1
        fields = Fields(_values(header, cells), place, report)
        if len(cells) != len(header.names):
            found, accepted = f"{len(cells)} cells", f"{len(header.names)}, as in the first row,"
            fields.wrong("", found, accepted)
            continue
        group = _add(groups, header.columns, fields)
        if group is not None and report.total > before:
            group.broken = True


def _values(header: _Header, cells: Sequence[str]) -> dict[str, Any]:
    """Cells by the name of their column, blank ones left out, numbers as numbers."""
    values: dict[str, Any] = {
        name: cell for name, cell in zip(header.names, cells, strict=False) if cell.strip()
    }
    for meaning in ("score", "tokens"):
        name = header.columns.get(meaning, "")
        if NUMBER.fullmatch(values.get(name, "").strip()):
            values[name] = float(values[name].strip())
    return values


def _add(groups: _Groups, columns: Mapping[str, str], fields: Fields) -> _Group | None:
    if not all([_filled(fields, columns, "id"), _filled(fields, columns, "passage")]):
        return None
    id = fields.identifier(columns.get("id", "")) or ""
    question = fields.text(columns["question"]) or ""
    group = groups.get(_key(id, question))
    if group is None:
        if not _filled(fields, columns, "question"):
            return None
        group = groups[_key(id, question)] = _Group(fields, id, question)
    elif question and question != group.question:
        found = f"{quoted(question)}, where {quoted(id)} asked {quoted(group.question)} before"
        fields.wrong(columns["question"], found, "one question for each id")
    group.answer = group.answer or fields.text(columns.get("answer", "")) or ""
    group.passages.append(_passage(group, columns, fields))
    return group


def _filled(fields: Fields, columns: Mapping[str, str], meaning: str) -> bool:
    """Whether a cell is not blank, if there is such a column; a blank one is reported."""
    name = columns.get(meaning)
    filled = name is None or name in fields.values
    if not filled:
        fields.wrong(str(name), "an empty cell", "a cell with text")
    return filled


def _key(id: str, question: str) -> tuple[str, str]:
    return ("id", id) if id else ("question", question)


def _passage(group: _Group, columns: Mapping[str, str], fields: Fields) -> PassageRecord:
    id = fields.identifier(columns.get("passage_id", "")) or f"rank-{len(group.passages) + 1}"
    if id in group.taken:
        name = columns.get("passage_id", "passage_id")
        found = f"{quoted(id)}, which an earlier passage of the question has as well"
        fields.wrong(name, found, "an id that no other passage of the question has")
    group.taken.add(id)
    known = columns.values()
    rest = {plain(name): cell for name, cell in fields.values.items() if name not in known}
    return PassageRecord(
        id=id,
        text=fields.text(columns["passage"]) or "",
        tokens=fields.whole(columns.get("tokens", "")),
        score=fields.number(columns.get("score", "")),
        metadata=dict(fields.checked(rest)),
    )
