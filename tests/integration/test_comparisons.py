"""Comparing over a collection, saving that, reading it again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from selection import Budget, make_selector
from storage.compare import compare
from storage.contrast import Run
from storage.engine import Database
from storage.imports import import_records
from storage.pair_page import pair_page
from storage.queries import NotStored, question
from storage.results import comparisons
from storage.saved import NameTaken, delete_comparison, rename_comparison, save_comparison


@pytest.fixture
def two(database: Database, refund) -> Database:
    """Two questions: one where k=1 holds the evidence, one where it does not."""
    other = replace(refund, id="other", passages=refund.passages[::-1])
    import_records(database, [refund, other], collection="mine", format="jsonl", ranked=True)
    return database


def saved(database: Database, name: str = "first", **options: object):
    found = compare(
        database,
        "mine",
        [make_selector("top_k", k=1), make_selector("top_k", k=3)],
        Budget(tokens=100),
    )
    save_comparison(database, found, name=name, **options)
    return found


def both(found, name: str = "first") -> list[Run]:
    """The two runs of a saved comparison."""
    return [Run(comparison=name, selector=spec) for spec in found.selectors]


def test_a_comparison_has_a_row_for_every_question_and_selector(two: Database):
    found = saved(two)
    assert [(row.question, row.ranks) for row in found.rows] == [
        ("refund", (1,)),
        ("refund", (1, 2, 3)),
        ("other", (1,)),
        ("other", (1, 2, 3)),
    ]
    mean, n = found.means(found.selectors[0])["evidence_recall"]
    assert (mean, n) == (0.5, 2)


def test_the_list_shows_the_same_means_as_the_comparison(two: Database):
    found = saved(two)
    (view,) = comparisons(two)
    for spec in found.selectors:
        for name, (mean, n) in found.means(spec).items():
            stored, m = view.means[spec][name]
            assert m == n
            assert stored == (None if mean is None else pytest.approx(mean))
    assert not view.stale


def test_pairs_come_with_the_worst_first_and_add_up(two: Database):
    found = saved(two)
    page = pair_page(two, *both(found), measure="evidence_recall")
    assert [(row.question, row.difference) for row in page.rows] == [
        ("refund", 0.0),
        ("other", 1.0),
    ]
    assert (page.better, page.worse, page.equal, page.undefined) == (1, 0, 1, 0)
    fewer = pair_page(two, *both(found), measure="tokens", higher_is_better=False, which="changed")
    assert (fewer.total, fewer.better, fewer.worse) == (2, 0, 2)


def test_an_undefined_measure_is_counted_apart(two: Database):
    found = saved(two)
    page = pair_page(two, *both(found), measure="no_such_measure")
    assert page.undefined == 2
    assert page.rows[0].difference is None


def test_a_question_shows_what_saved_comparisons_say_of_it(two: Database):
    saved(two)
    results = question(two, "mine", "other").saved
    assert [one.baseline for one in results] == [True, False]
    assert results[1].differences["evidence_recall"] == 1.0


def test_a_name_is_taken_once_unless_it_is_replaced(two: Database):
    saved(two, note="old")
    with pytest.raises(NameTaken, match="Nothing was stored"):
        saved(two)
    saved(two, note="new", replace=True)
    assert [one.note for one in comparisons(two)] == ["new"]


def test_a_comparison_is_stale_once_its_data_change(two: Database, refund):
    saved(two)
    import_records(
        two,
        [replace(refund, question="Changed?")],
        collection="mine",
        format="jsonl",
        ranked=True,
        on_existing="update",
    )
    (view,) = comparisons(two)
    assert view.stale
    assert question(two, "mine", "refund").saved


def test_a_comparison_can_be_renamed_and_deleted(two: Database):
    saved(two)
    saved(two, name="second")
    rename_comparison(two, "first", to="best", note="a note")
    with pytest.raises(NameTaken):
        rename_comparison(two, "best", to="second")
    assert {one.name for one in comparisons(two)} == {"best", "second"}
    assert delete_comparison(two, "best")
    assert not delete_comparison(two, "best")


def test_what_cannot_be_compared_is_refused_with_the_question_named(two: Database):
    with pytest.raises(ValueError, match=r"Question 'refund'.*rerank"):
        compare(two, "mine", [make_selector("rerank")], Budget())
    with pytest.raises(ValueError, match="named twice"):
        compare(two, "mine", [make_selector("top_k")] * 2, Budget())
    with pytest.raises(ValueError, match="No selector"):
        compare(two, "mine", [], Budget())
    with pytest.raises(NotStored):
        compare(two, "yours", [make_selector("top_k")], Budget())


def test_replacing_reaches_no_comparison_of_another_collection(two, refund):
    saved(two, note="ours")
    import_records(two, [refund], collection="other", format="jsonl", ranked=True)
    theirs = compare(two, "other", [make_selector("top_k")], Budget())
    with pytest.raises(NameTaken, match="of another collection"):
        save_comparison(two, theirs, name=comparisons(two)[0].name, replace=True)
    assert [one.note for one in comparisons(two)] == ["ours"]
