"""What stands out in worse against still-right questions, on counts small enough to check."""

from __future__ import annotations

import pytest

from selection.model import Passage, Pool
from storage.suspects import Seen, crowding_table


def test_a_sign_that_grows_only_where_answers_got_worse_stands_out():
    worse, right = [{"repetition": 5}] * 10, [{"repetition": 0}] * 10
    (row,) = crowding_table(worse, right)
    assert row.confirmed
    assert (row.typical, row.worse, row.right) == (2.5, 5.0, 0.0)
    assert row.odds is not None
    assert (row.odds.with_one, row.odds.n_one) == (10, 10)
    assert (row.odds.with_other, row.odds.n_other) == (0, 10)


def test_a_sign_that_grows_as_much_everywhere_is_not_tested():
    rises = [{"distance": 400}] * 10
    (row,) = crowding_table(rises, rises)
    assert row.odds is None
    assert row.p is None
    assert not row.confirmed


def test_a_sign_that_grows_more_in_still_right_questions_does_not_stand_out():
    (row,) = crowding_table([{"depth": 0}] * 12, [{"depth": 3}] * 12)
    assert row.p is not None
    assert row.p < 0.05
    assert not row.confirmed


def test_signs_are_corrected_for_being_looked_at_together():
    worse = [{"repetition": 1, "depth": 1}] * 6 + [{"repetition": 0, "depth": 0}] * 2
    right = [{"repetition": 0, "depth": 0}] * 8
    rows = crowding_table(worse, right)
    assert [row.sign for row in rows] == ["repetition", "depth"]
    for row in rows:
        assert row.odds is not None
        assert row.p == pytest.approx(2 * row.odds.p)


def test_without_questions_there_is_no_table():
    assert crowding_table([], []) == ()


def test_without_still_right_questions_nothing_is_tested():
    (row,) = crowding_table([{"depth": 2}], [])
    assert row.right is None
    assert row.odds is None


def test_every_added_document_and_statement_is_counted_once_a_prompt():
    pool = Pool([Passage("a", claims={"x", "y"}), Passage("b", claims={"y"}), Passage("c")])
    seen = Seen()
    seen.add(pool, [0, 1], key=1, worse=True)
    seen.add(pool, [1], key=2, worse=False)
    assert (seen.worse, seen.right) == (1, 1)
    assert dict(seen.documents[0]) == {"a": 1, "b": 1}
    assert dict(seen.statements[0]) == {"x": 1, "y": 1}
    assert dict(seen.statements[1]) == {"y": 1}


def test_a_prompt_that_adds_nothing_counts_as_a_prompt():
    seen = Seen()
    seen.add(Pool([Passage("a", claims=set())]), [], key=1, worse=True)
    assert seen.worse == 1
    assert not seen.documents[0]
