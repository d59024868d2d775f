"""Statistics against values worked out by hand or stated elsewhere."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from selection.significance import (
    holm,
    mcnemar,
    mean_bands,
    mean_interval,
    odds_ratio,
    paired,
    share,
)


def test_the_exact_sign_flip_counts_every_flip():
    d = [0.5, 0.25, -0.125, 1.0]
    flips = [abs(np.mean(np.array(signs) * d)) for signs in product((1, -1), repeat=4)]
    expected = np.mean([flip >= abs(np.mean(d)) - 1e-12 for flip in flips])
    found = paired(d)
    assert found.p == pytest.approx(expected)
    assert found.exact
    assert (found.wins, found.losses, found.ties) == (3, 1, 0)


def test_zeros_count_as_ties_and_change_no_p():
    assert paired([0.5, 0.25, 1.0]).p == paired([0.5, 0.25, 1.0, 0.0, 0.0]).p
    assert paired([0.0, 1e-15, 0.5]).ties == 2
    assert paired([0.0, 0.5]).p == 1.0


def test_all_differences_zero_is_no_test_rather_than_nan():
    found = paired([0.0] * 40)
    assert found.p is None
    assert found.note == "no test: all differences are zero"
    assert found.mean is not None
    assert (found.mean.low, found.mean.high) == (0.0, 0.0)


def test_nothing_paired_is_said():
    found = paired([])
    assert (found.n, found.mean, found.p, found.note) == (0, None, None, "no pairs")


def test_the_same_seed_gives_the_same_figures():
    d = np.random.default_rng(5).normal(0.1, 1, 60)
    assert paired(d, seed=3) == paired(d, seed=3)


def test_a_clear_difference_is_found_and_its_interval_leaves_zero():
    d = np.random.default_rng(5).normal(1.0, 0.5, 60)
    found = paired(d)
    assert found.p is not None
    assert found.p < 0.001
    assert found.mean is not None
    assert found.mean.low > 0.5
    assert found.mean.low < d.mean() < found.mean.high


def test_the_detectable_difference_shrinks_with_the_root_of_n():
    rng = np.random.default_rng(1)
    small, large = rng.normal(0, 1, 30), rng.normal(0, 1, 3_000)
    ratio = paired(small, resamples=200).detectable / paired(large, resamples=200).detectable
    assert ratio == pytest.approx(10, rel=0.2)


def test_a_difference_without_a_value_is_refused():
    with pytest.raises(ValueError, match="finite"):
        paired([0.1, float("nan")])


def test_seventy_one_against_sixty_is_a_coin_toss():
    found = mcnemar(71, 60, n=1000)
    assert found.p == pytest.approx(0.3823, abs=5e-4)
    assert found.share.low < 0.5 < found.share.high
    assert found.net.low < 0 < found.net.high
    assert found.net.value == pytest.approx(-0.011)


def test_seventy_one_against_twenty_four_is_none():
    found = mcnemar(71, 24, n=240)
    assert found.p == pytest.approx(stats.binomtest(24, 95).pvalue)
    assert found.net.high < 0


def test_no_change_is_no_test():
    assert mcnemar(0, 0, n=10).p is None
    with pytest.raises(ValueError, match="cannot be"):
        mcnemar(6, 5, n=10)


def test_holm_on_the_reference_values():
    assert holm([0.01, 0.02, 0.03, 0.5]) == pytest.approx([0.04, 0.06, 0.06, 0.5])


def test_holm_leaves_out_what_was_not_tested():
    assert holm([None, 0.02, None, 0.01]) == [None, 0.02, None, 0.02]


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_only_raises_and_keeps_the_order(p):
    corrected = holm(p)
    assert all(one <= other <= 1 for one, other in zip(p, corrected, strict=True))
    order = np.argsort(p, kind="stable")
    assert all(np.diff([corrected[at] for at in order]) >= 0)


def test_sixty_three_of_seventy_one_with_its_wilson_interval():
    found = share(63, 71)
    assert found.value == pytest.approx(0.887, abs=5e-4)
    assert (found.low, found.high) == (
        pytest.approx(0.793, abs=5e-4),
        pytest.approx(0.942, abs=5e-4),
    )
    assert share(0, 0) is None


def test_an_odds_ratio_by_hand():
    found = odds_ratio(30, 40, 10, 40)
    assert found.ratio.value == pytest.approx(9.0)
    reach = 1.959964 * np.sqrt(1 / 30 + 1 / 10 + 1 / 10 + 1 / 30)
    assert found.ratio.low == pytest.approx(np.exp(np.log(9) - reach), rel=1e-6)
    assert found.p == pytest.approx(stats.fisher_exact([[30, 10], [10, 30]])[1])


def test_an_empty_cell_still_has_an_odds_ratio_and_an_empty_group_has_none():
    assert np.isfinite(odds_ratio(0, 5, 3, 5).ratio.value)
    assert odds_ratio(0, 0, 3, 5) is None


def test_the_bootstrap_interval_of_one_value_is_that_value():
    found = mean_interval([0.25])
    assert (found.value, found.low, found.high) == (0.25, 0.25, 0.25)


def test_bands_of_many_columns_are_near_those_of_each_and_leave_out_what_is_undefined():
    draw = np.random.default_rng(4)
    table = draw.normal(0.5, 0.2, (400, 3))
    table[:100, 1] = np.nan
    table[:, 2] = np.nan
    first, second, third = mean_bands(table, resamples=4_000)
    assert third is None
    for found, column in ((first, table[:, 0]), (second, table[100:, 1])):
        alone = mean_interval(column)
        assert found.value == pytest.approx(alone.value)
        assert found.low == pytest.approx(alone.low, abs=0.004)
        assert found.high == pytest.approx(alone.high, abs=0.004)
    assert mean_bands(np.zeros((0, 2))) == [None, None]
