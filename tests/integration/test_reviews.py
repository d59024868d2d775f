"""Verdicts as a history: nothing is overwritten, whoever saves at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from storage.engine import Database, connect
from storage.imports import import_records
from storage.reviews import add_review, reviews, take_back


@pytest.fixture
def two(database: Database, refund) -> Database:
    """Two questions to judge."""
    records = [refund, replace(refund, id="other")]
    import_records(database, records, collection="mine", format="jsonl", ranked=True)
    return database


def verdict(database: Database, question: str = "refund") -> str | None:
    now = reviews(database, "mine").get(question)
    return now.current.verdict if now and now.current else None


def test_a_verdict_is_kept_with_note_name_and_time(two: Database):
    add_review(two, "mine", ["refund"], verdict=" crowded ", note="see rank 3", reviewer="Ann")
    row = reviews(two, "mine")["refund"].current
    assert row is not None
    assert (row.verdict, row.note, row.reviewer) == ("crowded", "see rank 3", "Ann")
    assert row.reviewed_at.tzinfo is not None


def test_the_newest_verdict_counts_and_the_earlier_one_stays_readable(two: Database):
    add_review(two, "mine", ["refund"], verdict="crowded", reviewer="Ann")
    add_review(two, "mine", ["refund"], verdict="label", reviewer="Ben")
    assert verdict(two) == "label"
    history = reviews(two, "mine")["refund"].history
    assert [(row.reviewer, row.verdict) for row in history] == [
        ("Ann", "crowded"),
        ("Ben", "label"),
    ]


def test_taking_back_adds_a_row_and_lets_the_earlier_verdict_count(two: Database):
    add_review(two, "mine", ["refund"], verdict="crowded", reviewer="Ann")
    add_review(two, "mine", ["refund"], verdict="label", reviewer="Ben")
    assert take_back(two, "mine", ["refund"], reviewer="Ben") == 1
    assert verdict(two) == "crowded"
    assert len(reviews(two, "mine")["refund"].history) == 3


def test_nobody_takes_back_what_another_said(two: Database):
    add_review(two, "mine", ["refund"], verdict="crowded", reviewer="Ann")
    assert take_back(two, "mine", ["refund"], reviewer="Ben") == 0
    assert verdict(two) == "crowded"
    assert len(reviews(two, "mine")["refund"].history) == 1


def test_taking_back_the_only_verdict_leaves_the_question_open(two: Database):
    add_review(two, "mine", ["refund"], verdict="crowded", reviewer="Ann")
    take_back(two, "mine", ["refund"], reviewer="Ann")
    assert verdict(two) is None


def test_one_verdict_covers_a_group_and_is_noted_at_each_question(two: Database):
    both = ["refund", "other"]
    assert add_review(two, "mine", both, verdict="crowded", reviewer="Ann", group="g") == 2
    rows = [reviews(two, "mine")[name].current for name in both]
    assert [row.group for row in rows if row] == ["g", "g"]
    assert len({row.reviewed_at for row in rows if row}) == 1
    assert take_back(two, "mine", both, reviewer="Ann") == 2
    assert [verdict(two, name) for name in both] == [None, None]


def test_two_people_saving_at_the_same_moment_lose_nothing(two: Database):
    def save(name: str) -> None:
        own = connect(two.url)
        for turn in range(10):
            add_review(own, "mine", ["refund"], verdict=f"{name} {turn}", reviewer=name)
        own.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(save, ["Ann", "Ben"]))
    said = {row.verdict for row in reviews(two, "mine")["refund"].history}
    assert said == {f"{name} {turn}" for name in ("Ann", "Ben") for turn in range(10)}


def test_a_verdict_outlives_a_new_import_of_its_question(two: Database, refund):
    add_review(two, "mine", ["refund"], verdict="crowded", reviewer="Ann")
    import_records(
        two, [refund], collection="mine", format="jsonl", ranked=True, on_existing="update"
    )
    assert verdict(two) == "crowded"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"verdict": "  "}, "verdict is empty"),
        ({"verdict": "x" * 101}, "101 characters; up to 100"),
        ({"note": "x" * 4_001}, "4,001 characters; up to 4,000"),
        ({"questions": ["refund", "gone"]}, "no question 'gone'"),
    ],
)
def test_what_cannot_be_stored_is_said_and_nothing_is(two: Database, changes, said: str):
    asked = {"questions": ["refund"], "verdict": "crowded", "note": "", **changes}
    with pytest.raises(ValueError, match=said):
        add_review(
            two,
            "mine",
            asked["questions"],
            verdict=asked["verdict"],
            note=asked["note"],
            reviewer="Ann",
        )
    assert reviews(two, "mine") == {}
