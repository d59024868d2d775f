"""Briefs: what every question gets of what it needs before and after, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from selection.model import Budget
from selection.registry import parse_selector
from storage.brief import money
from storage.brief_sources import brief_of_arms, brief_of_comparison, brief_of_selectors
from storage.compare import compare
from storage.engine import Database
from storage.imports import import_records
from storage.opening import open_database
from storage.queries import NotStored
from storage.records import ArmOutcome, Fact, PassageRecord, QuestionRecord, Support
from storage.saved import save_comparison

TOP, LOOP = "top_k(k=3, overflow='overspend')", "marginal_gain(min_new_claims=1)"


def record(name: str, *, went: str, sent: tuple[str, ...], judged: bool = True) -> QuestionRecord:
    """Two facts at ranks 1 and 3; the earlier arm sent rank 1 only."""
    first, third = ((Support(fact="f"),), (Support(fact="g"),)) if judged else (None, None)
    return QuestionRecord(
        id=name,
        question=f"Question {name}?",
        passages=(
            PassageRecord(id="a", text="It is 30 days.", tokens=10, supports=first),
            PassageRecord(id="b", text="It is 30 days.", tokens=10, supports=()),
            PassageRecord(id="c", text="It is 14 in Kent.", tokens=10, supports=third),
        )
        if judged
        else (PassageRecord(id="a", text="It is 30 days.", tokens=10),),
        facts=(Fact(id="f", text="30 days"), Fact(id="g", text="14 in Kent", weight=3.0))
        if judged
        else (),
        arms=(
            ArmOutcome(name="k=1", correct=went[0] == "1", sent=("a",)),
            ArmOutcome(name="k=3", correct=went[1] == "1", sent=sent),
        ),
    )


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path / 'test.sqlite'}", samples=False)
    records = [
        record("gained", went="10", sent=("a", "b", "c")),
        record("lost", went="01", sent=("b",)),
        record("same", went="11", sent=("a", "b")),
        record("bare", went="10", sent=("a",), judged=False),
    ]
    import_records(opened, records, collection="mine", format="jsonl", ranked=True)
    yield opened
    opened.close()


def test_two_arms_are_compared_by_what_each_question_needs(database: Database) -> None:
    brief = brief_of_arms(database, "mine")
    rows = {row.question: row for row in brief.rows}
    assert (brief.before, brief.after, brief.total) == ("k=1", "k=3", 4)
    assert (rows["gained"].before, rows["gained"].after) == (0.25, 1.0)
    assert (rows["lost"].before, rows["lost"].after) == (0.25, 0.0)
    assert rows["same"].evidence == 0.0
    assert rows["bare"].evidence is None
    assert "no fact" in rows["bare"].why
    assert (brief.evidence.better, brief.evidence.worse, brief.evidence.n) == (1, 1, 3)
    assert brief.selectors == ("as_sent(arm='k=1')", "as_sent(arm='k=3')")


def test_outcomes_are_paired_and_noise_is_unknown_without_repeats(database: Database) -> None:
    brief = brief_of_arms(database, "mine")
    assert brief.outcomes is not None
    assert (brief.outcomes.worse, brief.outcomes.better, brief.outcomes.n) == (2, 1, 4)
    assert brief.noise is not None
    assert brief.noise.rate is None


def test_tokens_are_means_over_the_same_questions_and_money_follows(database: Database) -> None:
    tokens = brief_of_arms(database, "mine").tokens
    assert tokens is not None
    assert (tokens.before, tokens.after, tokens.n) == (10.0, 17.5, 4)
    assert tokens.difference.low <= 7.5 <= tokens.difference.high
    cost = money(tokens, questions=100_000, price=3.0)
    assert (cost.before, cost.after, cost.difference.value) == (3.0, 5.25, 2.25)
    assert cost.difference.low <= cost.difference.value <= cost.difference.high
    with pytest.raises(ValueError, match="0 or more"):
        money(tokens, questions=-1, price=3.0)


def test_an_arm_whose_prompt_is_not_known_is_not_judged(database: Database) -> None:
    bare = QuestionRecord(
        id="q",
        question="Q?",
        passages=(PassageRecord(id="a", text="It is.", supports=(Support(fact="f"),)),),
        facts=(Fact(id="f", text="It is."),),
        arms=(
            ArmOutcome(name="a", correct=True, sent=("a",)),
            ArmOutcome(name="b", correct=True),
        ),
    )
    import_records(database, [bare], collection="other", format="jsonl", ranked=True)
    brief = brief_of_arms(database, "other")
    assert brief.rows[0].why == "what b sent is not known"
    assert brief.evidence.n == 0
    assert brief.tokens is None


def test_an_arm_without_a_record_is_what_its_setting_selects(database: Database) -> None:
    base = record("q", went="10", sent=("a",))
    arms = (
        ArmOutcome(name="a", correct=True, setting="top_k(k=1)"),
        ArmOutcome(name="b", correct=False, setting="mmr(lambda_=0.0)"),
    )
    import_records(
        database, [replace(base, arms=arms)], collection="other", format="jsonl", ranked=True
    )
    (row,) = brief_of_arms(database, "other").rows
    assert (row.before, row.why) == (0.25, "")
    assert (row.tokens_before, row.tokens_after) == (10, 30)


def test_a_saved_comparison_says_the_same_as_its_selectors_run_now(database: Database) -> None:
    selectors = [parse_selector(TOP), parse_selector(LOOP)]
    budget = Budget(tokens=20)
    save_comparison(database, compare(database, "mine", selectors, budget), name="kept")
    saved = brief_of_comparison(database, "kept")
    now = brief_of_selectors(
        database, "mine", before=selectors[0], after=selectors[1], budget=budget
    )
    assert saved.rows == now.rows
    assert saved.source is not None
    assert (saved.source.name, saved.source.budget, saved.source.stale) == ("kept", budget, False)
    assert now.source is not None
    assert now.source.saved_at is None
    assert (saved.before, saved.after) == (TOP, LOOP)
    assert saved.outcomes is None
    assert saved.tokens is not None
    assert saved.tokens.difference.value < 0


def test_what_is_not_there_is_refused_in_a_sentence(database: Database) -> None:
    one = [parse_selector(TOP)]
    save_comparison(database, compare(database, "mine", one, Budget()), name="alone")
    with pytest.raises(NotStored, match="no comparison 'gone'"):
        brief_of_comparison(database, "gone")
    with pytest.raises(ValueError, match="beside its baseline: none"):
        brief_of_comparison(database, "alone")
    with pytest.raises(ValueError, match="no arm 'k=9'"):
        brief_of_arms(database, "mine", before="k=9")


def test_a_comparison_made_before_the_data_changed_says_so(database: Database) -> None:
    selectors = [parse_selector(TOP), parse_selector(LOOP)]
    save_comparison(database, compare(database, "mine", selectors, Budget()), name="kept")
    more = [record("new", went="11", sent=("a",))]
    import_records(
        database, more, collection="mine", format="jsonl", ranked=True, on_existing="add"
    )
    brief = brief_of_comparison(database, "kept")
    assert brief.source is not None
    assert brief.source.stale
