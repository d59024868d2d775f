"""open-rag-eval: what a RAG system retrieved and answered, one passage a row.

Layout: vectara/open-rag-eval, the CSV that its connectors write and its evaluators read.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from storage.formats import Format, Peek, register_format
from storage.formats._csv import csv_rows
from storage.formats._fields import Fields, plain, quoted
from storage.formats._files import explained, lines, name_of, opened
from storage.formats._grouped import OneFile
from storage.formats._json import Place
from storage.formats._records import QuestionIds
from storage.records import ArmOutcome, PassageRecord, QuestionRecord
from storage.report import Problem, Report

REQUIRED = ("query", "passage_id", "passage", "generated_answer")
OPTIONAL = ("query_id", "query_run")
HEADER = (
    "a first row with the columns 'query', 'passage_id', 'passage' and 'generated_answer', apart "
    "by comma,"
)
FAILED = ("NO_ANSWER", "API_ERROR")
ARM = "generated answer"

EXAMPLE = """\
query_id,query,query_run,passage_id,passage,generated_answer
q1,How long is the refund window?,1,[1],Refunds within 30 days.,30 days [1]
q1,How long is the refund window?,1,[2],"Shipping takes 5 days,
at most.",
q2,How long does shipping take?,1,[1],Shipping takes 5 days.,NO_ANSWER
"""


@register_format(
    "open-rag-eval",
    title="open-rag-eval",
    suffixes=(".csv",),
    ranked=True,
    help="A row for each retrieved passage; the answer stands in the first row of its question.",
    example={"open-rag-eval.csv": EXAMPLE},
)
class OpenRagEval(Format):
    """The order of rows is the ranking. Each run of a question is one run of an arm.

    Where runs retrieved different passages, the pool is what any of them did, first come first.
    """

    def recognises(self, peek: Peek) -> int:
        names = _cells(peek.first_line)
        return len(REQUIRED) if set(REQUIRED) <= set(names) else 0

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        ids, once = QuestionIds(), OneFile()
        for at, path in enumerate(paths):
            groups: dict[str, _Question] = {}
            before = report.total
            for fields, sound in _rows(path, report):
                _add(groups, fields, at, once, sound=sound)
            if not groups and report.total == before:
                problem = Problem(file=name_of(path), found="no question", accepted=HEADER)
                report.add(problem)
            for group in groups.values():
                if not group.broken:
                    report.rows_usable += group.rows
                    yield group.record(ids)


@dataclass(slots=True)
class _Question:
    """The rows of one question so far. answers, sent: by run. broken: a row has a problem."""

    fields: Fields
    id: str
    text: str
    passages: dict[str, PassageRecord] = field(default_factory=dict)
    answers: dict[int, str] = field(default_factory=dict)
    sent: dict[int, list[str]] = field(default_factory=dict)
    rows: int = 0
    broken: bool = False

    def record(self, ids: QuestionIds) -> QuestionRecord:
        if len({tuple(sent) for sent in self.sent.values()}) > 1:
            self.fields.warn(
                "Runs of a question retrieved different passages: all are in its pool."
            )
        return QuestionRecord(
            id=self.id or ids.made(self.text, self.fields.where),
            question=self.text,
            passages=tuple(self.passages.values()),
            arms=tuple(
                ArmOutcome(name=ARM, run=run, answer=self.answers.get(run), sent=tuple(sent))
                for run, sent in self.sent.items()
            ),
        )


def _add(
    groups: dict[str, _Question], fields: Fields, at: int, once: OneFile, *, sound: bool
) -> None:
    before = fields.report.total
    text = fields.text("query", required=True, blank=False)
    id = fields.identifier("query_id") or ""
    passage = fields.identifier("passage_id", required=True)
    run = fields.whole("query_run", low=1) or 1
    answer = fields.text("generated_answer")
    said = fields.text("passage", required=True) or ""
    key = id or text or ""
    if text is not None and once.takes(key, at, fields, "query_id" if id else "query"):
        group = groups.setdefault(key, _Question(fields, id, text))
        if group.text != text:
            found = f"{quoted(text)}, where {quoted(id)} asked {quoted(group.text)} before"
            fields.wrong("query", found, "one question for each id")
        if passage is not None:
            _take_passage(group, fields, passage, said, run)
        if answer:
            _take_answer(group, fields, answer, run)
        group.rows += 1
        group.broken |= not sound or fields.report.total > before


def _take_passage(group: _Question, fields: Fields, id: str, text: str, run: int) -> None:
    known = {*REQUIRED, *OPTIONAL}
    rest = {plain(name): cell for name, cell in fields.values.items() if name not in known}
    record = PassageRecord(id=id, text=text, metadata=dict(fields.checked(rest)))
    # Runs number their passages anew: [1] of the second run may be another text.
    if (
        id in group.passages
        and group.passages[id].text != text
        and id not in group.sent.get(run, ())
    ):
        id = f"{id} run {run}"
        record = PassageRecord(id=id, text=text, metadata=record.metadata)
    sent = group.sent.setdefault(run, [])
    if id in sent:
        found = f"{quoted(id)}, which an earlier passage of the run has as well"
        fields.wrong("passage_id", found, "an id that no other passage of the run has")
    sent.append(id)
    group.passages.setdefault(id, record)


def _take_answer(group: _Question, fields: Fields, answer: str, run: int) -> None:
    if answer.strip() in FAILED:
        fields.warn(f"A question was not answered ({answer.strip()}); its passages are kept.")
    elif group.answers.setdefault(run, answer) != answer:
        fields.wrong("generated_answer", "another answer to the same run", "one answer a run")


def _cells(line: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line.rstrip("\r\n")], strict=True), [])]
    except csv.Error:
        return []


def _rows(path: Path, report: Report) -> Iterator[tuple[Fields, bool]]:
    """The rows of the table, without blank cells, and whether every byte of a row is sound."""
    file = name_of(path)
    with explained(path, report), opened(path) as stream:
        numbered = lines(stream, file, report)
        line, text = next(((n, text) for n, text, _ in numbered if text.strip()), (0, ""))
        header = _cells(text)
        if not header:
            return
        if not set(REQUIRED) <= set(header) or len(set(header)) < len(header):
            found = f"the first row {quoted(text.rstrip())}"
            report.add(Problem(file=file, line=line, found=found, accepted=HEADER))
            return
        for fields, sound in csv_rows(
            header, numbered, Place(file, line, 0), report, delimiter=","
        ):
            fields.values = _values(fields.values)
            yield fields, sound


def _values(filled: Mapping[str, Any]) -> dict[str, Any]:
    run = str(filled.get("query_run", "")).strip()
    known = run.isascii() and run.isdecimal() and len(run) < 10
    return {**filled, "query_run": int(run)} if known else dict(filled)
