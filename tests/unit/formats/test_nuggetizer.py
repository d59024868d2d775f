"""Nuggets, with the passages that they were assigned to, or without."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.formats import format_of, guess
from storage.records import ArmOutcome, Fact, PassageRecord, Support
from storage.report import Report

FOLDER = "trec_rag24_nuggets"
NUGGETS = "rag24_nuggets_mistral.jsonl"
ANSWERS = "answers_baseline_rag24.test_gpt-4o_top20.jsonl"
ASSIGNED = "assignments_baseline_rag24.test_gpt4o_top20.jsonl"


def lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def assigned(docid: str | None, *labels: str, **change: Any) -> dict[str, Any]:
    rated = zip(("a", "b", "c"), ("vital", "okay", "failed"), labels, strict=False)
    nuggets = [{"text": t, "importance": i, "assignment": label} for t, i, label in rated]
    one = {"text": "Why?", "qid": "q1", "candidate_text": f"Text of {docid}.", "docid": docid}
    return one | {"nuggets": nuggets} | change


def nuggets(**change: Any) -> dict[str, Any]:
    one = {"query": "Why?", "qid": "q1", "nuggets": [{"text": "a", "importance": "vital"}]}
    return one | change


ANSWER = {
    "run_id": "r1",
    "topic_id": "q1",
    "topic": "Why?",
    "references": ["d1", "d2"],
    "answer": [{"text": "Because.", "citations": [0]}, {"text": "So.", "citations": []}],
}
CANDIDATES = {
    "query": {"qid": "q1", "text": "Why?"},
    "candidates": [{"docid": "d1", "score": 2.5, "doc": {"segment": "Because."}}, "Only a text."],
}


def test_a_nugget_is_a_fact_in_the_passages_that_support_it(read: Callable) -> None:
    (record,), report = read(
        "nuggetizer",
        lines(
            assigned("d1", "support", "not_support", "support"),
            assigned("d2", "partial_support", "call_cosmetics"),
        ),
    )
    report.raise_if_any()
    assert (record.id, record.question) == ("q1", "Why?")
    assert record.facts == (
        Fact(id="nugget-1", text="a", weight=1.0),
        Fact(id="nugget-2", text="b", weight=0.5),
        Fact(id="nugget-3", text="c", weight=0.0),
    )
    assert record.passages == (
        PassageRecord(
            id="d1",
            text="Text of d1.",
            supports=(Support(fact="nugget-1"), Support(fact="nugget-3")),
        ),
        PassageRecord(
            id="d2",
            text="Text of d2.",
            supports=(Support(fact="nugget-1", degree="partial"),),
        ),
    )
    assert any("'failed'" in warning for warning in report.warnings)
    assert any("'call_cosmetics'" in warning for warning in report.warnings)


def test_the_order_of_files_means_nothing_where_the_nuggets_agree(read: Callable) -> None:
    first = lines(assigned("d1", "support")), lines(nuggets())
    assert read("nuggetizer", *first)[0] == read("nuggetizer", *reversed(first))[0]


def test_candidates_are_the_pool_even_where_answers_refer_to_others(read: Callable) -> None:
    (record,), report = read("nuggetizer", lines(ANSWER), lines(CANDIDATES))
    report.raise_if_any()
    assert record.passages == (
        PassageRecord(id="d1", text="Because.", score=2.5),
        PassageRecord(id="rank-2", text="Only a text."),
    )
    assert record.arms == (ArmOutcome(name="r1", answer="Because. So.", sent=("d1", "d2")),)


def test_from_answers_alone_coverage_is_not_computable(read: Callable) -> None:
    (record,), report = read("nuggetizer", lines(ANSWER), lines(nuggets()), "q1 3 d2 2\n")
    report.raise_if_any()
    assert [(p.id, p.text, p.supports) for p in record.passages] == [
        ("d1", "", None),
        ("d2", "", None),
    ]
    assert record.passages[1].metadata == {"grade": 2.0}
    assert len(record.facts) == 1
    assert any("gold is n/a" in warning for warning in report.warnings)


def test_the_layout_of_2025_is_read_too(read_one: Callable) -> None:
    about = {"team_id": "t", "run_id": "r", "narrative_id": "q7", "narrative": "Why?"}
    rest = {name: ANSWER[name] for name in ("references", "answer")}
    (record,), report = read_one("nuggetizer", metadata=about, **rest)
    report.raise_if_any()
    assert (record.id, record.question, record.arms[0].name) == ("q7", "Why?", "r")


def test_a_nugget_that_stands_twice_counts_once(read: Callable) -> None:
    twice = [{"text": "a", "importance": "vital"}] * 2
    (record,), report = read("nuggetizer", lines(ANSWER, nuggets(nuggets=twice)))
    report.raise_if_any()
    assert len(record.facts) == 1
    assert any("counts once" in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("record", "field", "found"),
    [
        (nuggets(qid=None), "qid", "null"),
        (nuggets(nuggets=[{"importance": "vital"}]), "nuggets[0].text", "only 'importance'"),
        (assigned(None), "docid", "null"),
        (assigned("d1", candidate_text=5), "candidate_text", "5"),
        (ANSWER | {"references": 5}, "references", "5"),
        (CANDIDATES | {"candidates": [5]}, "candidates[0].text", "5"),
        ({"qid": "q1"}, "", "only 'qid'"),
    ],
)
def test_a_wrong_field_is_named(
    read_one: Callable, record: dict[str, Any], field: str, found: str
) -> None:
    records, report = read_one("nuggetizer", **record)
    assert records == ()
    assert report.problems[0].field == field
    assert found in report.problems[0].found


def test_a_passage_that_comes_again_is_a_problem(read: Callable) -> None:
    _, report = read("nuggetizer", lines(assigned("d1", "support"), assigned("d1", "support")))
    assert [(p.line, p.field) for p in report.problems] == [(2, "docid")]


@pytest.mark.parametrize("file", [NUGGETS, ASSIGNED])
def test_nuggets_without_passages_are_refused_with_the_right_reason(
    shared_data: Path, file: str
) -> None:
    path, report = shared_data / FOLDER / file, Report()
    assert guess(path) == "nuggetizer"
    assert list(format_of("nuggetizer").read([path], report)) == []
    assert report.problems[0].found == "nuggets, but no passages: there is no pool to select from"
    assert report.total == 1


def test_the_published_answers_are_read_with_what_belongs_to_them(shared_data: Path) -> None:
    report = Report()
    files = (ANSWERS, NUGGETS, ASSIGNED, "qrels.rag24.test.txt")
    paths = [shared_data / FOLDER / file for file in files]
    records = list(format_of("nuggetizer").read(paths, report))
    report.raise_if_any()
    assert len(records) == 60
    passages = [p for record in records for p in record.passages]
    assert len(passages) == 478
    assert sum("grade" in p.metadata for p in passages) == 318
    assert sum(not record.passages for record in records) == 2
    assert sum(fact.weight == 0 for record in records for fact in record.facts) == 10
