"""RAGChecker: the matrix of claims and passages."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from selection import Budget, make_selector, measure
from storage.engine import Database
from storage.formats import format_of
from storage.imports import import_files
from storage.queries import question
from storage.records import ArmOutcome, Fact, Support
from storage.report import Report

ONE: dict[str, Any] = {
    "query_id": "q1",
    "query": "How long?",
    "gt_answer": "30 days, unused",
    "response": "30 days",
    "retrieved_context": [{"doc_id": "000", "text": "30 days."}, {"doc_id": "001", "text": "No."}],
    "gt_answer_claims": [["window", "is", "30 days"], ["items", "are", "unused"]],
    "retrieved2answer": [["Entailment", "Neutral"], ["Neutral", "Contradiction"]],
    "metrics": {"claim_recall": 0.5},
}


def changed(*keys: str | int, to: Any) -> dict[str, Any]:
    """The result with one value changed."""
    record = copy.deepcopy(ONE)
    at: Any = record
    for key in keys[:-1]:
        at = at[key]
    at[keys[-1]] = to
    return record


@pytest.mark.parametrize(
    "content", [{"results": [ONE]}, ONE, [ONE]], ids=["file", "one line", "list"]
)
def test_rows_are_claims_and_columns_are_passages(read: Callable, content: Any) -> None:
    (record,), report = read("ragchecker", json.dumps(content))
    report.raise_if_any()
    assert record.facts == (
        Fact(id="claim-1", text="window is 30 days"),
        Fact(id="claim-2", text="items are unused"),
    )
    assert [p.supports for p in record.passages] == [
        (Support(fact="claim-1"),),
        (Support(fact="claim-2", degree="contradicts"),),
    ]
    assert [p.claims for p in record.passages] == [None, None]
    assert record.arms == (ArmOutcome(name="response", answer="30 days", sent=("000", "001")),)
    assert record.metadata == {"metrics": {"claim_recall": 0.5}, "answer": "30 days, unused"}


def test_before_the_check_there_are_no_facts(read_one: Callable) -> None:
    unchecked = {k: v for k, v in ONE.items() if k not in ("gt_answer_claims", "retrieved2answer")}
    (record,), report = read_one("ragchecker", **unchecked)
    report.raise_if_any()
    assert record.facts == ()
    assert [p.supports for p in record.passages] == [None, None]


def test_claims_that_were_not_checked_are_facts_of_which_nothing_is_known(
    read_one: Callable,
) -> None:
    (record,), report = read_one("ragchecker", **changed("retrieved2answer", to=None))
    assert len(record.facts) == 2
    assert [p.supports for p in record.passages] == [None, None]
    assert "gold is n/a" in report.warnings[0]


def test_a_claim_may_be_a_text(read_one: Callable) -> None:
    (record,), report = read_one("ragchecker", **changed("gt_answer_claims", 0, to="30 days"))
    report.raise_if_any()
    assert record.facts[0].text == "30 days"


@pytest.mark.parametrize(
    ("record", "field", "found"),
    [
        (changed("retrieved2answer", to=[["Neutral", "Neutral"]]), "retrieved2answer", "1 rows"),
        (changed("retrieved2answer", 1, to=["Neutral"]), "retrieved2answer[1]", "a list of 1"),
        (changed("retrieved2answer", 1, 0, to="entailed"), "retrieved2answer[1][0]", "'entailed'"),
        (changed("retrieved2answer", 1, 0, to=None), "retrieved2answer[1][0]", "null"),
        (changed("gt_answer_claims", 0, to=["a", 1]), "gt_answer_claims[0]", "a list of 2"),
        (changed("retrieved_context", 1, "doc_id", to="000"), "retrieved_context[1].doc_id", "'0"),
        (changed("retrieved_context", 1, "text", to=5), "retrieved_context[1].text", "5"),
        (changed("query", to=" "), "query", "' '"),
    ],
)
def test_a_wrong_field_is_named(
    read_one: Callable, record: dict[str, Any], field: str, found: str
) -> None:
    records, report = read_one("ragchecker", results=[ONE | {"query_id": "q0"}, record])
    assert [one.id for one in records] == ["q0"]
    assert [(problem.field, problem.record) for problem in report.problems] == [(field, 2)]
    assert found in report.problems[0].found


def test_a_list_without_results_is_explained(read_one: Callable) -> None:
    _, report = read_one("ragchecker", results=[])
    assert str(report.problems[0]).startswith("file1.json, results: found an empty list")


def test_doc_ids_start_again_with_every_question(shared_data: Path) -> None:
    report = Report()
    path = shared_data / "ragchecker" / "checking_outputs.json"
    records = list(format_of("ragchecker").read([path], report))
    report.raise_if_any()
    assert [[p.id for p in record.passages] for record in records] == [
        ["000", "001", "002", "003"],
        ["000", "001", "002"],
    ]


def test_all_passages_together_have_5_of_22_and_8_of_8_claims(
    database: Database, shared_data: Path
) -> None:
    path = shared_data / "ragchecker" / "checking_outputs.json"
    import_files(database, [path], format="ragchecker", collection="checked")
    published = json.loads(path.read_text(encoding="utf-8"))["results"]
    for source, (covered, claims) in zip(published, [(5, 22), (8, 8)], strict=True):
        pool = question(database, "checked", source["query_id"]).pool
        everything = make_selector("top_k", k=len(pool)).select(pool, Budget())
        recall = measure(pool, everything)["claim_recall"]
        assert recall == pytest.approx(covered / claims)
        # The file says percent, to one place.
        stated = source["metrics"]["claim_recall"]
        assert recall == pytest.approx(stated if stated <= 1 else stated / 100, abs=0.001)
