"""RAGChecker: answers taken apart into claims, each held against every retrieved passage.

Ru et al., "RAGChecker: A Fine-grained Framework for Diagnosing Retrieval-Augmented Generation",
NeurIPS 2024; field names: amazon-science/RAGChecker, examples/checking_outputs.json.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from storage.formats import Format, Peek, register_format
from storage.formats._fields import TEXT, Fields, quoted, shown
from storage.formats._json import Place, json_values
from storage.formats._records import read_records
from storage.records import ArmOutcome, Degree, Fact, PassageRecord, QuestionRecord, Support
from storage.report import Problem, Report

PASSAGES, CLAIMS, MATRIX = "retrieved_context", "gt_answer_claims", "retrieved2answer"
KNOWN = frozenset(
    ("query_id", "query", "gt_answer", "response", PASSAGES, CLAIMS, MATRIX, "metadata")
)
PASSAGE = frozenset(("doc_id", "text", "metadata"))
DEGREES: Mapping[str, Degree | None] = {
    "Entailment": "full",
    "Neutral": None,
    "Contradiction": "contradicts",
}
LABELS = "'Entailment', 'Neutral' or 'Contradiction'"

EXAMPLE = """\
{"results": [{"query_id": "q1", "query": "How long is the refund window?", \
"gt_answer": "30 days, for unused items", "response": "30 days", "retrieved_context": \
[{"doc_id": "000", "text": "Refunds within 30 days."}, \
{"doc_id": "001", "text": "Shipping takes 5 days. Used items are refunded."}], \
"gt_answer_claims": [["refund window", "is", "30 days"], ["items", "must be", "unused"]], \
"retrieved2answer": [["Entailment", "Neutral"], ["Neutral", "Contradiction"]]}]}
"""


@register_format(
    "ragchecker",
    title="RAGChecker",
    suffixes=(".json", ".jsonl"),
    ranked=True,
    help="Inputs or outputs of a check: with outputs, who entails which claim of the right answer.",
    example={"ragchecker.json": EXAMPLE},
)
class RagChecker(Format):
    """Each claim of the right answer is a fact; a passage that entails it supports it.

    A contradiction is kept as such. Before the check has run there are no facts yet.
    """

    def recognises(self, peek: Peek) -> int:
        results = peek.record.get("results")
        first = results[0] if isinstance(results, list) and results else peek.record
        if not isinstance(first, dict) or not {"query", PASSAGES} <= first.keys():
            return 0
        return 2 + len(first.keys() & {"query_id", "gt_answer", CLAIMS, MATRIX})

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        return read_records(paths, report, _question, id_field="query_id", values=_results)


def _results(path: Path, report: Report) -> Iterator[tuple[Place, Any]]:
    """The members of "results", or whole values where a file has one result a line."""
    for place, value in json_values(path, report):
        results = value.get("results") if isinstance(value, dict) else None
        if not isinstance(results, list):
            yield place, value
            continue
        report.rows_read += len(results) - 1
        if not results:
            found = Problem(file=place.file, field="results", found="an empty list", accepted=RULE)
            report.add(found)
        for record, one in enumerate(results, start=1):
            yield Place(place.file, 0, record), one


RULE = "a list of results, each with 'query' and 'retrieved_context',"


def _question(fields: Fields) -> QuestionRecord | None:
    question = fields.text("query", required=True, blank=False)
    members = tuple(fields.objects(PASSAGES, required=True))
    ids = tuple(_ids(members))
    facts = tuple(_facts(fields))
    supports = _supports(fields, facts, len(members))
    passages = tuple(
        PassageRecord(
            id=id,
            text=inner.text("text", required=True) or "",
            supports=found,
            metadata=inner.metadata(PASSAGE),
        )
        for inner, id, found in zip(members, ids, supports, strict=True)
    )
    answer, response = fields.text("gt_answer"), fields.text("response")
    metadata = fields.metadata(KNOWN)
    record = QuestionRecord(
        id=fields.identifier("query_id") or "",
        question=question or "",
        passages=passages,
        facts=facts,
        arms=(ArmOutcome(name="response", answer=response, sent=ids),) if response else (),
        metadata=metadata | ({"answer": answer} if answer else {}),
    )
    return None if question is None else record


def _ids(members: Sequence[Fields]) -> Iterator[str]:
    seen: set[str] = set()
    for at, inner in enumerate(members, start=1):
        id = inner.identifier("doc_id") or f"rank-{at}"
        if id in seen:
            found = f"{quoted(id)}, which an earlier passage has as well"
            inner.wrong("doc_id", found, "an id that no other passage here has")
        seen.add(id)
        yield id


def _facts(fields: Fields) -> Iterator[Fact]:
    """One fact a claim: subject, relation and object joined by blanks, or a text as it is."""
    for at, claim in enumerate(fields.items(CLAIMS) or ()):
        parts = claim if isinstance(claim, list) else [claim]
        if not parts or not all(isinstance(part, str) for part in parts):
            accepted = f"{TEXT}, or a list of subject, relation and object,"
            fields.wrong(f"{CLAIMS}[{at}]", shown(claim), accepted)
        text = " ".join(part for part in parts if isinstance(part, str))
        held = Fields({CLAIMS: text}, fields.place, fields.report).text(CLAIMS)
        yield Fact(id=f"claim-{at + 1}", text=held or "")


def _supports(
    fields: Fields, facts: Sequence[Fact], passages: int
) -> list[tuple[Support, ...] | None]:
    """What each passage supports. The matrix has a row a claim and a column a passage."""
    if not fields.has(MATRIX):
        if facts:
            fields.warn("Claims were not held against the passages yet: gold is n/a.")
        return [None] * passages
    rows = fields.items(MATRIX) or []
    if len(rows) != len(facts):
        fields.wrong(MATRIX, f"{len(rows)} rows for {len(facts)} claims", "one row a claim")
    columns: list[list[Support]] = [[] for _ in range(passages)]
    for fact, (at, row) in zip(facts, enumerate(rows), strict=False):
        name = f"{MATRIX}[{at}]"
        if not isinstance(row, list) or len(row) != passages:
            fields.wrong(name, shown(row), f"a list of {passages}, one verdict a passage,")
            continue
        for column, (place, label) in zip(columns, enumerate(row), strict=True):
            if not isinstance(label, str) or label not in DEGREES:
                fields.wrong(f"{name}[{place}]", shown(label), LABELS)
                continue
            degree = DEGREES[label]
            if degree is not None:
                column.append(Support(fact=fact.id, degree=degree))
    return [tuple(column) for column in columns]
