"""MuSiQue as it is published."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.formats import format_of
from storage.records import Fact, PassageRecord, Support
from storage.report import Report

ONE: dict[str, Any] = {
    "id": "2hop__1_2",
    "question": "How long is the window of the shop?",
    "paragraphs": [
        {"idx": 0, "title": "Lamps", "paragraph_text": "A shop.", "is_supporting": True},
        {"idx": 1, "title": "Lamps", "paragraph_text": "Light.", "is_supporting": False},
        {"idx": 2, "title": "Shop", "paragraph_text": "30 days.", "is_supporting": True},
    ],
    "question_decomposition": [
        {"id": 11, "question": "Which shop?", "answer": "Northlight", "paragraph_support_idx": 0},
        {"id": 12, "question": "Window of #1?", "answer": "30 days", "paragraph_support_idx": 2},
    ],
    "answer": "30 days",
    "answer_aliases": ["a month"],
    "answerable": True,
}


def changed(*keys: str | int, to: Any) -> dict[str, Any]:
    """The question with one value changed."""
    record = copy.deepcopy(ONE)
    at: Any = record
    for key in keys[:-1]:
        at = at[key]
    at[keys[-1]] = to
    return record


@pytest.mark.parametrize("content", [json.dumps(ONE), json.dumps([ONE], indent=1)])
def test_each_hop_is_a_fact_in_the_paragraph_that_supports_it(read: Callable, content: str) -> None:
    (record,), report = read("musique", content)
    report.raise_if_any()
    assert record.facts == (
        Fact(id="hop-1", text="Which shop? → Northlight"),
        Fact(id="hop-2", text="Window of #1? → 30 days"),
    )
    assert record.passages[0] == PassageRecord(
        id="0",
        text="A shop.",
        supports=(Support(fact="hop-1"),),
        metadata={"title": "Lamps", "is_supporting": True},
    )
    assert [p.id for p in record.passages] == ["0", "1", "2"]
    assert [p.supports for p in record.passages[1:]] == [(), (Support(fact="hop-2"),)]
    assert record.answer_bearing == ("0", "2")
    assert record.metadata == {
        "answer": "30 days",
        "answer_aliases": ["a month"],
        "answerable": True,
    }
    assert all(p.score is None and p.claims is None for p in record.passages)


def test_a_question_of_the_test_set_has_no_gold(read_one: Callable) -> None:
    paragraphs = [{"idx": 0, "title": "a", "paragraph_text": "b"}]
    (record,), report = read_one("musique", id="x", question="q", paragraphs=paragraphs)
    report.raise_if_any()
    assert record.facts == ()
    assert record.answer_bearing is None
    assert record.passages[0].supports is None


def test_a_hop_without_a_paragraph_is_a_fact_without_a_place(read_one: Callable) -> None:
    record = changed("question_decomposition", 0, "paragraph_support_idx", to=None)
    (read,), report = read_one("musique", **record)
    report.raise_if_any()
    assert len(read.facts) == 2
    assert read.passages[0].supports == ()


@pytest.mark.parametrize(
    ("record", "field", "found"),
    [
        (changed("paragraphs", 1, "idx", to=0), "paragraphs[1].idx", "'0', which an earlier"),
        (changed("paragraphs", 1, "idx", to=None), "paragraphs[1].idx", "null"),
        (changed("paragraphs", 1, "paragraph_text", to=5), "paragraphs[1].paragraph_text", "5"),
        (changed("paragraphs", 1, "is_supporting", to=1), "paragraphs[1].is_supporting", "1"),
        ({"question": "q", "paragraphs": None}, "paragraphs", "null"),
        (changed("question", to=""), "question", "an empty text"),
        (changed("answer", to=30), "answer", "the number 30"),
        (
            changed("question_decomposition", 1, "paragraph_support_idx", to=9),
            "question_decomposition[1].paragraph_support_idx",
            "'9'",
        ),
        (
            changed("question_decomposition", 1, "question", to=None),
            "question_decomposition[1].question",
            "null",
        ),
    ],
)
def test_a_wrong_field_is_named(
    read_one: Callable, record: dict[str, Any], field: str, found: str
) -> None:
    records, report = read_one("musique", **record)
    assert records == ()
    assert [problem.field for problem in report.problems] == [field]
    assert found in report.problems[0].found


def test_the_forty_published_questions_are_read_without_a_problem(shared_data: Path) -> None:
    report = Report()
    path = shared_data / "musique" / "musique_train_000-039.json"
    records = list(format_of("musique").read([path], report))
    report.raise_if_any()
    published = json.loads(path.read_text(encoding="utf-8"))
    assert len(records) == len(published) == 40
    assert report.warnings == ()
    for record, source in zip(records, published, strict=True):
        assert [p.text for p in record.passages] == [
            paragraph["paragraph_text"] for paragraph in source["paragraphs"]
        ]
        supported = {s.fact: p.id for p in record.passages for s in p.supports or ()}
        hops = source["question_decomposition"]
        assert supported == {
            f"hop-{n}": str(hop["paragraph_support_idx"]) for n, hop in enumerate(hops, start=1)
        }
        assert set(record.answer_bearing or ()) == set(supported.values())
    repeats = [r for r in records if len({p.metadata["title"] for p in r.passages}) < 20]
    assert len(repeats) == 13
