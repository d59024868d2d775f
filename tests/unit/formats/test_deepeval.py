"""DeepEval's test cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from storage.records import ArmOutcome, Fact, Support

ONE: dict[str, Any] = {
    "input": "How long?",
    "actual_output": "A month",
    "expected_output": "30 days",
    "retrieval_context": ["30 days.", "Shipping."],
    "context": ["30 days.", "Unused."],
    "tags": ["refund"],
}
CAMEL = {
    "input": "How long?",
    "actualOutput": "A month",
    "expectedOutput": "30 days",
    "retrievalContext": ["30 days.", "Shipping."],
    "context": ["30 days.", "Unused."],
    "tags": ["refund"],
}


@pytest.mark.parametrize(
    "content",
    [ONE, [ONE], CAMEL, {"testCases": [CAMEL]}, {"test_cases": [ONE], "goldens": []}],
    ids=["line", "list", "camel", "run", "both"],
)
def test_retrieved_texts_are_passages_and_contexts_are_facts(read: Callable, content: Any) -> None:
    (record,), report = read("deepeval", json.dumps(content))
    report.raise_if_any()
    assert record.question == "How long?"
    assert [(p.id, p.text) for p in record.passages] == [
        ("rank-1", "30 days."),
        ("rank-2", "Shipping."),
    ]
    assert record.facts == (
        Fact(id="reference-1", text="30 days."),
        Fact(id="reference-2", text="Unused."),
    )
    assert [p.supports for p in record.passages] == [(Support(fact="reference-1"),), ()]
    assert record.answer_bearing == ("rank-1",)
    assert record.arms == (
        ArmOutcome(name="actual output", answer="A month", sent=("rank-1", "rank-2")),
    )
    assert record.metadata == {"tags": ["refund"], "answer": "30 days"}


def test_without_context_there_is_no_gold(read_one: Callable) -> None:
    (record,), report = read_one("deepeval", input="q", retrieval_context=["a"])
    report.raise_if_any()
    assert (record.facts, record.answer_bearing, record.arms) == ((), None, ())


def test_an_equal_text_twice_is_two_passages_that_both_have_it(read_one: Callable) -> None:
    (record,), _ = read_one("deepeval", input="q", retrieval_context=["a", "a"], context=["a"])
    assert record.answer_bearing == ("rank-1", "rank-2")


@pytest.mark.parametrize(
    ("change", "field", "found"),
    [
        ({"input": ""}, "input", "an empty text"),
        ({"retrieval_context": None}, "retrieval_context", "null"),
        ({"retrieval_context": [1]}, "retrieval_context[0]", "the number 1"),
        ({"context": {"a": 1}}, "context", "an object"),
        ({"actual_output": 5}, "actual_output", "the number 5"),
    ],
)
def test_a_wrong_field_is_named(
    read_one: Callable, change: dict[str, Any], field: str, found: str
) -> None:
    records, report = read_one("deepeval", **ONE | change)
    assert records == ()
    assert report.problems[0].field == field
    assert found in report.problems[0].found


def test_a_data_set_that_was_never_run_is_explained(read_one: Callable) -> None:
    _, report = read_one("deepeval", test_cases=[])
    assert report.problems[0].field == "test_cases"
    _, report = read_one("deepeval", goldens=[{"input": "q", "expected_output": "a"}])
    assert report.problems[0].field == "retrieval_context"
