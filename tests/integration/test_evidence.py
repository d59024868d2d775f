"""Confirmed evidence becomes gold, rejected does not, and both outlive a new import."""

from __future__ import annotations

from dataclasses import replace

import pytest

from selection.diagnosis import Diagnosis
from storage.diagnose import regressions
from storage.engine import Database
from storage.evidence import decide, decisions
from storage.export import stored_records
from storage.imports import import_records
from storage.upkeep import check


@pytest.fixture
def unmarked(database: Database, refund) -> Database:
    """A question that got worse, of which nobody has marked the evidence."""
    import_records(database, [bare(refund)], collection="mine", format="jsonl", ranked=True)
    return database


def bare(record):
    passages = tuple(replace(one, supports=None) for one in record.passages)
    return replace(record, facts=(), answer_bearing=None, passages=passages)


def say(database: Database, passage: str, *, confirmed: bool) -> None:
    decide(database, "mine", "refund", passage, confirmed=confirmed, rule="says", reviewer="Ann")


def bearing(database: Database) -> tuple[str, ...] | None:
    return next(stored_records(database, "mine")).answer_bearing


def test_a_confirmed_passage_is_gold_for_every_diagnosis(unmarked: Database):
    assert regressions(unmarked, "mine").counts[Diagnosis.NO_GOLD] == 1
    say(unmarked, "a", confirmed=True)
    assert bearing(unmarked) == ("a",)
    found = regressions(unmarked, "mine")
    assert (found.counts[Diagnosis.NO_GOLD], found.in_pool) == (0, 1)
    assert check(unmarked).problems == ()


def test_a_rejected_passage_says_nothing_of_the_others(unmarked: Database):
    say(unmarked, "b", confirmed=False)
    assert bearing(unmarked) is None
    assert check(unmarked).problems == ()


def test_the_newest_word_counts_and_the_history_stays(unmarked: Database):
    say(unmarked, "a", confirmed=True)
    say(unmarked, "c", confirmed=True)
    say(unmarked, "a", confirmed=False)
    assert bearing(unmarked) == ("c",)
    assert [(one.passage, one.confirmed) for one in decisions(unmarked, "mine")] == [
        ("a", True),
        ("c", True),
        ("a", False),
    ]
    assert check(unmarked).problems == ()


def test_what_was_confirmed_outlives_a_new_import(unmarked: Database, refund):
    say(unmarked, "a", confirmed=True)
    changed = replace(bare(refund), question="Changed?")
    import_records(
        unmarked, [changed], collection="mine", format="jsonl", ranked=True, on_existing="update"
    )
    assert next(stored_records(unmarked, "mine")).question == "Changed?"
    assert bearing(unmarked) == ("a",)
    assert check(unmarked).problems == ()


def test_a_passage_that_is_no_candidate_is_refused(unmarked: Database):
    with pytest.raises(ValueError, match="no candidate 'gone'"):
        say(unmarked, "gone", confirmed=True)
    assert decisions(unmarked, "mine") == ()
