"""Outcomes that come after their questions: whole or not at all, with repeated runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from storage.__main__ import main
from storage.diagnose import regressions
from storage.engine import Database
from storage.export import stored_records
from storage.imports import import_records
from storage.outcome_imports import import_outcomes
from storage.queries import NotStored
from storage.report import ImportRefused
from storage.upkeep import check


@pytest.fixture
def bare(database: Database, refund) -> Database:
    """Two questions without outcomes."""
    records = [replace(refund, arms=()), replace(refund, id="other", arms=())]
    import_records(database, records, collection="mine", format="jsonl", ranked=True)
    return database


def file(folder: Path, text: str, name: str = "outcomes.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


TABLE = """\
question_id;arm;run;correct;cited;sent
refund;k=1;1;yes;true;a
refund;k=1;2;yes;true;a
refund;k=3;1;no;false;a|b|gone
refund;k=3;2;yes;false;a|b|gone
other;k=1;1;right;;a
other;k=3;1;wrong;;b
nobody;k=1;1;right;;
"""


def test_a_table_adds_outcomes_and_gives_a_flip_rate(bare: Database, tmp_path: Path):
    done = import_outcomes(bare, [file(tmp_path, TABLE)], collection="mine")
    assert (done.outcomes, done.questions, done.unknown) == (6, 2, 1)
    found = regressions(bare, "mine")
    assert (found.baseline, found.candidate, found.worse) == ("k=1", "k=3", 2)
    assert (found.noise.flips, found.noise.pairs) == (1, 2)
    case = found.cases[0]
    assert (case.worse_runs, case.runs) == (1, 2)
    assert case.before.sent == ("a",)
    assert check(bare).problems == ()


def test_json_lines_and_scores_count_from_a_threshold(bare: Database, tmp_path: Path):
    rows = [
        {"question": "refund", "arm": "old", "score": 0.8, "answer": "30 days"},
        {"question": "refund", "arm": "new", "score": 0.4, "setting": "top_k(k=3)"},
    ]
    path = file(tmp_path, "\n".join(map(json.dumps, rows)), "outcomes.jsonl")
    import_outcomes(bare, [path], collection="mine", right_from=0.5)
    found = regressions(bare, "mine")
    assert (found.worse, found.n) == (1, 1)


def test_what_is_stored_gives_way_only_when_asked(bare: Database, tmp_path: Path):
    import_outcomes(bare, [file(tmp_path, TABLE)], collection="mine")
    again = file(tmp_path, "question,arm,correct\nrefund,k=1,false\n")
    with pytest.raises(ValueError, match="already"):
        import_outcomes(bare, [again], collection="mine")
    assert import_outcomes(bare, [again], collection="mine", replace_known=True).replaced == 1
    record = next(stored_records(bare, "mine"))
    assert [arm.correct for arm in record.arms] == [False, True, False, True]
    assert check(bare).problems == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("question,arm,correct\nrefund,k=1,perhaps\n", "line 2, correct: found the text 'perhaps'"),
        ("question,arm,correct\nrefund,,true\n", "name"),
        ("question,arm,correct,run\nrefund,k=1,true,0\n", "a whole number from 1"),
        ("question,arm,correct\nrefund,a,true\nrefund,a,true\n", "each of these once"),
        ("question,correct\nrefund,true\n", "a first row with the columns"),
        ("\n\n", "a first row with the columns"),
    ],
)
def test_a_file_with_a_problem_stores_nothing(bare: Database, tmp_path: Path, text: str, said: str):
    with pytest.raises(ImportRefused, match="Nothing was stored") as refused:
        import_outcomes(bare, [file(tmp_path, text)], collection="mine")
    assert said in str(refused.value)
    assert all(not record.arms for record in stored_records(bare, "mine"))


def test_questions_that_are_not_there_are_said(bare: Database, tmp_path: Path):
    path = file(tmp_path, "question,arm,correct\nx,k=1,true\n")
    with pytest.raises(ValueError, match="None of the 1 questions"):
        import_outcomes(bare, [path], collection="mine")
    with pytest.raises(NotStored):
        import_outcomes(bare, [path], collection="nothing")


def test_the_command_says_what_it_did_and_a_dry_run_stores_nothing(
    bare: Database, url: str, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("storage.imports.all_samples", tuple)
    words = ["outcomes", str(file(tmp_path, TABLE)), "--collection", "mine", "--database", url]
    assert main([*words, "--json", "--dry-run"]) == 0
    assert json.loads(capsys.readouterr().out)["stored"] is False
    assert all(not record.arms for record in stored_records(bare, "mine"))
    assert main(words) == 0
    assert "6 outcomes on 2 questions" in capsys.readouterr().out


def test_a_list_too_deep_to_read_is_explained(database: Database, refund, tmp_path: Path):
    import_records(database, [refund], collection="mine", format="jsonl", ranked=True)
    file = tmp_path / "deep.csv"
    file.write_text(f'question,arm,correct,sent\nrefund,k=9,true,"{"[" * 50_000}"\n', "utf-8")
    with pytest.raises(ValueError, match="Nothing was stored"):
        import_outcomes(database, [file], collection="mine")
