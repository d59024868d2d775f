"""The list of questions: filtered, sorted and cut in SQL, opened by a tick."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import listing
from storage.engine import Database
from storage.views import QuestionRow
from tests.pages import rooms

HELP = "Help-centre regressions"


def listed(page: AppTest) -> list[str]:
    return [] if not len(page.dataframe) else list(page.dataframe[0].value["question"])


def test_fifty_rows_stand_on_a_page_and_the_pager_says_which(samples: Database) -> None:
    page = rooms.open_page("questions", c=HELP)
    assert not page.exception
    assert len(listed(page)) == 50
    assert "240 questions" in rooms.said(page)
    assert "page 1 of 5" in rooms.said(page)


def test_a_page_beyond_the_last_is_the_last(samples: Database) -> None:
    page = rooms.open_page("questions", c=HELP, page="999")
    assert len(listed(page)) == 40
    assert "page 5 of 5" in rooms.said(page)


def test_what_got_worse_can_be_asked_for(samples: Database) -> None:
    page = rooms.open_page("questions", c=HELP, outcome="worse")
    assert "71 of 240 questions" in rooms.said(page)
    assert set(page.dataframe[0].value["outcome"]) == {"got worse"}


def test_metadata_can_be_asked_for_and_stands_in_the_address(samples: Database) -> None:
    page = rooms.open_page("questions", c=HELP)
    page.selectbox(key="w-where").set_value("locale=en-CA").run()
    assert page.query_params["where"] == "locale=en-CA" or page.query_params["where"] == [
        "locale=en-CA"
    ]
    assert all("en-CA" in about for about in page.dataframe[0].value["about"])
    page.selectbox(key="w-where").set_value("").run()
    assert "where" not in page.query_params
    assert len(listed(page)) == 50


def test_tags_and_numbers_are_no_choices_of_metadata(samples: Database) -> None:
    options = rooms.open_page("questions", c=HELP).selectbox(key="w-where").options
    assert options[0] == "anything"
    assert not any("[" in option for option in options)


def test_a_search_finds_parts_of_questions_in_any_case(samples: Database) -> None:
    page = rooms.open_page("questions", c=HELP)
    page.text_input(key="w-find").set_value("VACUUM").run()
    assert listed(page)
    assert all("vacuum" in question.lower() for question in listed(page))


def test_a_filter_that_leaves_nothing_can_be_taken_away(samples: Database) -> None:
    page = rooms.open_page("questions", c=HELP, find="zzz", outcome="worse", where="locale=xx")
    assert "No question matches" in rooms.said(page)
    page.button[-1].click().run()
    assert "240 questions" in rooms.said(page)
    assert set(page.query_params) == {"c"}


def test_the_highest_repetition_can_come_first(samples: Database) -> None:
    page = rooms.open_page("questions", c=HELP, sort="redundancy", down="1")
    shares = list(page.dataframe[0].value["repetition"])
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("choose", [rooms.picked, rooms.clicked])
def test_a_row_that_is_ticked_or_clicked_opens_its_question(
    samples: Database, choose: Callable[[AppTest, int], AppTest]
) -> None:
    page = rooms.open_page("questions", c="Refund window in Berlin")
    question = listed(page)[2]
    page = choose(page, 2)
    assert not page.exception
    assert question in rooms.said(page)


def test_a_column_about_which_nothing_is_known_is_left_out() -> None:
    bare = QuestionRow(
        id="a",
        question="A?",
        candidates=0,
        tokens=None,
        redundancy=None,
        facts=None,
        evidence_rank=None,
        outcome="",
        metadata={"locale": 5},
    )
    assert list(listing.to_frame([bare], names=["locale"]).columns) == ["question", "candidates"]


def test_an_empty_database_says_so_and_leads_to_the_data_page(database: Database) -> None:
    page = rooms.open_page("questions")
    assert not page.exception
    assert "Nothing to show yet" in rooms.said(page)
    assert [room for _, room, _ in rooms.links(page)] == ["data"]


@pytest.mark.parametrize(
    "address",
    [
        {"c": "gone", "page": "-1", "sort": "; drop table", "down": "yes"},
        {"find": "%_\\' OR 1=1 --", "outcome": "nope", "page": "banana"},
        {"where": "locale"},
        {"where": 'a"b=c'},
        {"where": "=", "find": "x" * 5000},
        {"c": HELP, "where": "no_such_name=1"},
    ],
)
def test_odd_addresses_fall_back_and_never_fail(samples: Database, address: dict) -> None:
    page = rooms.open_page("questions", **address)
    assert not page.exception
    assert "question" in rooms.said(page)


def test_hostile_questions_stay_texts(database: Database, tmp_path: Path) -> None:
    rooms.store(
        database,
        [
            rooms.plain(rooms.HOSTILE, rooms.HOSTILE, metadata={"locale": rooms.HOSTILE}),
            rooms.plain("second", "text", metadata={"locale": "=b"}),
        ],
        tmp_path,
        name="Hostile",
    )
    page = rooms.open_page("questions")
    assert not page.exception
    assert "<script>alert(1)</script>" in listed(page)[0]
    rooms.assert_nothing_runs(page)
    page.selectbox(key="w-where").set_value("locale==b").run()
    assert listed(page) == ["second"]
