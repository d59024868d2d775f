"""BEIR: a corpus, queries and judgments, with the run of a retriever; all files are one import.

Thakur, Reimers, Rücklé, Srivastava and Gurevych, "BEIR: A Heterogeneous Benchmark for Zero-shot
Evaluation of Information Retrieval Models", NeurIPS 2021.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from storage.formats import Format, Peek, register_format
from storage.formats._fields import Fields, quoted
from storage.formats._files import name_of
from storage.formats._grouped import OneFile
from storage.formats._json import json_values
from storage.formats._peek import peek
from storage.formats._trec import Document, documents, explain, number_or_text, rows
from storage.records import PassageRecord, QuestionRecord
from storage.report import Problem, Report

QRELS = ("query-id", "corpus-id", "score")
RUN = ("query-id", "Q0", "corpus-id", "rank", "score", "tag")
ACCEPTED = (
    "a run (JSON with queries, documents and scores, or TREC's six columns), corpus and queries as "
    "JSON lines, and qrels with the first row 'query-id corpus-id score'"
)

EXAMPLE = {
    "run.json": '{"q1": {"d1": 9.2, "d2": 7.9}, "q2": {"d2": 3.5}}\n',
    "corpus.jsonl": """\
{"_id": "d1", "title": "Refunds", "text": "Refunds within 30 days."}
{"_id": "d2", "title": "Shipping", "text": "Shipping takes 5 days."}
""",
    "queries.jsonl": """\
{"_id": "q1", "text": "How long is the refund window?"}
{"_id": "q2", "text": "How long does shipping take?"}
""",
    "qrels.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n",
}


@register_format(
    "beir",
    title="BEIR",
    suffixes=(".jsonl", ".tsv", ".json"),
    ranked=True,
    help="Corpus, queries and qrels, and the run of a retriever, without which there is no pool.",
    example=EXAMPLE,
)
class Beir(Format):
    """Candidates are sorted by score, ties by id, backwards, as trec_eval does it.

    A document with a relevance above 0 holds the answer; facts are not known.
    """

    def recognises(self, peek: Peek) -> int:
        # A run of six columns alone is TREC's.
        return 0 if _kind(peek) == "columns" else 3 * bool(_kind(peek))

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        parts = _Parts(report)
        kinds = [(at, path, _kind_of(path)) for at, path in enumerate(paths)]
        # The corpus comes last: only documents in the run are kept.
        for at, path, kind in sorted(kinds, key=lambda one: one[2] == "corpus"):
            parts.take(at, path, kind)
        lacks = parts.lacks()
        if lacks and not report.total:
            report.add(Problem(file=name_of(paths[0]), found=lacks, accepted=ACCEPTED))
        if not lacks:
            yield from parts.questions()


def _kind(peek: Peek) -> str:
    if {"_id", "text"} <= peek.keys:
        return "corpus" if "title" in peek.keys else "queries"
    if peek.record:
        return "run" if all(map(_scores, peek.record.values())) else ""
    cells = peek.first_line.split()
    if tuple(cells) == QRELS:
        return "qrels"
    numbers = len(cells) == len(RUN) and all(
        isinstance(number_or_text(cell), float) for cell in cells[3:5]
    )
    return "columns" if numbers else ""


def _kind_of(path: Path) -> str:
    """What a file is; a corpus without titles is told from queries by its name."""
    kind = _kind(peek(path))
    return "corpus" if kind == "queries" and "corpus" in path.name else kind


def _scores(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(v, (int, float)) for v in value.values())


class _Parts:
    """What the files of an import hold. run, qrels: query -> document -> score or relevance."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.run: dict[str, dict[str, float]] = {}
        self.broken: set[str] = set()
        self.qrels: dict[str, dict[str, float]] = defaultdict(dict)
        self.queries: dict[str, Document] = {}
        self.corpus: dict[str, Document] = {}
        self._once = OneFile()

    def take(self, at: int, path: Path, kind: str) -> None:
        match kind:
            case "run":
                self._take_run(at, path)
            case "columns":
                for fields, cells in rows(path, self.report, RUN, ACCEPTED):
                    fields.values = {**fields.values, "score": number_or_text(cells[4])}
                    self._take_score(at, fields, fields.number("score"))
            case "qrels":
                self._take_qrels(path)
            case "queries":
                self.queries |= documents(path, self.report, _Everything(), ids=("_id",))
            case "corpus":
                needed = {document for found in self.run.values() for document in found}
                self.corpus |= documents(path, self.report, needed, ids=("_id",))
            case _:
                explain(path, self.report, ACCEPTED, peek(path).first_line)

    def _take_run(self, at: int, path: Path) -> None:
        for place, value in json_values(path, self.report):
            before = self.report.total
            run = Fields(value if isinstance(value, dict) else {}, place, self.report)
            for query, found in run.values.items():
                inner = run.inner(query, found if isinstance(found, dict) else {})
                if not isinstance(found, dict):
                    run.wrong(query, "no object", "an object with a score for each document")
                for document in inner.values:
                    row = {"query-id": query, "corpus-id": document}
                    if not inner.has(document):
                        inner.wrong(document, "null", "a finite number")
                    score = inner.number(document)
                    self._take_score(at, Fields(row, place, self.report), score)
            self.report.rows_usable += self.report.total == before

    def _take_score(self, at: int, fields: Fields, score: float | None) -> None:
        query, document = fields.identifier("query-id"), fields.identifier("corpus-id")
        if query is None or not self._once.takes(query, at, fields, "query-id"):
            return
        found = self.run.setdefault(query, {})
        if document is None or score is None:
            self.broken.add(query)
        elif document in found:
            fields.wrong("corpus-id", f"{quoted(document)} again", "each document once a query")
        else:
            found[document] = score

    def _take_qrels(self, path: Path) -> None:
        for fields, cells in rows(
            path, self.report, QRELS, "three columns: query, document, score,"
        ):
            if tuple(cells) == QRELS:
                continue
            fields.values = {**fields.values, "score": number_or_text(cells[2])}
            query, document = fields.identifier("query-id"), fields.identifier("corpus-id")
            relevance = fields.number("score")
            if query is not None and document is not None and relevance is not None:
                known = self.qrels[query].setdefault(document, relevance)
                if known != relevance:
                    fields.wrong("score", f"{relevance:g}, and {known:g} before", "one judgment")

    def lacks(self) -> str:
        """What there is no pool without; empty where all is there."""
        if not self.run:
            return "no run, so there are no candidates to select from"
        return "" if self.queries else "no queries, so nobody knows what the run was asked"

    def questions(self) -> Iterator[QuestionRecord]:
        missing = 0
        for id, found in self.run.items():
            if id in self.broken:
                continue
            record = self._question(id, found)
            missing += sum(not passage.text for passage in record.passages)
            yield record
        if missing:
            self.report.warn(
                f"{missing:,} candidates have no text, so their tokens are not known and nothing "
                "can be computed from them."
            )

    def _question(self, id: str, found: dict[str, float]) -> QuestionRecord:
        query = self.queries.get(id)
        if query is None or not query.text.strip():
            self.report.warn("A query is not in the queries; its id stands for the question.")
        names = sorted(found, reverse=True)
        names.sort(key=lambda name: -found[name])
        texts = {name: self.corpus.get(name, Document("", {})) for name in names}
        judged = self.qrels.get(id)
        return QuestionRecord(
            id=id,
            question=query.text if query and query.text.strip() else f"Query {id}",
            passages=tuple(
                PassageRecord(
                    id=name,
                    text=texts[name].text,
                    score=found[name],
                    metadata=texts[name].metadata,
                )
                for name in names
            ),
            answer_bearing=None
            if judged is None
            else tuple(name for name in names if judged.get(name, 0) > 0),
            metadata=query.metadata if query else {},
        )


class _Everything(set[str]):
    """A set that has everything."""

    def __contains__(self, item: object) -> bool:
        return True
