"""The gate passes, fails, or says why it cannot judge."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from selection import Budget, make_selector
from storage.__main__ import main
from storage.compare import compare
from storage.engine import Database
from storage.gate import CannotJudge, judge
from storage.imports import import_records
from storage.junit import Reported, document
from storage.saved import save_comparison


@pytest.fixture(autouse=True)
def without_samples(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("storage.imports.all_samples", tuple)


@pytest.fixture
def saved(database: Database, refund) -> Database:
    """`small` sends one passage, `large` three: one of two questions gains its evidence."""
    other = replace(refund, id="other", passages=refund.passages[::-1])
    import_records(database, [refund, other], collection="mine", format="jsonl", ranked=True)
    for name, selectors in (
        ("small", [make_selector("top_k", k=1)]),
        ("large", [make_selector("top_k", k=3)]),
        ("both", [make_selector("top_k", k=1), make_selector("marginal_gain")]),
    ):
        save_comparison(database, compare(database, "mine", selectors, Budget()), name=name)
    return database


def gate(database: Database, **changes):
    asked = {
        "baseline": "large",
        "candidate": "small",
        "metric": "evidence_recall",
        "max_drop": 0.0,
    }
    return judge(database, **{**asked, **changes})


def test_a_drop_beyond_what_is_allowed_fails_and_names_the_question(saved: Database):
    verdict = gate(saved)
    assert not verdict.passed
    assert verdict.drop == 0.5
    assert verdict.got_worse == {"other": (1.0, 0.0)}


def test_a_drop_of_exactly_what_is_allowed_passes(saved: Database):
    assert gate(saved, max_drop=0.5).passed


def test_a_gain_passes(saved: Database):
    assert gate(saved, baseline="small", candidate="large").passed


def test_fewer_tokens_are_better(saved: Database):
    assert gate(saved, metric="tokens").passed
    assert not gate(saved, metric="tokens", baseline="small", candidate="large").passed


def test_one_of_several_selectors_is_named_after_a_colon(saved: Database):
    assert gate(saved, candidate="both:marginal_gain").candidate.selector.startswith("marginal")
    assert gate(saved, candidate="both:top_k(k=1, overflow='overspend')").drop == 0.5


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"candidate": "both"}, "ambiguous"),
        ({"candidate": "nothing"}, "no saved comparison"),
        ({"metric": "nonsense"}, "no measure"),
        ({"metric": "remaining"}, "no measure that gets better"),
        ({"metric": "alpha_ndcg_of_nothing"}, "no measure"),
    ],
)
def test_what_cannot_be_judged_is_said(saved: Database, changes, said: str):
    with pytest.raises(CannotJudge, match=said):
        gate(saved, **changes)


def test_changed_data_cannot_be_judged_unless_it_is_asked_for(saved: Database, refund):
    import_records(
        saved,
        [replace(refund, question="Changed?")],
        collection="mine",
        format="jsonl",
        ranked=True,
        on_existing="update",
    )
    again = compare(saved, "mine", [make_selector("top_k", k=1)], Budget())
    save_comparison(saved, again, name="again")
    with pytest.raises(CannotJudge, match="data changed"):
        gate(saved, candidate="again")
    assert gate(saved, candidate="again", allow_changed=True).test.n == 2


@pytest.mark.parametrize(
    ("baseline", "candidate", "code"),
    [("large", "small", 1), ("small", "large", 0), ("large", "both", 2), ("x", "y", 2)],
)
def test_exit_codes_are_0_held_1_dropped_2_unjudged(
    saved: Database, url: str, baseline: str, candidate: str, code: int, capsys
):
    words = ["--baseline", baseline, "--candidate", candidate, "--metric", "evidence_recall"]
    assert main(["gate", *words, "--database", url, "--json"]) == code
    out = capsys.readouterr().out
    assert (json.loads(out)["passed"] is (code == 0)) if code < 2 else out == ""


def test_a_junit_file_names_what_got_worse(saved: Database, url: str, tmp_path: Path):
    file = tmp_path / "gate.xml"
    words = ["--baseline", "large", "--candidate", "small", "--metric", "evidence_recall"]
    main(["gate", *words, "--database", url, "--junit", str(file)])
    suite = ElementTree.parse(file).getroot()
    assert suite.get("failures") == "1"
    assert "other: 1 -> 0" in suite.find("testcase/failure").text


@pytest.mark.parametrize(
    ("candidate", "failures", "errors"),
    [("large", "0", "0"), ("small", "1", "0"), ("gone", "0", "1")],
)
def test_the_junit_file_is_there_whatever_the_verdict(
    saved: Database, url: str, tmp_path: Path, candidate: str, failures: str, errors: str
):
    file = tmp_path / "gate.xml"
    words = ["--baseline", "large", "--candidate", candidate, "--metric", "evidence_recall"]
    main(["gate", *words, "--database", url, "--junit", str(file)])
    suite = ElementTree.parse(file).getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == (
        "1",
        failures,
        errors,
    )


def test_a_junit_file_can_be_read_whatever_stands_in_an_id():
    case = Reported(
        group="g", name="q\x07\ud800 <&>", outcome="failure", message="\x00", details="\x1b"
    )
    suite = ElementTree.fromstring(document("s", [case]).encode())
    assert suite.find("testcase").get("name") == "q\ufffd\ufffd <&>"
