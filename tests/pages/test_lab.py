"""The Lab: the theory measured when the page is drawn, on the built-in pools and on any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.engine import Database
from tests.pages import reading, rooms


def test_it_opens_on_the_ledger_of_claims_measured_now(samples: Database) -> None:
    page = rooms.open_page("lab")
    assert not page.exception
    words = rooms.said(page)
    assert "15 add nothing (6,145 tokens)" in words
    assert "$44.00" in words
    assert "does not agree" not in words


def test_greedy_on_the_worked_pool_says_4_364_and_0_100(samples: Database) -> None:
    page = rooms.open_page("lab", part="greedy")
    assert not page.exception
    words = rooms.said(page)
    assert "3 passages cover 4.364" in words
    assert "added 0.100 after 0.230" in words
    assert "9 of 12 claims" in words
    page.slider[0].set_value(5).run()
    assert page.query_params["k"] in ("5", ["5"])
    assert "5 passages cover 4.543" in rooms.said(page)


def test_witnesses_of_the_worked_pool(samples: Database) -> None:
    page = rooms.open_page("lab", part="witness")
    assert not page.exception
    table = next(block.value for block in page.html if "Objectives and their" in block.value)
    found = {row[0]: row[1:] for row in reading.rows(table)[1:]}
    assert found["facility location"] == ["0.00", "0.000", "yes", "0.000", "yes"]
    assert found["information gain of the read-out"][:3] == ["−0.71", "−1.014", "no"]
    assert found["fixed objective near MMR"][3:] == ["−1.740", "no"]


def test_a_determinant_is_taken_apart_and_every_selector_picks(samples: Database) -> None:
    page = rooms.open_page("lab", part="geometry")
    assert not page.exception
    words = rooms.said(page)
    assert "ranks 2, 6 and 8 is 2.5955 = quality 4.3544 × squared volume 0.5961" in words
    assert "facility location ranks 1, 6 and 2" in words
    page.multiselect(key="w-set").set_value([1, 2]).run()
    assert page.query_params["set"] in ("1,2", ["1,2"])
    assert "The determinant of ranks 1 and 2" in rooms.said(page)


def test_mass_on_the_answer_follows_the_knobs_and_the_seed(samples: Database) -> None:
    page = rooms.open_page("lab", part="answer")
    assert not page.exception
    words = rooms.said(page)
    assert "top-k 0.378 < MMR 0.445 < facility location 0.538 < log-determinant 0.545" in words
    assert "40 have top-k below MMR below both others" in words
    page.slider(key="w-quality").set_value(2.0).run()
    assert "log-determinant 0.477" in rooms.said(page)
    page.number_input(key="w-seed").set_value(8).run()
    assert "in the world of seed 8" in rooms.said(page)
    assert page.query_params["quality"] in ("2", ["2"])


def test_the_boundary_says_where_top_k_wins(samples: Database) -> None:
    page = rooms.open_page("lab", part="boundary", tau="9", **{"lambda": "x"})
    assert not page.exception
    words = rooms.said(page)
    assert "Where what repeats is true, top-k is ahead of all three at every tightness" in words
    assert "(kappa 45), at least one lead cannot be told from none" in words


@pytest.mark.parametrize("part", ["answer", "boundary"])
def test_the_made_up_world_needs_no_database(database: Database, part: str) -> None:
    assert not rooms.open_page("lab", part=part).exception


@pytest.mark.parametrize("part", ["greedy", "witness", "geometry"])
def test_any_stored_question_can_be_put_on_the_bench(
    database: Database, tmp_path: Path, part: str
) -> None:
    records = [
        rooms.plain("Nothing found?", id="none"),
        rooms.plain("One?", "Only this.", id="one"),
        rooms.plain(rooms.HOSTILE, *[f"{rooms.HOSTILE} {n}" for n in range(15)], id="many"),
    ]
    rooms.store(database, records, tmp_path, name="Plain")
    for name in ("none", "one", "many"):
        page = rooms.open_page("lab", c="Plain", q=name, part=part)
        assert not page.exception
        rooms.assert_nothing_runs(page)
    assert "Nothing was retrieved" in rooms.said(rooms.open_page("lab", c="Plain", part=part))


def test_without_the_built_in_pools_the_ledger_is_still_there(
    database: Database, tmp_path: Path
) -> None:
    rooms.store(database, [rooms.plain("A?", "One.", "Two.")], tmp_path, name="Own")
    page = rooms.open_page("lab")
    assert not page.exception
    assert "Facility-location coverage is monotone" in rooms.said(page)
    assert "6,145" not in rooms.said(page)


def test_an_empty_database_says_so(database: Database) -> None:
    page = rooms.open_page("lab", part="greedy", k="-3")
    assert not page.exception
    assert "No collection is stored" in rooms.said(page)
