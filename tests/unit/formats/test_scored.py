"""A question with scored positives and negatives."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.formats import format_of
from storage.records import PassageRecord
from storage.report import Report

ONE: dict[str, Any] = {
    "query": ")how long?",
    "pos": ["30 days."],
    "neg": ["Shipping.", "Lamps."],
    "pos_scores": [90.0],
    "neg_scores": [84, 95.5],
}


def test_candidates_are_sorted_by_score_whatever_list_they_are_from(read_one: Callable) -> None:
    (record,), report = read_one("scored", **ONE)
    report.raise_if_any()
    assert record.question == ")how long?"
    assert [(p.text, p.score, p.metadata) for p in record.passages] == [
        ("Lamps.", 95.5, {"list": "neg"}),
        ("30 days.", 90.0, {"list": "pos"}),
        ("Shipping.", 84.0, {"list": "neg"}),
    ]
    assert record.answer_bearing == (record.passages[1].id,)
    assert record.ranked is True


def test_the_first_teacher_scores_are_those_of_the_positives(read_one: Callable) -> None:
    (record,), report = read_one(
        "scored",
        query="q",
        query_id=7,
        pos=["a"],
        neg=["b", "c"],
        pos_index=[11],
        neg_index=[12, "13"],
        teacher_scores=[-2, -1.5, -3],
        answers=["x", "y"],
    )
    report.raise_if_any()
    assert record.id == "7"
    assert record.passages == (
        PassageRecord(id="12", text="b", score=-1.5, metadata={"list": "neg"}),
        PassageRecord(id="11", text="a", score=-2.0, metadata={"list": "pos"}),
        PassageRecord(id="13", text="c", score=-3.0, metadata={"list": "neg"}),
    )
    assert record.answer_bearing == ("11",)
    assert record.metadata == {"answer": "x / y"}


def test_an_id_is_made_from_the_text_and_a_repeat_is_a_second_candidate(read_one: Callable) -> None:
    (record,), report = read_one("scored", **ONE | {"neg": ["Same.", "Same."]})
    report.raise_if_any()
    first, _, second = (p.id for p in record.passages)
    assert second == f"{first}-2"
    assert "stands twice" in report.warnings[0]
    (other,), _ = read_one("scored", **ONE | {"neg": ["Same.", "x"], "query": "other"})
    assert first in [p.id for p in other.passages]


def test_a_negative_with_the_text_of_a_positive_holds_the_answer_too(read_one: Callable) -> None:
    (record,), _ = read_one("scored", **ONE | {"neg": ["30 days.", "Lamps."]})
    assert len(record.answer_bearing) == 2


def test_without_scores_the_order_is_no_ranking(read_one: Callable) -> None:
    (record,), report = read_one("scored", query="q", pos=["a"], neg=["b"])
    report.raise_if_any()
    assert record.ranked is False
    assert [p.score for p in record.passages] == [None, None]
    assert "no score" in report.warnings[0]


@pytest.mark.parametrize(
    ("change", "field", "found"),
    [
        ({"query": ""}, "query", "an empty text"),
        ({"pos": None}, "pos", "null"),
        ({"neg": ["a", 5]}, "neg[1]", "the number 5"),
        ({"neg_scores": [1.0]}, "neg_scores", "1 scores for 2 passages"),
        ({"neg_scores": [1.0, "2"]}, "neg_scores[1]", "the text '2'"),
        ({"teacher_scores": [1.0]}, "teacher_scores", "1 scores for 3 passages"),
        ({"neg_index": [1]}, "neg_index", "1 ids for 2 passages"),
        ({"neg_index": [1, 1]}, "neg_index", "'1', which a passage with another text"),
    ],
)
def test_a_wrong_field_is_named(
    read_one: Callable, change: dict[str, Any], field: str, found: str
) -> None:
    records, report = read_one("scored", **ONE | change)
    assert records == ()
    assert report.problems[0].field == field
    assert found in report.problems[0].found


@pytest.mark.parametrize(("file", "questions"), [("nq_0-4", 5), ("msmarco_qa_0-3", 4)])
def test_the_published_candidates_are_read_without_a_problem(
    shared_data: Path, file: str, questions: int
) -> None:
    path, report = shared_data / "nq_msmarco_100cand" / f"{file}.jsonl", Report()
    records = list(format_of("scored").read([path], report))
    report.raise_if_any()
    published = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(records) == questions
    for record, source in zip(records, published, strict=True):
        scores = [p.score for p in record.passages]
        assert len(scores) == 101
        assert scores == sorted(scores, reverse=True)
        assert sorted(p.text for p in record.passages) == sorted(source["pos"] + source["neg"])
        texts = {p.id: p.text for p in record.passages}
        assert {texts[id] for id in record.answer_bearing or ()} == set(source["pos"])


def test_the_marked_positive_is_not_the_best_in_two_of_four_questions(shared_data: Path) -> None:
    path = shared_data / "nq_msmarco_100cand" / "msmarco_qa_0-3.jsonl"
    records = list(format_of("scored").read([path], Report()))
    best = [record.passages[0].id in (record.answer_bearing or ()) for record in records]
    assert best.count(False) == 2
