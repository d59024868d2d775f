"""Stability: seeded, between 0 and 1, and right where the outcome is certain."""

from __future__ import annotations

import numpy as np
import pytest

from selection import Budget, Passage, Pool, make_selector
from selection.stability import stability
from tests.unit.pools import worked_example


def test_the_same_seed_gives_the_same_shares_and_another_one_others() -> None:
    s = make_selector("marginal_gain").select(worked_example(), Budget(tokens=1600))
    first, again = stability(s, runs=30, seed=1), stability(s, runs=30, seed=1)
    assert np.array_equal(first.share, again.share)
    assert not np.array_equal(first.share, stability(s, runs=30, seed=2).share)
    assert ((first.share >= 0) & (first.share <= 1)).all()


def test_what_nothing_can_move_is_selected_always_or_never() -> None:
    s = make_selector("top_k", k=2).select(worked_example(), Budget())
    assert stability(s, runs=10).share.tolist() == [1.0, 1.0] + [0.0] * 18


def test_a_passage_that_just_fits_is_selected_about_half_of_the_time() -> None:
    pool = Pool([Passage(id="a", tokens=1000, claims={"x"})])
    s = make_selector("marginal_gain").select(pool, Budget(tokens=1000))
    assert 0.35 < stability(s, runs=300, seed=3).share[0] < 0.65


def test_a_tie_is_drawn() -> None:
    pool = Pool([Passage(id=i, tokens=10, score=1.0) for i in "ab"])
    share = stability(make_selector("top_k", k=1).select(pool), runs=300, seed=4).share
    assert share.sum() == pytest.approx(1.0)
    assert 0.35 < share[0] < 0.65


def test_the_yardstick_and_no_runs_are_refused() -> None:
    pool = worked_example()
    with pytest.raises(ValueError, match="optimum"):
        stability(make_selector("optimum").select(pool))
    with pytest.raises(ValueError, match="runs is 0"):
        stability(make_selector("top_k").select(pool), runs=0)
