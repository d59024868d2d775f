"""Saved comparisons: the list, one opened, its pairs, renaming and deleting."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from selection.model import Budget
from selection.registry import parse_selector
from storage.compare import compare
from storage.engine import Database
from storage.removal import remove_collection
from storage.results import comparisons
from storage.saved import save_comparison
from tests.pages import reading, rooms

GAIN = "marginal_gain(min_new_claims=1)"
TOP = "top_k(k=2, overflow='overspend')"


@pytest.fixture
def saved(database: Database, tmp_path: Path) -> Database:
    """Four questions; on two of them the loop holds more facts than the first two passages."""
    records = [
        rooms.plain(
            f"Question {at}?",
            {"text": "It is blue. It is new.", "supports": ["colour"]},
            {"text": "It is blue.", "supports": ["colour"]},
            {"text": f"It costs {at + 5} euro.", "supports": ["price"] if at < 2 else []},
            id=f"q{at}",
            facts=[{"id": "colour", "text": "blue"}, {"id": "price", "text": "price"}],
        )
        for at in range(4)
    ]
    rooms.store(database, records, tmp_path, name="Ours")
    keep(database, "two against the loop", [TOP, GAIN])
    return database


def keep(database: Database, name: str, specs: Sequence[str], *, tokens: int | None = 1000) -> None:
    found = compare(database, "Ours", [parse_selector(one) for one in specs], Budget(tokens))
    save_comparison(database, found, name=name, note="why it was made")


def opened(**address: str) -> AppTest:
    page = rooms.open_page("comparisons", name="two against the loop", **address)
    assert not page.exception
    return page


def renamed(page: AppTest, name: str) -> None:
    """Send the form that gives the opened comparison another name."""
    next(one for one in page.text_input if one.value == "two against the loop").set_value(name)
    next(one for one in page.button if one.label == "Save").click().run()


def pairs(page: AppTest) -> list[tuple[str, float]]:
    frame = page.dataframe[0].value
    return list(zip(frame["question"], frame["difference"], strict=True))


def test_without_a_comparison_the_page_says_where_to_make_one(samples: Database) -> None:
    page = rooms.open_page("comparisons")
    assert not page.exception
    assert "No comparison is saved yet" in rooms.said(page)
    assert [room for _, room, _ in rooms.links(page)] == ["question"]


def test_the_list_shows_means_with_their_n_and_the_difference(saved: Database) -> None:
    words = rooms.said(rooms.open_page("comparisons"))
    for part in ("two against the loop", "why it was made", "Ours, 4 questions", "1,000 tokens"):
        assert part in words
    assert "0.500 n = 4" in words
    assert "0.750 n = 4+0.250" in words


def test_a_comparison_opens_with_the_questions_that_differ(saved: Database) -> None:
    page = rooms.open_page("comparisons")
    page.button(key="open-two against the loop").click().run()
    assert not page.exception
    assert page.query_params["name"] in ("two against the loop", ["two against the loop"])
    assert "2 better, 0 worse, 2 equal of 4 pairs" in rooms.said(page)
    assert pairs(page) == [("Question 0?", 0.5), ("Question 1?", 0.5)]


def test_equal_questions_are_shown_when_asked_for(saved: Database) -> None:
    page = opened()
    page.segmented_control(key="w-which").set_value("all").run()
    assert [difference for _, difference in pairs(page)] == [0.0, 0.0, 0.5, 0.5]


def test_another_measure_counts_in_its_own_direction(saved: Database) -> None:
    page = opened(measure="redundancy")
    assert "4 better, 0 worse" in rooms.said(page)


def test_when_all_are_equal_the_page_says_so_without_a_table(saved: Database) -> None:
    keep(saved, "the same twice", [TOP, "top_k(k=2, overflow='skip')"])
    page = rooms.open_page("comparisons", name="the same twice")
    assert not page.exception
    assert "0 better, 0 worse, 4 equal of 4 pairs" in rooms.said(page)
    assert not page.dataframe


def test_a_ticked_pair_opens_the_question_with_both_selectors_and_the_budget(
    saved: Database,
) -> None:
    page = rooms.picked(opened(), 1)
    assert not page.exception
    words = rooms.said(page)
    assert "Question 1?" in words
    assert "top-k, k 2" in words
    assert page.number_input(key="w-budget").value == 1000


def test_a_comparison_of_one_selector_has_nothing_to_pair(saved: Database) -> None:
    keep(saved, "alone", [TOP], tokens=None)
    page = rooms.open_page("comparisons", name="alone")
    assert not page.exception
    assert "nothing to pair" in rooms.said(page)
    assert "no limit" in rooms.said(page)


def test_data_that_changed_since_is_marked(saved: Database, tmp_path: Path) -> None:
    rooms.store(saved, [rooms.plain("New?", "New.")], tmp_path, name="Ours", update=True)
    assert "data changed since" in rooms.said(opened())


def test_renaming_keeps_the_comparison_open_under_its_new_name(saved: Database) -> None:
    page = opened()
    renamed(page, "another name")
    assert not page.exception
    assert [one.name for one in comparisons(saved)] == ["another name"]
    assert "another name" in rooms.said(page)
    assert pairs(page)


def test_a_name_that_is_taken_is_refused_in_a_sentence(saved: Database) -> None:
    keep(saved, "other", [TOP, GAIN])
    page = opened()
    renamed(page, "other")
    assert "There is a comparison 'other' already" in rooms.said(page)
    assert {one.name for one in comparisons(saved)} == {"other", "two against the loop"}


def test_deleting_asks_first_and_keeps_the_collection(saved: Database) -> None:
    page = opened()
    assert "results for 4 questions. The collection stays." in rooms.said(page)
    page.button(key="really-two against the loop").click().run()
    assert not page.exception
    assert comparisons(saved) == ()
    assert "No comparison is saved yet" in rooms.said(page)


def test_a_comparison_that_is_gone_is_said_to_be_gone(saved: Database) -> None:
    page = rooms.open_page("comparisons", name="gone")
    assert not page.exception
    assert "not stored, or not any more" in rooms.said(page)
    assert "two against the loop" in rooms.said(page)


def test_deleting_a_collection_takes_its_comparisons_along(saved: Database) -> None:
    remove_collection(saved, "Ours")
    page = rooms.open_page("comparisons", name="two against the loop")
    assert not page.exception
    assert "No comparison is saved yet" in rooms.said(page)


def test_a_selector_that_no_longer_exists_is_shown_as_it_was_written(saved: Database) -> None:
    from dataclasses import replace

    found = compare(saved, "Ours", [parse_selector(TOP), parse_selector(GAIN)], Budget(1000))
    gone = "our_own(x=1)"
    rows = tuple(replace(r, selector=gone if r.selector != TOP else TOP) for r in found.rows)
    save_comparison(saved, replace(found, selectors=(TOP, gone), rows=rows), name="old")
    page = rooms.open_page("comparisons", name="old")
    assert not page.exception
    assert gone in rooms.said(page)
    assert not rooms.picked(page, 0).exception


@pytest.mark.parametrize(
    "address",
    [
        {"measure": "nonsense", "selector": "nope", "page": "999", "show": "all"},
        {"measure": "tokens", "page": "-1"},
        {"selector": "x" * 9999, "show": "maybe", "run": "x" * 999},
    ],
)
def test_odd_addresses_fall_back_and_never_fail(saved: Database, address: dict) -> None:
    assert pairs(opened(**address))


def test_hostile_names_and_notes_stay_texts(saved: Database) -> None:
    found = compare(saved, "Ours", [parse_selector(TOP), parse_selector(GAIN)], Budget())
    save_comparison(saved, found, name=rooms.PRINTABLE, note=rooms.HOSTILE, author=rooms.HOSTILE)
    for address in ({}, {"name": rooms.PRINTABLE}):
        page = rooms.open_page("comparisons", **address)
        assert not page.exception
        assert rooms.PRINTABLE in rooms.said(page)
        rooms.assert_nothing_runs(page)


def runs(*names: str, **address: str) -> AppTest:
    """Runs of saved comparisons side by side."""
    page = rooms.open_page("comparisons", run=list(names), **address)
    assert not page.exception
    return page


def verdicts(page: AppTest) -> list[list[str]]:
    """The table of tests, row by row, without its head."""
    table = next(block.value for block in page.html if " tests" in block.value)
    return reading.rows(table)[1:]


def test_an_opened_comparison_is_tested_against_its_baseline(saved: Database) -> None:
    page = opened()
    ((name, n, difference, fell, p, corrected, smallest),) = verdicts(page)
    assert name.endswith("marginal gain, min new claims 1")
    assert (n, fell) == ("4", "2 / 2 / 0")
    assert difference.startswith("+0.250 (")
    assert (p, corrected) == ("p = 0.5", "p = 0.5")
    assert smallest == "0.404"
    assert "sign flips" in rooms.said(page)
    assert "Holm corrects for the 1 test shown" in rooms.said(page)


def test_runs_of_two_comparisons_stand_against_the_first_one(saved: Database) -> None:
    keep(saved, "wider", ["top_k(k=3, overflow='overspend')"], tokens=500)
    page = runs(f"two against the loop:{TOP}", "wider:top_k(k=3, overflow='overspend')")
    words = rooms.said(page)
    assert "They ran under different budgets: 1,000 tokens and 500 tokens." in words
    assert "fact recall against two against the loop: top-k, k 2" in words
    assert pairs(page) == [("Question 0?", 0.5), ("Question 1?", 0.5)]
    page = rooms.picked(page, 0)
    assert not page.exception
    assert "top-k, k 3" in rooms.said(page)
    assert page.number_input(key="w-budget").value == 500


def test_another_baseline_turns_the_differences_around(saved: Database) -> None:
    first, second = f"two against the loop:{TOP}", f"two against the loop:{GAIN}"
    page = runs(first, second)
    page.selectbox(key="w-baseline").set_value(second).run()
    assert not page.exception
    assert page.query_params["run"] == [second, first]
    assert pairs(page) == [("Question 0?", -0.5), ("Question 1?", -0.5)]


def test_picking_two_runs_in_the_list_puts_them_side_by_side(saved: Database) -> None:
    page = rooms.open_page("comparisons")
    names = [f"two against the loop:{spec}" for spec in (TOP, GAIN)]
    page.multiselect(key="w-runs").set_value(names).run()
    assert not page.exception
    assert page.query_params["run"] == names
    assert len(verdicts(page)) == 1


def test_only_what_got_worse_is_listed_when_asked_for(saved: Database) -> None:
    first, second = f"two against the loop:{GAIN}", f"two against the loop:{TOP}"
    page = runs(first, second, show="worse")
    assert [one for _, one in pairs(page)] == [-0.5, -0.5]
    page = runs(first, second, show="better")
    assert "0 better, 2 worse" in rooms.said(page)
    assert not page.dataframe


def test_questions_in_one_run_only_are_named_and_not_paired(
    saved: Database, tmp_path: Path
) -> None:
    rooms.store(saved, [rooms.plain("New?", "New.", id="n1")], tmp_path, name="Ours", update=True)
    keep(saved, "later", [TOP])
    page = runs(f"two against the loop:{TOP}", f"later:{TOP}")
    assert "Only in later: top-k, k 2: n1" in rooms.said(page)
    ((_, n, _, _, p, corrected, _),) = verdicts(page)
    assert (n, p, corrected) == ("4", "no test: all differences are zero", "n/a")


def test_pairs_whose_data_differ_are_counted_and_can_be_left_out(
    saved: Database, tmp_path: Path
) -> None:
    changed = rooms.plain("Question 0?", "It is blue.", id="q0")
    rooms.store(saved, [changed], tmp_path, name="Ours", update=True)
    keep(saved, "later", [GAIN])
    names = (f"two against the loop:{TOP}", f"later:{GAIN}")
    page = runs(*names, measure="tokens")
    assert "On up to 1 paired question the data changed between the two runs." in rooms.said(page)
    page.toggle(key="w-same").set_value(True).run()
    assert not page.exception
    assert verdicts(page)[0][1] == "3"
    assert "Question 0?" not in [name for name, _ in pairs(page)]
    assert "1 question changed" in rooms.said(opened())


def test_runs_that_are_gone_leave_the_list(saved: Database) -> None:
    page = runs("gone:x", f"two against the loop:{TOP}")
    assert "why it was made" in rooms.said(page)
