"""Ragas samples, by the names of today and of before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from storage.formats import format_of, guess
from storage.records import ArmOutcome, Fact, PassageRecord, Support
from storage.report import Report

ONE: dict[str, Any] = {
    "user_input": "How long?",
    "retrieved_contexts": ["30 days.", "Shipping."],
    "retrieved_context_ids": ["d1", 2],
    "reference_context_ids": ["d1", "d9"],
    "response": "A month.",
    "reference": "30 days",
    "faithfulness": 0.5,
}


def test_contexts_are_passages_and_named_references_are_facts(read_one: Callable) -> None:
    (record,), report = read_one("ragas", **ONE)
    report.raise_if_any()
    assert record.question == "How long?"
    assert record.passages == (
        PassageRecord(id="d1", text="30 days.", supports=(Support(fact="d1"),)),
        PassageRecord(id="2", text="Shipping.", supports=()),
    )
    assert record.facts == (Fact(id="d1"), Fact(id="d9"))
    assert record.answer_bearing == ("d1",)
    assert record.arms == (ArmOutcome(name="response", answer="A month.", sent=("d1", "2")),)
    assert record.metadata == {"faithfulness": 0.5, "answer": "30 days"}
    assert "a fact without a place" in report.warnings[0]


@pytest.mark.parametrize("contexts", ["contexts", "retrived_contexts"])
def test_older_names_and_the_usual_typo_are_read(read_one: Callable, contexts: str) -> None:
    old = {"question": "q", contexts: ["a"], "answer": "x", "ground_truths": ["y", "z"]}
    (record,), report = read_one("ragas", **old)
    report.raise_if_any()
    assert [p.id for p in record.passages] == ["rank-1"]
    assert record.arms[0].answer == "x"
    assert record.metadata == {"answer": ["y", "z"]}
    assert record.answer_bearing is None
    assert record.passages[0].supports is None


def test_references_without_ids_are_found_by_equal_text(read_one: Callable) -> None:
    sample = {"user_input": "q", "retrieved_contexts": ["a", "b", "a "]}
    (record,), _ = read_one("ragas", **sample, reference_contexts=["a", "gone"])
    assert [p.supports for p in record.passages] == [
        (Support(fact="reference-1"),),
        (),
        (Support(fact="reference-1"),),
    ]
    assert record.answer_bearing == ("rank-1", "rank-3")
    assert [fact.text for fact in record.facts] == ["a", "gone"]


def test_where_no_reference_equals_a_context_gold_is_not_known(read_one: Callable) -> None:
    sample = {"user_input": "q", "retrieved_contexts": ["a"]}
    (record,), report = read_one("ragas", **sample, reference_contexts=["A."])
    assert record.passages[0].supports is None
    assert record.answer_bearing is None
    assert "gold is n/a" in report.warnings[0]


@pytest.mark.parametrize(
    ("change", "field", "found"),
    [
        ({"user_input": [{"content": "hi", "type": "human"}]}, "user_input", "a list of 1"),
        ({"user_input": None}, "user_input", "null"),
        ({"retrieved_contexts": [5, "b"]}, "retrieved_contexts[0]", "the number 5"),
        ({"retrieved_contexts": None}, "retrieved_contexts", "null"),
        ({"retrieved_context_ids": ["d1"]}, "retrieved_context_ids", "1 ids for 2 passages"),
        ({"retrieved_context_ids": ["d1", "d1"]}, "retrieved_context_ids[1]", "'d1', which an"),
        ({"response": 5}, "response", "the number 5"),
    ],
)
def test_a_wrong_field_is_named(
    read_one: Callable, change: dict[str, Any], field: str, found: str
) -> None:
    records, report = read_one("ragas", **ONE | change)
    assert records == ()
    assert report.problems[0].field == field
    assert found in report.problems[0].found


def test_a_parquet_file_is_read_and_guessed_like_json_lines(
    read_one: Callable, tmp_path: Path
) -> None:
    path = tmp_path / "samples.parquet"
    parquet.write_table(pa.Table.from_pylist([ONE | {"retrieved_context_ids": ["d1", "2"]}]), path)
    assert guess(path) == "ragas"
    report = Report()
    (record,) = format_of("ragas").read([path], report)
    report.raise_if_any()
    (same,), _ = read_one("ragas", **ONE)
    assert record == same


@pytest.mark.parametrize("end", [8, 200, -1])
def test_a_parquet_file_that_is_cut_off_is_explained(tmp_path: Path, end: int) -> None:
    path = tmp_path / "samples.parquet"
    parquet.write_table(pa.Table.from_pylist([ONE | {"retrieved_context_ids": ["d1", "2"]}]), path)
    path.write_bytes(path.read_bytes()[:end])
    report = Report()
    assert list(format_of("ragas").read([path], report)) == []
    assert "a Parquet file that cannot be read" in report.problems[0].found
    assert str(report.problems[0]).isprintable()


def test_a_problem_in_a_parquet_file_names_its_row(tmp_path: Path) -> None:
    path = tmp_path / "samples.parquet"
    rows = [{"question": "q", "contexts": ["a"]}, {"question": None, "contexts": ["a"]}]
    parquet.write_table(pa.Table.from_pylist(rows), path)
    report = Report()
    list(format_of("ragas").read([path], report))
    assert str(report.problems[0]).startswith("samples.parquet, record 2, question: found null")
