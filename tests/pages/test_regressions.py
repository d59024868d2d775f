"""The Regressions page: what it says, what its address does, and the review."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import cache, regressing, regressing_change, regressing_list
from selection.significance import mcnemar
from storage.cases import cases
from storage.diagnose import Noise, regressions
from storage.engine import Database
from storage.export import stored_records
from storage.imports import import_records
from storage.opening import open_database
from storage.records import ArmOutcome, Fact, PassageRecord, QuestionRecord, Support
from storage.reviews import add_review, reviews

ROOT = Path(__file__).resolve().parents[2]
Opened = Callable[..., AppTest]


def record(
    name: str, *, after: tuple[str, ...], went: str = "10", text: str = ""
) -> QuestionRecord:
    """A question with evidence at rank 1, and two arms; the earlier one sent rank 1 only."""
    return QuestionRecord(
        id=name,
        question=text or f"Question {name}?",
        passages=(
            PassageRecord(id="gold", text="It is 30 days.", supports=(Support(fact="f"),)),
            PassageRecord(id="a", text="It is 14 days.", supports=()),
            PassageRecord(id="b", text="It is 14 days. Ask us.", supports=()),
        ),
        facts=(Fact(id="f", text="It is 30 days."),),
        arms=(
            ArmOutcome(name="k=1", correct=went[0] == "1", answer="30 days", sent=("gold",)),
            ArmOutcome(name="k=3", correct=went[1] == "1", answer="14 days", sent=after),
        ),
        metadata={"locale": "en-GB" if name < "q3" else "de-DE"},
    )


EVERYTHING = ("gold", "a", "b")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path / 'test.sqlite'}", samples=False)
    records = [
        record("q1", after=EVERYTHING),
        record("q2", after=EVERYTHING, text="<b>Why</b> $5 or *10*?"),
        record("q3", after=("a",)),
        record("q4", after=EVERYTHING, went="11"),
    ]
    import_records(opened, records, collection="mine", format="jsonl", ranked=True)
    yield opened
    opened.close()


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, database: Database) -> Iterator[Opened]:
    """Opens the page on that database: `page(diagnosis="crowded")`."""
    monkeypatch.setattr(cache, "opened", lambda: database)
    cache.forget()
    for kept in (regressing.kept, regressing._arms, regressing_change._remedies):
        kept.clear()

    def open_page(**address: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)
        app.session_state["framed"] = True
        app.switch_page("pages/regressions.py")
        for name, value in address.items():
            app.query_params[name] = value
        return app.run()

    yield open_page
    cache.forget()


def words(app: AppTest) -> str:
    """Everything that is drawn as HTML, and the plain texts."""
    assert not app.exception, app.exception
    html = [block.proto.body for block in app.get("html")]
    return "\n".join([*html, *(block.value for block in app.text)])


def test_it_opens_with_how_many_got_worse_and_that_it_may_be_a_coin_toss(page: Opened):
    said = words(page())
    assert "3 of 4 questions got worse" in said
    assert "0 got better" in said
    assert "no more than a coin toss" in said
    assert "every question was asked once" in said


def test_the_counts_stand_with_their_sum(page: Opened):
    app = page()
    assert "1 + 2 = 3" in words(app)
    assert app.button(key="diagnosis-crowded").label == "Crowded, suspected"


def test_a_diagnosis_filters_the_list_through_the_address(page: Opened):
    app = page()
    app.button(key="diagnosis-evidence_lost").click().run()
    assert app.query_params["diagnosis"] == "evidence_lost"
    assert "Question q3?" in words(app)
    assert [len(frame.value) for frame in app.dataframe] == [1]


def test_a_link_opens_the_question_and_the_filters_that_it_names(page: Opened):
    app = page(case="q2", where="locale=en-GB")
    said = words(app)
    assert "&lt;b&gt;Why&lt;/b&gt; $5 or *10*?" in said
    assert "2 in this list" in said


def test_an_address_that_nobody_wrote_shows_the_page_all_the_same(page: Opened):
    app = page(case="gone", diagnosis="crowded", part="nonsense", before="k=9", page="77")
    assert "3 of 4 questions got worse" in words(app)


def test_a_filter_that_leaves_nothing_says_so_and_offers_the_way_back(page: Opened):
    app = page(find="no such words")
    assert "No question matches these filters." in words(app)


def test_answers_evidence_and_what_was_added_stand_side_by_side(page: Opened):
    said = words(page(case="q1"))
    assert "30 days" in said
    assert "14 days" in said
    assert "rank 1; sent before and after" in said
    assert "1 kept, 0 dropped, 2 passages added" in said


def test_a_verdict_is_one_button_and_is_stored(page: Opened, database: Database):
    app = page(case="q1")
    app.text_input(key=note_key(database, "q1")).set_value("look at rank 2")
    app.button(key="verdict-1").click().run()
    assert "1 of 3 reviewed" in words(app)
    row = reviews(database, "mine")["q1"].current
    assert row is not None
    assert (row.verdict, row.note) == ("crowded out", "look at rank 2")
    assert app.query_params["case"] == "q1"
    assert "1 of 3 reviewed" in words(page())


def note_key(database: Database, question: str) -> str:
    """The note of one question; the only collection is number 1."""
    return f"note-1-{question}"


def test_the_next_open_question_is_one_button_away(page: Opened, database: Database):
    add_review(database, "mine", ["q1", "q2"], verdict="crowded out", reviewer="Ann")
    app = page(case="q1")
    app.button(key="step-O").click().run()
    assert app.query_params["case"] == "q3"


def test_a_verdict_is_taken_back_and_stays_in_the_history(page: Opened, database: Database):
    app = page(case="q1")
    app.button(key="verdict-2").click().run()
    app.button(key="undo").click().run()
    said = words(app)
    assert "0 of 3 reviewed" in said
    assert "took a verdict back" in said
    assert len(reviews(database, "mine")["q1"].history) == 2


def test_what_a_colleague_said_meanwhile_is_seen_and_kept(page: Opened, database: Database):
    app = page(case="q1")
    add_review(database, "mine", ["q1"], verdict="label or gold is wrong", reviewer="Ben")
    app.button(key="verdict-1").click().run()
    said = words(app)
    assert "Ben" in said
    assert len(reviews(database, "mine")["q1"].history) == 2


def test_ones_own_words_become_a_verdict_that_is_offered(page: Opened, database: Database):
    add_review(database, "mine", ["q2"], verdict="ask *legal*", reviewer="Ann")
    app = page(case="q1")
    labels = [button.label for button in app.button]
    assert r"ask \*legal\*" in labels


def test_what_stands_out_is_tested_against_what_stayed_right(page: Opened):
    said = words(page(part="causes"))
    assert "above the median, worse" in said
    assert "does not stand out" in said or "does not grow" in said


def test_what_would_change_never_says_restored_and_the_later_arm_repairs_nothing(page: Opened):
    said = words(page(part="change"))
    assert "Nobody has asked the model again" in said
    row = said.split("after: k=3")[1].split("</tr>")[0]
    assert "0 of 1" in row  # brings evidence back
    assert "0 of 2" in row  # undoes all of the crowding


def test_the_files_hold_the_filtered_list(database: Database):
    add_review(database, "mine", ["q1"], verdict="=cmd", reviewer="Ann")
    found = regressions(database, "mine")
    now = reviews(database, "mine")
    rows = [regressing_list.csv_row(case, now) for case in found.cases]
    assert [row["id"] for row in rows] == ["q1", "q2", "q3"]
    lines = regressing_list.json_lines(found.cases, now).decode().splitlines()
    first = json.loads(lines[0])
    assert (first["question"], first["verdict"]) == ("q1", "=cmd")
    assert first["reviews"][0]["reviewer"] == "Ann"


def opened_gate(app: AppTest, question: str) -> AppTest:
    """The panel of the gate as if it had been opened by a click."""
    app.session_state[f"guard-1-{question}"] = True
    return app.run()


def test_a_reviewed_question_becomes_a_case_of_the_gate_and_leaves_it(
    page: Opened, database: Database
):
    add_review(database, "mine", ["q1"], verdict="crowded out", reviewer="Ann")
    app = opened_gate(page(case="q1"), "q1")
    app.button(key="promote").click().run()
    (case,) = cases(database, "mine")
    assert (case.question, case.verdict) == ("q1", "crowded out")
    app = opened_gate(app, "q1")
    said = words(app)
    assert "It holds now." in said
    app.button(key="release").click().run()
    assert cases(database, "mine") == ()


def test_a_question_that_nobody_reviewed_is_not_offered_to_the_gate(page: Opened):
    app = opened_gate(page(case="q1"), "q1")
    assert "promote" not in {button.key for button in app.button}


def test_without_two_arms_it_says_what_is_missing(page: Opened, database: Database):
    bare = QuestionRecord(id="x", question="?", passages=(PassageRecord(id="p", text="One."),))
    import_records(database, [bare], collection="bare", format="jsonl", ranked=True)
    app = page(c="bare")
    assert "Two are needed" in words(app)


def test_chance_and_noise_are_said_in_words():
    assert "no more than a coin toss" in regressing.chance(mcnemar(71, 60, n=240))
    assert regressing.chance(mcnemar(71, 24, n=240)).startswith("Chance does not explain it")
    assert regressing.chance(mcnemar(0, 0, n=5)).startswith("Nothing changed")
    said = regressing.noise_words(Noise(flips=27, pairs=100), 71)
    assert "about 19 of these 71 would flip" in said


def test_proposed_evidence_is_confirmed_with_one_key_and_becomes_gold(
    page: Opened, database: Database
):
    made = record("bare", after=EVERYTHING)
    passages = tuple(replace(one, supports=None) for one in made.passages)
    bare = replace(made, facts=(), passages=passages)
    import_records(database, [bare], collection="bare", format="jsonl", ranked=True)
    app = page(c="bare", case="bare")
    said = words(app)
    assert "1 proposed, 0 confirmed" in said
    assert "holds 100% of “30 days”" in said
    app.button(key="evidence-Y").click().run()
    said = words(app)
    assert "1 proposed, 1 confirmed" in said
    assert "the gold of 1 of 1 worse questions rests on it" in said
    assert next(stored_records(database, "bare")).answer_bearing == ("gold",)


def test_the_rule_behind_each_arm_is_named_with_how_much_it_explains(page: Opened):
    said = words(page(part="rule"))
    assert "4 of 4 questions (100%)" in said  # the earlier arm sent rank 1 alone
    assert "3 of 4 questions (75%)" in said
    assert "Not explained: 1" in said
