"""Promoted cases: frozen as reviewed, held or failed by a setting, checked by the gate."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from selection import Budget, make_selector
from storage import queries
from storage.__main__ import main
from storage.cases import AlreadyGuarded, candidate, cases, promote, release
from storage.engine import Database
from storage.fingerprint import fingerprint
from storage.frozen import Frozen, freeze
from storage.guard import State
from storage.imports import import_records
from storage.records import ArmOutcome, Claim, PassageRecord, QuestionRecord, Support
from storage.reviews import add_review

TOP1, TOP3 = make_selector("top_k", k=1), make_selector("top_k", k=3)


@pytest.fixture(autouse=True)
def without_samples(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("storage.imports.all_samples", tuple)


def crowded() -> QuestionRecord:
    """Evidence at rank 3, and two passages that say one thing against it."""
    said = (("a", "rule"), ("b", "rule"), ("gold", "exception"))
    return QuestionRecord(
        id="crowded",
        question="Which one?",
        passages=tuple(
            PassageRecord(
                id=name,
                text=f"Passage {name}.",
                tokens=10,
                score=1 - at / 10,
                claims=(Claim(key=claim),),
                supports=(Support(fact="f"),) if name == "gold" else (),
            )
            for at, (name, claim) in enumerate(said)
        ),
        facts=(),
        answer_bearing=("gold",),
        arms=(
            ArmOutcome(name="old", correct=True, sent=("a", "gold")),
            ArmOutcome(name="new", correct=False, sent=("a", "b", "gold")),
        ),
    )


@pytest.fixture
def stored(database: Database, refund) -> Database:
    """`refund` keeps its evidence; so does `crowded`, among more that competes."""
    record = replace(crowded(), passages=tuple(replace(p, supports=()) for p in crowded().passages))
    import_records(database, [refund, record], collection="mine", format="jsonl", ranked=True)
    return database


def guard(database: Database, question: str, selector=TOP3, **limits: int) -> None:
    arms = ("k=1", "k=3") if question == "refund" else ("old", "new")
    add_review(database, "mine", [question], verdict="crowded out", note="n", reviewer="Ann")
    found = candidate(database, "mine", question, baseline=arms[0], candidate=arms[1])
    promote(database, "mine", question, found, selector=selector, budget=Budget(**limits), by="Ann")


def test_a_frozen_question_comes_back_as_it_was(stored: Database):
    home = queries.collection(stored, "mine")
    for name in ("refund", "crowded"):
        view = queries.question(stored, "mine", name)
        with stored.read() as connection:
            record = queries.read_question(connection, home, name).record
        again = Frozen(freeze(record, queries.frequencies(stored, home)))
        assert fingerprint(again.record) == fingerprint(record)
        pool = again.pool(similarity=True)
        for selector in (make_selector("mmr"), make_selector("marginal_gain"), TOP3):
            assert selector.select(pool).ranks == selector.select(view.pool).ranks
        assert (pool.similarity == view.pool.similarity).all()


def test_a_case_keeps_verdict_setting_and_arms(stored: Database):
    guard(stored, "refund", tokens=100)
    (case,) = cases(stored, "mine")
    assert (case.verdict, case.note, case.promoted_by) == ("crowded out", "n", "Ann")
    assert (case.setting, case.budget) == (TOP3.spec, Budget(tokens=100))
    assert case.arms == {"k=1": "top_k(k=1)", "k=3": ""}
    assert case.expected.must == ("window",)
    assert case.check().state is State.HELD


def test_what_is_left_out_fails_with_its_rank_and_reason(stored: Database):
    guard(stored, "crowded")
    (case,) = cases(stored)
    checked = case.check(TOP1)
    assert checked.state is State.FAILED
    assert "answer is not sent (rank 3 is out: " in checked.why[0]


def test_a_crowded_case_fails_where_the_evidence_is_as_crowded_again(stored: Database):
    guard(stored, "crowded")
    (case,) = cases(stored)
    assert case.expected.limits["repetition"] == 1
    assert case.check().state is State.FAILED
    assert any("competing statement" in why for why in case.check().why)
    assert case.check(make_selector("marginal_gain")).state is State.HELD


def test_a_setting_that_cannot_run_is_not_judged(stored: Database):
    guard(stored, "refund")
    (case,) = cases(stored)
    checked = case.check(make_selector("rerank"))
    assert checked.state is State.UNJUDGED
    assert "rerank" in checked.why[0]


def test_a_case_is_not_changed_by_what_is_imported_later(stored: Database, refund):
    guard(stored, "refund")
    import_records(
        stored,
        [replace(refund, passages=refund.passages[1:], answer_bearing=(), arms=())],
        collection="mine",
        format="jsonl",
        ranked=True,
        on_existing="update",
    )
    (case,) = cases(stored)
    assert case.check().state is State.HELD
    assert case.check(TOP1).state is State.HELD


def test_only_what_was_reviewed_is_promoted_and_only_once(stored: Database):
    found = candidate(stored, "mine", "refund", baseline="k=1", candidate="k=3")
    with pytest.raises(ValueError, match="Nobody has reviewed"):
        promote(stored, "mine", "refund", found, selector=TOP1, budget=Budget(), by="Ann")
    guard(stored, "refund")
    with pytest.raises(AlreadyGuarded, match="already"):
        promote(stored, "mine", "refund", found, selector=TOP1, budget=Budget(), by="Ann")
    assert release(stored, "mine", "refund")
    assert not release(stored, "mine", "refund")
    assert cases(stored) == ()


def test_without_known_evidence_there_is_nothing_to_guard(database: Database, refund):
    bare = replace(
        refund,
        facts=(),
        answer_bearing=None,
        passages=tuple(replace(p, supports=None) for p in refund.passages),
    )
    import_records(database, [bare], collection="mine", format="jsonl", ranked=True)
    with pytest.raises(ValueError, match="nothing that a gate could check"):
        candidate(database, "mine", "refund", baseline="k=1", candidate="k=3")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 0),
        (["--selector", "top_k(k=1)"], 0),
        (["--selector", "top_k(k=0)"], 1),
        (["--budget", "1"], 0),  # top_k overspends unless told otherwise
        (["--selector", "rerank"], 2),
        (["--selector", "nonsense"], 2),
        (["--collection", "nothing"], 2),
        (["--baseline", "x"], 2),
    ],
)
def test_exit_codes_are_0_all_held_1_one_failed_2_unjudged(
    stored: Database, url: str, words: list[str], code: int, capsys
):
    guard(stored, "refund")
    assert main(["gate", "--cases", *words, "--database", url, "--json"]) == code
    out = capsys.readouterr().out
    if out:
        document = json.loads(out)
        assert document["passed"] is (code == 0)
        assert document["cases"][0]["question"] == "refund"


def test_without_a_case_nothing_passes(stored: Database, url: str, capsys):
    assert main(["gate", "--cases", "--database", url]) == 2
    assert "no case" in capsys.readouterr().err


def test_a_junit_file_has_one_test_for_each_case(stored: Database, url: str, tmp_path: Path):
    guard(stored, "refund")
    guard(stored, "crowded")
    file = tmp_path / "cases.xml"
    assert main(["gate", "--cases", "--database", url, "--junit", str(file)]) == 1
    suite = ElementTree.parse(file).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert suite.find("testcase/failure") is not None
