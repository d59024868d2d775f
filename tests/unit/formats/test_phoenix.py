"""Spans of retrievers and rerankers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from storage.formats import format_of, guess
from storage.records import ArmOutcome, PassageRecord
from storage.report import Report

FLAT: dict[str, Any] = {
    "openinference.span.kind": "RETRIEVER",
    "input.value": "How long?",
    "retrieval.documents.0.document.id": "d1",
    "retrieval.documents.0.document.content": "30 days.",
    "retrieval.documents.0.document.score": 0.9,
    "retrieval.documents.0.document.metadata": '{"path": "a.md"}',
    "retrieval.documents.1.document.id": "d2",
    "retrieval.documents.1.document.content": "Shipping.",
}
NESTED = {
    "attributes": {
        "input": {"value": "How long?"},
        "retrieval": {
            "documents": [
                {
                    "document": {
                        "id": "d1",
                        "content": "30 days.",
                        "score": 0.9,
                        "metadata": {"path": "a.md"},
                    }
                },
                {"document": {"id": "d2", "content": "Shipping."}},
            ]
        },
    }
}
TABLE = {
    "attributes.input.value": "How long?",
    "attributes.retrieval.documents": [
        {
            "document.id": "d1",
            "document.content": "30 days.",
            "document.score": 0.9,
            "document.metadata": {"path": "a.md"},
        },
        {"document.id": "d2", "document.content": "Shipping."},
    ],
}


def otlp(**attributes: Any) -> dict[str, Any]:
    """The same attributes in OpenTelemetry's JSON."""
    pairs = [
        {"key": key, "value": {"doubleValue" if isinstance(value, float) else "stringValue": value}}
        for key, value in attributes.items()
    ]
    span = {"traceId": "t1", "spanId": "s1", "attributes": pairs}
    return {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}


def lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.parametrize(
    "span", [FLAT, NESTED, TABLE, otlp(**FLAT)], ids=["flat", "nested", "table", "otlp"]
)
def test_the_documents_of_a_retriever_are_the_pool(
    read: Callable, span: dict[str, Any], tmp_path: Path
) -> None:
    (record,), report = read("phoenix", lines(span))
    report.raise_if_any()
    assert record.question == "How long?"
    assert record.passages == (
        PassageRecord(id="d1", text="30 days.", score=0.9, metadata={"path": "a.md"}),
        PassageRecord(id="d2", text="Shipping."),
    )
    assert record.arms == ()
    assert any("selectors cannot differ" in warning for warning in report.warnings)
    (tmp_path / "spans").write_text(lines(span))
    assert guess(tmp_path / "spans") == "phoenix"


def test_a_reranker_has_the_pool_and_what_was_sent(read: Callable) -> None:
    span = {
        "context": {"trace_id": "t1"},
        "attributes": {
            "reranker.query": "How long?",
            "reranker.input_documents": [{"document.id": n, "document.content": n} for n in "abc"],
            "reranker.output_documents": [
                {"document.id": "c", "document.score": 0.8},
                {"document.id": "a", "document.score": 0.7},
            ],
        },
    }
    (record,), report = read("phoenix", lines(span))
    report.raise_if_any()
    assert record.id == "t1"
    assert [(p.id, p.rerank_score) for p in record.passages] == [
        ("a", 0.7),
        ("b", None),
        ("c", 0.8),
    ]
    assert record.arms == (ArmOutcome(name="reranker", sent=("c", "a")),)
    assert report.warnings == ()


def test_spans_of_one_trace_are_one_question_whatever_their_order(read: Callable) -> None:
    retriever = FLAT | {"trace_id": "t1"}
    reranker = {
        "trace_id": "t1",
        "input.value": "How long?",
        "reranker.output_documents.0.document.content": "Shipping.",
        "reranker.output_documents.0.document.id": "d2",
    }
    (record,), _ = read("phoenix", lines(retriever, reranker))
    assert read("phoenix", lines(reranker, retriever))[0] == (record,)
    assert [(p.id, p.score) for p in record.passages] == [("d1", 0.9), ("d2", None)]
    assert record.arms[0].sent == ("d2",)


def test_two_questions_of_one_trace_are_told_apart(read: Callable) -> None:
    other = FLAT | {"input.value": "How much?"}
    records, _ = read("phoenix", lines(*(one | {"trace_id": "t1"} for one in (FLAT, other))))
    assert [record.id for record in records] == ["t1", "t1-2"]


def test_the_question_may_stand_inside_json(read: Callable) -> None:
    (record,), _ = read("phoenix", lines(FLAT | {"input.value": '{"query": "How long?"}'}))
    assert record.question == "How long?"


def test_documents_without_ids_are_called_by_their_rank(read: Callable) -> None:
    span = {key: value for key, value in FLAT.items() if not key.endswith(".id")}
    (record,), _ = read("phoenix", lines(span))
    assert [p.id for p in record.passages] == ["rank-1", "rank-2"]


def test_ids_and_scores_alone_are_joined_with_texts(read: Callable) -> None:
    span = {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.retrieval.query.text": "How long?",
        "gen_ai.retrieval.documents": '[{"id": "d1", "score": 0.9}, {"id": "d2", "score": 0.4}]',
    }
    texts = lines({"id": "d1", "text": "30 days."}, {"id": "d7", "text": "Nobody asked."})
    (record,), report = read("phoenix", lines(span), texts)
    report.raise_if_any()
    assert record.passages == (
        PassageRecord(id="d1", text="30 days.", score=0.9),
        PassageRecord(id="d2", text="", score=0.4),
    )
    assert any("1 candidates have no text" in warning for warning in report.warnings)


def test_other_spans_are_passed_over_and_counted(read: Callable) -> None:
    model = {"trace_id": "t1", "openinference.span.kind": "LLM", "input.value": "x"}
    records, report = read("phoenix", lines(FLAT, model, model))
    report.raise_if_any()
    assert len(records) == 1
    assert "passed over. (first in file1.jsonl, line 2, 2 times in all)" in report.warnings[0]
    _, report = read("phoenix", lines(model))
    assert "no span of a retriever" in report.problems[0].found


def test_a_table_of_spans_as_parquet_is_read(tmp_path: Path) -> None:
    path = tmp_path / "spans.parquet"
    parquet.write_table(pa.Table.from_pylist([TABLE | {"context.trace_id": "t1"}]), path)
    assert guess(path) == "phoenix"
    report = Report()
    (record,) = format_of("phoenix").read([path], report)
    report.raise_if_any()
    assert (record.id, [p.id for p in record.passages]) == ("t1", ["d1", "d2"])


@pytest.mark.parametrize(
    ("change", "field", "found"),
    [
        ({"input.value": None}, "input.value", "null"),
        ({"retrieval.documents.1.document.content": 5}, "retrieval.documents.1.content", "5"),
        ({"retrieval.documents.0.document.score": "x"}, "retrieval.documents.0.score", "'x'"),
        (
            {"retrieval.documents.2.document.score": 1.0},
            "retrieval.documents.2.content",
            "neither a text nor an id",
        ),
    ],
)
def test_a_wrong_attribute_is_named(
    read: Callable, change: dict[str, Any], field: str, found: str
) -> None:
    records, report = read("phoenix", lines(FLAT | change))
    assert records == ()
    assert report.problems[0].field == field
    assert found in report.problems[0].found
