"""LangSmith's examples and runs of retrievers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.formats.langsmith import LangSmith
from storage.records import PassageRecord
from storage.report import Report

DOCUMENTS = [
    {"page_content": "30 days.", "metadata": {"id": "d1", "score": 0.9, "source": "a.md"}},
    {"page_content": "Shipping.", "metadata": {}, "type": "Document"},
]
PASSAGES = (
    PassageRecord(id="d1", text="30 days.", score=0.9, metadata={"source": "a.md"}),
    PassageRecord(id="rank-2", text="Shipping.", metadata={"type": "Document"}),
)


def test_an_example_has_its_passages_in_metadata(read_one: Callable) -> None:
    (record,), report = read_one(
        "langsmith",
        id="e1",
        inputs={"question": "How long?"},
        outputs={"answer": "30 days"},
        metadata={"documents": DOCUMENTS, "split": "test"},
    )
    report.raise_if_any()
    assert (record.id, record.question) == ("e1", "How long?")
    assert [(p.id, p.text, p.score) for p in record.passages] == [
        (p.id, p.text, p.score) for p in PASSAGES
    ]
    assert record.metadata == {"split": "test", "answer": "30 days"}
    assert "'metadata.documents'" in report.guesses[0]


def test_a_run_of_a_retriever_has_them_in_its_outputs(read_one: Callable) -> None:
    (record,), report = read_one(
        "langsmith",
        id="r1",
        run_type="retriever",
        inputs={"query": "How long?"},
        outputs={"documents": DOCUMENTS},
    )
    report.raise_if_any()
    assert record.question == "How long?"
    assert [p.text for p in record.passages] == ["30 days.", "Shipping."]
    assert record.metadata == {"run_type": "retriever"}


def test_a_person_may_give_the_path(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text('{"id": "i", "inputs": {"query": "q"}, "outputs": {"hits": ["a"]}}\n')
    (record,) = LangSmith(passages="outputs.hits").read([path], Report())
    assert [p.text for p in record.passages] == ["a"]


@pytest.mark.parametrize(
    ("record", "field", "found"),
    [
        ({"inputs": {}, "outputs": {"documents": ["a"]}}, "inputs.question", "an empty object"),
        ({"inputs": {"question": "q"}, "outputs": {}}, "", "no list of passages"),
        (
            {"inputs": {"question": 5}, "outputs": {"documents": ["a"]}},
            "inputs.question",
            "the number 5",
        ),
    ],
)
def test_a_wrong_field_is_named(
    read_one: Callable, record: dict[str, Any], field: str, found: str
) -> None:
    records, report = read_one("langsmith", **record)
    assert records == ()
    assert report.problems[0].field == field
    assert found in report.problems[0].found
