"""HotpotQA in both published layouts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storage.formats import format_of, guess
from storage.records import Fact, Support
from storage.report import Report

PAIRS: dict[str, Any] = {
    "_id": "h1",
    "question": "Which is older, A or B?",
    "answer": "A",
    "type": "comparison",
    "level": "easy",
    "supporting_facts": [["A", 0], ["B", 1]],
    "context": [
        ["A", ["A is from 1900."]],
        ["B", ["B is a firm.", " It is from 1950.", " More."]],
        ["C", ["C."]],
    ],
}
COLUMNS: dict[str, Any] = {
    "id": "h1",
    "question": "Which is older, A or B?",
    "answer": "A",
    "type": "comparison",
    "level": "easy",
    "supporting_facts": {"title": ["A", "B"], "sent_id": [0, 1]},
    "context": {
        "title": ["A", "B", "C"],
        "sentences": [["A is from 1900."], ["B is a firm.", " It is from 1950.", " More."], ["C."]],
    },
}


def test_each_supporting_sentence_is_a_fact_at_its_exact_place(read_one: Callable) -> None:
    (record,), report = read_one("hotpotqa", **PAIRS)
    report.raise_if_any()
    first, second, other = record.passages
    assert (first.id, second.id, other.id) == ("A", "B", "C")
    assert second.text == "B is a firm. It is from 1950. More."
    assert record.facts == (
        Fact(id="A #0", text="A is from 1900."),
        Fact(id="B #1", text="It is from 1950."),
    )
    assert second.supports == (Support(fact="B #1", start=13, end=29),)
    assert second.text[13:29] == "It is from 1950."
    assert other.supports == ()
    assert record.answer_bearing == ("A", "B")
    assert record.metadata == {"answer": "A", "type": "comparison", "level": "easy"}
    assert all(p.claims is None and p.score is None for p in record.passages)


def test_both_layouts_give_the_same_record(read_one: Callable, tmp_path: Path) -> None:
    (pairs,), _ = read_one("hotpotqa", **PAIRS)
    (columns,), report = read_one("hotpotqa", **COLUMNS)
    report.raise_if_any()
    assert pairs == columns
    (tmp_path / "columns").write_text(json.dumps(COLUMNS))
    assert guess(tmp_path / "columns") == "hotpotqa"


def test_a_question_of_the_test_set_has_no_gold(read_one: Callable) -> None:
    (record,), report = read_one("hotpotqa", _id="t", question="q", context=[["A", ["a"]]])
    report.raise_if_any()
    assert record.facts == ()
    assert record.answer_bearing is None
    assert record.passages[0].supports is None


def test_a_sentence_that_is_not_among_the_candidates_is_a_fact_without_a_place(
    read_one: Callable,
) -> None:
    (record,), report = read_one(
        "hotpotqa", **(PAIRS | {"supporting_facts": [["A", 0], ["B", 9], ["Elsewhere", 0]]})
    )
    report.raise_if_any()
    assert [fact.id for fact in record.facts] == ["A #0", "B #9", "Elsewhere #0"]
    assert [len(p.supports or ()) for p in record.passages] == [1, 0, 0]
    assert record.answer_bearing == ("A", "B")
    (warning,) = report.warnings
    assert warning.endswith("(first in file1.json, line 1, 2 times in all)")


def test_a_pair_that_is_named_twice_is_one_fact(read_one: Callable) -> None:
    (record,), _ = read_one("hotpotqa", **(PAIRS | {"supporting_facts": [["A", 0], ["A", 0]]}))
    assert [fact.id for fact in record.facts] == ["A #0"]
    assert record.passages[0].supports == (Support(fact="A #0", start=0, end=15),)


@pytest.mark.parametrize(
    ("change", "field", "found"),
    [
        ({"context": None}, "context", "null"),
        ({"context": [["A"]]}, "context[0]", "a list of 1"),
        ({"context": [["A", "text"]]}, "context[0].sentences", "the text 'text'"),
        ({"context": [["A", ["a", 5]]]}, "context[0].sentences[1]", "the number 5"),
        ({"context": [[None, ["a"]]]}, "context[0].title", "null"),
        ({"context": [["A", ["a"]], ["A", ["b"]]]}, "context[1].title", "'A', which an earlier"),
        ({"context": {"title": ["A"], "sentences": []}}, "context", "lists of 1 and 0"),
        ({"context": {"title": ["A"]}}, "context.sentences", "only 'title'"),
        ({"supporting_facts": [["A", "0"]]}, "supporting_facts[0].sent_id", "the text '0'"),
        ({"supporting_facts": [["A", None]]}, "supporting_facts[0].sent_id", "nothing"),
        ({"supporting_facts": ["A"]}, "supporting_facts[0]", "the text 'A'"),
        ({"supporting_facts": 5}, "supporting_facts", "the number 5"),
        ({"answer": 5}, "answer", "the number 5"),
    ],
)
def test_a_wrong_field_is_named(
    read_one: Callable, change: dict[str, Any], field: str, found: str
) -> None:
    records, report = read_one("hotpotqa", **(PAIRS | change))
    assert records == ()
    assert [problem.field for problem in report.problems] == [field]
    assert found in report.problems[0].found


def test_the_forty_published_questions_are_read_without_a_problem(shared_data: Path) -> None:
    report = Report()
    path = shared_data / "hotpotqa" / "hotpotqa_train_000-039.json"
    records = list(format_of("hotpotqa").read([path], report))
    report.raise_if_any()
    published = json.loads(path.read_text(encoding="utf-8"))
    assert len(records) == len(published) == 40
    assert report.warnings == ()
    for record, source in zip(records, published, strict=True):
        assert [(p.id, p.text) for p in record.passages] == [
            (title, "".join(sentences)) for title, sentences in source["context"]
        ]
        said = {title: sentences for title, sentences in source["context"]}
        places = {
            support.fact: passage.text[support.start : support.end]
            for passage in record.passages
            for support in passage.supports or ()
        }
        assert places == {
            f"{title} #{number}": said[title][number].strip()
            for title, number in source["supporting_facts"]
        }
