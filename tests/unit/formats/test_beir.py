"""BEIR's corpus, queries and qrels with a run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from storage.records import PassageRecord

RUN = '{"q1": {"d1": 7.5, "d2": 9}, "q2": {"d2": -3.5}}'
COLUMNS = "q1 Q0 d2 1 9 r\nq1 Q0 d1 2 7.5 r\nq2 Q0 d2 1 -3.5 r\n"
CORPUS = (
    '{"_id": "d1", "title": "T", "text": "30 days."}\n{"_id": "d2", "title": "", "text": "x"}\n'
)
QUERIES = '{"_id": "q1", "text": "How long?"}\n{"_id": "q2", "text": "And?"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq1\td7\t1\n"


@pytest.mark.parametrize("run", [RUN, COLUMNS], ids=["JSON", "columns"])
def test_candidates_come_from_the_run_and_texts_from_the_corpus(read: Callable, run: str) -> None:
    (one, two), report = read("beir", CORPUS, QUERIES, QRELS, run)
    report.raise_if_any()
    assert (one.id, one.question) == ("q1", "How long?")
    assert one.passages == (
        PassageRecord(id="d2", text="x", score=9.0, metadata={"title": ""}),
        PassageRecord(id="d1", text="30 days.", score=7.5, metadata={"title": "T"}),
    )
    assert one.answer_bearing == ("d1",)
    assert two.answer_bearing is None
    assert [p.score for p in two.passages] == [-3.5]


def test_equal_scores_are_ordered_by_id_backwards(read: Callable) -> None:
    (record,), _ = read("beir", '{"q1": {"d1": 1, "d3": 1, "d2": 1}}', QUERIES)
    assert [p.id for p in record.passages] == ["d3", "d2", "d1"]


def test_what_no_file_has_is_said(read: Callable) -> None:
    (record,), report = read("beir", '{"q9": {"d9": 1}}', QUERIES, CORPUS)
    report.raise_if_any()
    assert record.question == "Query q9"
    assert "not in the queries" in report.warnings[0]
    assert "1 candidates have no text" in report.warnings[1]


def test_without_a_run_there_is_nothing_to_select_from(read: Callable) -> None:
    records, report = read("beir", CORPUS, QUERIES, QRELS)
    assert records == ()
    assert "no run, so there are no candidates" in report.problems[0].found


@pytest.mark.parametrize(
    ("contents", "file", "found"),
    [
        ((RUN,), 1, "no queries"),
        (('{"q1": {"d1": null}}', QUERIES), 1, "a file that starts with"),
        (('{"q1": {"d1": 1e999}}', QUERIES), 1, "the number inf"),
        (('{"q1": {"d1": 1}}\n{"q1": {"d1": 2}}', QUERIES), 1, "'d1' again"),
        ((RUN, QUERIES, QRELS + "q1\td1\n"), 3, "2 columns"),
        ((RUN, QUERIES, QRELS + "q1\td1\tx\n"), 3, "the text 'x'"),
        ((RUN, QUERIES, QRELS + "q1\td1\t0\n"), 3, "0, and 2 before"),
        ((RUN, QUERIES, '{"_id": "d1", "title": "", "text": 5}'), 3, "the number 5"),
        ((RUN, QUERIES, CORPUS + CORPUS.replace("30", "60")), 3, "another text"),
    ],
)
def test_what_is_wrong_is_said(
    read: Callable, contents: tuple[str, ...], file: int, found: str
) -> None:
    _, report = read("beir", *contents)
    assert report.problems[0].file == f"file{file}.jsonl"
    assert found in report.problems[0].found or "a file that starts" in found
