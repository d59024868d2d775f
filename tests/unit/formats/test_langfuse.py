"""Langfuse's items and traces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.formats.langfuse import Langfuse
from storage.records import ArmOutcome, PassageRecord
from storage.report import Report

ONE: dict[str, Any] = {
    "id": "i1",
    "input": {
        "question": "How long?",
        "candidates": [{"id": "d1", "text": "30 days.", "score": 0.9, "lang": "en"}, "Shipping."],
    },
    "expectedOutput": {"answer": "30 days"},
    "metadata": {"team": "a"},
    "datasetName": "support",
}


def test_the_passages_are_found_inside_the_input_and_that_is_said(read_one: Callable) -> None:
    (record,), report = read_one("langfuse", **ONE)
    report.raise_if_any()
    assert (record.id, record.question) == ("i1", "How long?")
    assert record.passages == (
        PassageRecord(id="d1", text="30 days.", score=0.9, metadata={"lang": "en"}),
        PassageRecord(id="rank-2", text="Shipping."),
    )
    assert record.metadata == {"team": "a", "datasetName": "support", "answer": "30 days"}
    assert "Passages are read from 'input.candidates'" in report.guesses[0]


def test_a_trace_keeps_its_output_as_an_arm(read_one: Callable) -> None:
    trace = {
        "id": "t1",
        "traceId": "t1",
        "input": "How long?",
        "output": "A month",
        "metadata": {"retrieval": {"docs": [{"document": {"page_content": "30 days."}}]}},
    }
    (record,), report = read_one("langfuse", **trace)
    report.raise_if_any()
    assert record.question == "How long?"
    assert [p.text for p in record.passages] == ["30 days."]
    assert record.arms == (ArmOutcome(name="output", answer="A month"),)
    assert "metadata.retrieval.docs" in report.guesses[0]


def test_parts_that_are_stored_as_json_texts_are_looked_into(read_one: Callable) -> None:
    (record,), report = read_one(
        "langfuse", id="i", input='{"query": "q", "contexts": ["a"]}', datasetId="d"
    )
    report.raise_if_any()
    assert (record.question, [p.text for p in record.passages]) == ("q", ["a"])


def test_other_lists_that_could_be_meant_are_named(read_one: Callable) -> None:
    _, report = read_one("langfuse", **ONE | {"metadata": {"sources": ["a"]}})
    assert "'metadata.sources' could be meant as well" in report.guesses[0]


def test_a_person_may_give_the_path(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"id": "i", "input": {"question": "q", "steps": [{"hits": ["a", "b"]}]}}\n')
    report = Report()
    (record,) = Langfuse(passages="$.input.steps[0].hits").read([path], report)
    report.raise_if_any()
    assert [p.text for p in record.passages] == ["a", "b"]
    report = Report()
    assert list(Langfuse(passages="input.steps[7].hits").read([path], report)) == []
    assert (report.problems[0].field, report.problems[0].found) == ("input.steps[7].hits", "null")


@pytest.mark.parametrize(
    ("change", "field", "found"),
    [
        ({"input": None}, "input", "null"),
        ({"input": {"question": "q"}}, "", "no list of passages in 'input', 'metadata'"),
        (
            {"input": {"question": "q", "candidates": [{"text": "a", "id": "x"}] * 2}},
            "input.candidates[1].id",
            "'x', which an earlier",
        ),
        (
            {"input": {"question": "q", "candidates": [{"text": "a", "score": "x"}]}},
            "input.candidates[0].score",
            "'x'",
        ),
    ],
)
def test_a_wrong_field_is_named(
    read_one: Callable, change: dict[str, Any], field: str, found: str
) -> None:
    records, report = read_one("langfuse", **ONE | change)
    assert records == ()
    assert report.problems[0].field == field
    assert found in report.problems[0].found
