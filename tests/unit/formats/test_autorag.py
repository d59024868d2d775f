"""AutoRAG: results of a retrieval node with qa and corpus."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from storage.formats import format_of, guess
from storage.records import Fact, PassageRecord, Support
from storage.report import Report

QA: dict[str, Any] = {
    "qid": "q1",
    "query": "How long?",
    "retrieval_gt": [["d1", "d7"], ["d2"]],
    "generation_gt": ["30 days", "a month"],
}
RESULT: dict[str, Any] = {
    "qid": "q1",
    "retrieved_ids": ["d1", "d9", "d7"],
    "retrieve_scores": [0.9, 0.5, 0.4],
}
CORPUS = [
    {"doc_id": "d1", "contents": "30 days.", "metadata": {"path": "a.md"}},
    {"doc_id": "d7", "contents": "A month."},
    {"doc_id": "d9", "contents": "Lamps."},
    {"doc_id": "d2", "contents": "Unused."},
]


def lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_each_outer_list_is_one_need_and_its_inner_ids_are_alternatives(read: Callable) -> None:
    (record,), report = read("autorag", lines(*CORPUS), lines(QA), lines(RESULT))
    report.raise_if_any()
    assert record.facts == (Fact(id="need-1", text="d1 or d7"), Fact(id="need-2", text="d2"))
    assert record.passages == (
        PassageRecord(
            id="d1",
            text="30 days.",
            score=0.9,
            supports=(Support(fact="need-1"),),
            metadata={"path": "a.md"},
        ),
        PassageRecord(id="d9", text="Lamps.", score=0.5, supports=()),
        PassageRecord(id="d7", text="A month.", score=0.4, supports=(Support(fact="need-1"),)),
    )
    assert record.answer_bearing == ("d1", "d7")
    assert record.metadata == {"answer": "30 days / a month"}


def test_results_may_hold_questions_and_texts_themselves(read: Callable) -> None:
    whole = QA | RESULT | {"retrieved_contents": ["a", "b", "c"]}
    (record,), report = read("autorag", lines(whole))
    report.raise_if_any()
    assert (record.question, [p.text for p in record.passages]) == ("How long?", ["a", "b", "c"])


@pytest.mark.parametrize(
    ("given", "needs"),
    [("d1", ["d1"]), (["d1", "d7"], ["d1 or d7"]), ([["d1"], ["d7"]], ["d1", "d7"]), ([], [])],
)
def test_flat_gold_is_one_need_as_autorag_reads_it(
    read: Callable, given: Any, needs: list[str]
) -> None:
    (record,), report = read("autorag", lines(QA | {"retrieval_gt": given}), lines(RESULT))
    report.raise_if_any()
    assert [fact.text for fact in record.facts] == needs


def test_a_passage_without_a_text_is_counted(read: Callable) -> None:
    (record,), report = read("autorag", lines(QA), lines(RESULT), lines(CORPUS[0]))
    report.raise_if_any()
    assert [p.text for p in record.passages] == ["30 days.", "", ""]
    assert report.warnings == ("2 retrieved passages have no text in any of the files.",)


@pytest.mark.parametrize("contents", [[QA], CORPUS, [QA, *CORPUS[:0]]])
def test_without_results_there_is_nothing_to_select_from(
    read: Callable, contents: list[Any]
) -> None:
    records, report = read("autorag", lines(*contents))
    assert records == ()
    assert "no retrieved_ids, so there are no candidates" in report.problems[0].found


@pytest.mark.parametrize(
    ("change", "field", "found"),
    [
        ({"qid": None}, "qid", "null"),
        ({"retrieved_ids": ["d1", "d1", "d2"]}, "retrieved_ids[1]", "'d1', which an earlier"),
        ({"retrieved_ids": "d1"}, "retrieved_ids", "the text 'd1'"),
        ({"retrieve_scores": [1.0]}, "retrieve_scores", "1 scores for 3 ids"),
        ({"retrieve_scores": [1.0, "2", 3]}, "retrieve_scores[1]", "the text '2'"),
        ({"retrieved_contents": ["a"]}, "retrieved_contents", "1 texts for 3 ids"),
        ({"retrieval_gt": [[]]}, "retrieval_gt[0]", "an empty list"),
        ({"qid": "q9"}, "query", "only 'qid'"),
    ],
)
def test_a_wrong_field_is_named(
    read: Callable, change: dict[str, Any], field: str, found: str
) -> None:
    records, report = read("autorag", lines(QA), lines(RESULT | change))
    assert records == ()
    assert report.problems[0].field == field
    assert found in report.problems[0].found


def test_parquet_files_as_autorag_writes_them_are_read(read: Callable, tmp_path: Path) -> None:
    corpus = [
        one | {"metadata": {"path": "a.md", "last_modified_datetime": datetime(2024, 1, 2)}}
        for one in CORPUS
    ]
    paths = []
    for name, table in (("qa", [QA]), ("corpus", corpus), ("best", [RESULT])):
        paths.append(tmp_path / f"{name}.parquet")
        parquet.write_table(pa.Table.from_pylist(table), paths[-1])
    assert {guess(path) for path in paths} == {"autorag"}
    report = Report()
    (record,) = format_of("autorag").read(paths, report)
    report.raise_if_any()
    (same,), _ = read("autorag", lines(*CORPUS), lines(QA), lines(RESULT))
    assert [(p.id, p.text, p.score) for p in record.passages] == [
        (p.id, p.text, p.score) for p in same.passages
    ]
    assert record.facts == same.facts
    assert record.passages[0].metadata == {
        "path": "a.md",
        "last_modified_datetime": "2024-01-02T00:00:00",
    }
