"""What is written in a peer's format is read again by that format's own reader."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from selection import Budget, make_selector
from storage.__main__ import main
from storage.engine import Database
from storage.export import export_collection
from storage.formats import format_of
from storage.formats.trec import Trec
from storage.imports import import_records
from storage.records import Fact, PassageRecord, QuestionRecord, Support
from storage.report import Report
from storage.selected import selected_records


@pytest.fixture
def stored(database: Database, refund: QuestionRecord) -> Database:
    import_records(database, [refund], collection="mine", format="jsonl", ranked=True)
    return database


def read(format: str, *paths: Path) -> list[QuestionRecord]:
    report = Report()
    records = list(format_of(format).read(paths, report))
    report.raise_if_any()
    return records


def test_ragas_keeps_question_passages_and_evidence(
    stored: Database, refund: QuestionRecord, tmp_path: Path
) -> None:
    target = tmp_path / "out.jsonl"
    export_collection(stored, "mine", target, format="ragas")
    (again,) = read("ragas", target)
    assert (again.id, again.question) == (refund.id, refund.question)
    assert [(p.id, p.text) for p in again.passages] == [(p.id, p.text) for p in refund.passages]
    assert again.answer_bearing == refund.answer_bearing


def test_a_run_and_its_subtopics_go_together(stored: Database, tmp_path: Path) -> None:
    run, qrels = tmp_path / "a.run", tmp_path / "a.qrels"
    export_collection(stored, "mine", run, format="trec")
    export_collection(stored, "mine", qrels, format="trec-qrels")
    assert run.read_text().splitlines()[0] == "refund Q0 a 1 3 rank13"
    assert qrels.read_text() == "refund window a 1\n"
    (again,) = Trec(subtopics=True).read([run, qrels], Report())
    assert [passage.id for passage in again.passages] == ["a", "b", "c"]
    assert again.passages[0].supports == (Support(fact="window"),)


def test_blanks_in_ids_are_escaped_and_stay_apart(database: Database, tmp_path: Path) -> None:
    passages = (PassageRecord(id="a b", text="A."), PassageRecord(id="a%20b", text="B."))
    record = QuestionRecord(id="q 1", question="Q?", passages=passages)
    import_records(database, [record], collection="mine", format="jsonl", ranked=True)
    export_collection(database, "mine", tmp_path / "out", format="trec")
    lines = [line.split() for line in (tmp_path / "out").read_text().splitlines()]
    assert {len(line) for line in lines} == {6}
    assert [line[2] for line in lines] == ["a%20b", "a%2520b"]


def test_a_selection_is_exported_in_its_order_and_what_it_missed_still_counts(
    database: Database, refund: QuestionRecord, tmp_path: Path
) -> None:
    first = replace(refund.passages[0], score=0.1)
    record = replace(refund, passages=(first, *refund.passages[1:]), facts=(Fact(id="window"),))
    import_records(database, [record], collection="mine", format="jsonl", ranked=True)
    (sent,) = selected_records(
        database, "mine", make_selector("mmr", lambda_=1.0), budget=Budget(passages=2)
    )
    assert [passage.id for passage in sent.passages] == ["b", "c"]
    assert (sent.answer_bearing, sent.facts) == (("a",), record.facts)


def test_the_command_exports_a_selection_and_wants_a_selector_for_a_budget(
    stored: Database, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out.jsonl"
    words = ["export", "--collection", "mine", "--output", str(target), "--database", url]
    assert main([*words, "--passages", "1"]) == 2
    assert "needs a --selector" in capsys.readouterr().err
    selected = ["--format", "ragas", "--selector", "top_k(k=2)"]
    assert main([*words, *selected]) == 0
    assert [passage.id for passage in read("ragas", target)[0].passages] == ["a", "b"]
