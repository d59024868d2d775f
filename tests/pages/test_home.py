"""Home: the story in short before there is own data, and afterwards what waits."""

from __future__ import annotations

from pathlib import Path

from pages.ui import cache
from selection.model import Budget
from selection.registry import parse_selector
from storage.compare import compare
from storage.engine import Database
from storage.reviews import add_review, take_back
from storage.saved import save_comparison
from tests.pages import rooms


def test_the_story_is_told_with_figures_that_the_library_computes(samples: Database) -> None:
    page = rooms.open_page("home")
    assert not page.exception
    words = rooms.said(page)
    for figure in ("20 passages", "8,235 tokens", "2,090", "5 of 6 facts", "7 passages say"):
        assert figure in words
    assert "only rank 13 says" in words
    assert "made up" in words


def test_three_doors_lead_to_a_question_a_file_and_how_it_works(samples: Database) -> None:
    page = rooms.open_page("home")
    doors = [(label.replace("\\-", "-"), room) for label, room, _ in rooms.links(page)][:4]
    assert doors == [
        ("Charged twice", "question"),
        ("Help-centre regressions", "question"),
        ("Import a file", "data"),
        ("Step through it", "story"),
    ]
    assert page.button(key="guide").label == "How to read this"


def test_the_guide_names_every_selector_and_measure(samples: Database) -> None:
    page = rooms.open_page("home").button(key="guide").click().run()
    assert not page.exception
    words = rooms.said(page)
    for name in ("marginal gain", "near-duplicate removal", "fact recall", "statement"):
        assert name in words


def test_every_built_in_collection_is_listed_with_its_counts(samples: Database) -> None:
    words = rooms.said(rooms.open_page("home"))
    for counts in ("1 question, 20 candidates", "16 questions, 144 candidates", "240 questions"):
        assert counts in words


def test_an_empty_database_offers_to_bring_something_in(database: Database) -> None:
    page = rooms.open_page("home")
    assert not page.exception
    assert "Nothing stored yet" in rooms.said(page)
    assert [room for _, room, _ in rooms.links(page)] == ["data"]


def test_own_questions_replace_the_story_by_what_waits(database: Database, tmp_path: Path) -> None:
    twice = rooms.plain("How much?", "It costs 5 euro.", "It costs 5 euro.", "It is blue.")
    once = rooms.plain("Which colour?", "It is blue.", "It is not red.")
    rooms.store(database, [once, twice], tmp_path, name="Ours")
    page = rooms.open_page("home")
    words = rooms.said(page)
    assert "What waits" in words
    assert "step 1 of 5, texts only" in words
    labels = [label for label, _, _ in rooms.links(page)]
    assert labels == [
        "Open its 2 questions",
        "The one that repeats itself most \\(33%\\)",
        "Brief",
        "Add outcomes",
    ]


def test_what_got_worse_waits_until_somebody_has_given_a_verdict(
    database: Database, tmp_path: Path
) -> None:
    arms = [{"name": "k=1", "correct": True}, {"name": "k=2", "correct": False}]
    records = [rooms.plain(f"{one}?", "One.", "Two.", arms=arms, id=one) for one in "AB"]
    rooms.store(database, records, tmp_path, name="Ours")

    def waiting() -> list[tuple[str, str, dict[str, list[str]]]]:
        cache.forget()
        return [one for one in rooms.links(rooms.open_page("home")) if "worse" in one[0]]

    unreviewed = {"c": ["Ours"], "verdict": ["not reviewed"]}
    assert waiting() == [("**2 of 2 worse questions unreviewed**", "regressions", unreviewed)]
    add_review(database, "Ours", ["A"], verdict="crowded out", reviewer="Ada")
    assert waiting() == [("**1 of 2 worse questions unreviewed**", "regressions", unreviewed)]
    add_review(database, "Ours", ["B"], verdict="crowded out", reviewer="Ada")
    assert waiting() == [("2 worse questions, all reviewed", "regressions", {"c": ["Ours"]})]
    take_back(database, "Ours", ["A"], reviewer="Ada")
    assert waiting() == [("**1 of 2 worse questions unreviewed**", "regressions", unreviewed)]


def test_a_comparison_whose_data_changed_waits(database: Database, tmp_path: Path) -> None:
    rooms.store(database, [rooms.plain("A?", "One.")], tmp_path, name="Ours")
    found = compare(database, "Ours", [parse_selector("top_k(k=1)")], Budget())
    save_comparison(database, found, name="first look")
    rooms.store(database, [rooms.plain("B?", "Two.")], tmp_path, name="Ours", update=True)
    waiting = [one for one in rooms.links(rooms.open_page("home")) if "out of date" in one[0]]
    assert waiting == [("**1 comparison out of date**", "comparisons", {"name": ["first look"]})]


def test_hostile_names_stay_texts(database: Database, tmp_path: Path) -> None:
    name = rooms.PRINTABLE
    rooms.store(database, [rooms.plain(rooms.HOSTILE, rooms.HOSTILE)], tmp_path, name=name)
    page = rooms.open_page("home")
    assert not page.exception
    assert name in rooms.said(page)
    rooms.assert_nothing_runs(page)
