"""Inputs that break other libraries, each with the right value."""

from __future__ import annotations

import numpy as np
import pytest

from selection import Budget, Passage, Pool, list_selectors, make_selector
from tests.unit.pools import claims, similarities, vectors

REORDERING = ["mmr", "facility_location", "saturated_coverage", "log_det", "dpp_map"]


def ranks(name: str, pool: Pool, *, tokens: int | None = None, k: int | None = None, **params):
    return make_selector(name, **params).select(pool, Budget(tokens, k)).ranks


def test_mmr_rewards_negative_similarity_unless_it_is_clipped() -> None:
    pool = vectors([[1, 0], [-1, 0], [0, 1]], [0.9, 0.5, 0.6])
    assert ranks("mmr", pool, k=2) == (1, 2)
    assert ranks("mmr", pool, k=2, clip=True) == (1, 3)


@pytest.mark.parametrize("bad", [float("-inf"), float("inf"), float("nan")])
def test_a_score_that_is_no_finite_number_is_an_error_that_names_the_passage(bad: float) -> None:
    with pytest.raises(ValueError, match=r"score.*'p3'"):
        vectors(np.eye(4), [0.9, 0.8, bad, 0.6])
    with pytest.raises(ValueError, match=r"score.*'c'"):
        Pool.from_arrays(["a", "b", "c"], scores=[0.1, 0.2, bad])


def test_a_vector_with_nan_is_an_error_that_names_the_passage() -> None:
    with pytest.raises(ValueError, match=r"embedding.*'p2'"):
        vectors([[1.0, 0.0], [np.nan, 1.0]])
    with pytest.raises(ValueError, match=r"embedding.*'b'"):
        Pool.from_arrays(["a", "b"], embeddings=[[1.0, 0.0], [np.nan, 1.0]])


def test_a_zero_vector_adds_nothing_to_a_determinant() -> None:
    pool = vectors([[1, 0], [0, 0], [0.8, 0.6]])
    assert ranks("dpp_map", pool, k=2) == (1, 3)
    assert ranks("dpp_map", pool, k=3) == (1, 3)
    shifted = make_selector("log_det").select(pool, Budget(passages=3))
    assert shifted.ranks == (1, 3, 2)
    assert shifted.decisions[1].gain == 0.0


def test_a_kernel_that_is_not_semidefinite_stops_the_raw_determinant_and_has_no_bound() -> None:
    pool = similarities([[1, 2, 0], [2, 1, 0], [0, 0, 1]], [0.0, 0.0, 0.0])
    selection = make_selector("dpp_map").select(pool, Budget(passages=3))
    assert selection.ranks == (1, 3)
    assert selection.decisions[1].reason == "no_gain"
    shifted = make_selector("log_det").select(pool, Budget(passages=2))
    assert (shifted.bound, shifted.guarantee) == (None, None)


@pytest.mark.parametrize("name", REORDERING)
def test_ties_go_to_the_lowest_rank(name: str) -> None:
    assert ranks(name, vectors(np.eye(6)), k=5) == (1, 2, 3, 4, 5)


def test_mmr_at_lambda_1_is_top_k_with_ties_in_rank_order() -> None:
    scores = np.random.default_rng(0).integers(0, 3, 200) / 2
    pool = vectors(np.random.default_rng(1).normal(size=(200, 8)), scores.tolist())
    expected = np.argsort(-scores, kind="stable") + 1
    assert ranks("mmr", pool, lambda_=1.0) == tuple(expected.tolist())


def test_tiny_scores_keep_their_order_at_lambda_1() -> None:
    pool = vectors(np.eye(3), [1e-15, 3e-15, 2e-15])
    assert ranks("mmr", pool, lambda_=1.0) == (2, 3, 1)
    assert ranks("facility_location", pool) == (2, 3, 1)


def test_norms_do_not_hide_copies() -> None:
    pool = vectors([[1e-200, 0], [1e200, 0], [0, 1e-30]], [0.9, 0.8, 0.1])
    assert ranks("similarity_threshold", pool) == (1, 3)
    assert ranks("mmr", pool, k=2) == (1, 3)


def test_large_scores_do_not_overflow_a_determinant() -> None:
    pool = vectors([[1, 0], [1, 0], [0, 1]], [900.0, 899.0, 10.0])
    for name in ("log_det", "dpp_map"):
        selection = make_selector(name, quality=1.0).select(pool, Budget(passages=2))
        assert selection.ranks == (1, 3)
        assert selection.objective == pytest.approx(1820.0)


@pytest.mark.parametrize("name", [*REORDERING, "top_k"])
def test_k_of_0_is_empty_and_k_beyond_the_pool_takes_each_once(name: str) -> None:
    pool = vectors(np.eye(3))
    assert ranks(name, pool, k=0) == ()
    assert ranks(name, pool, k=9) == (1, 2, 3)


def test_a_negative_limit_is_an_error() -> None:
    for wrong in ({"tokens": -1}, {"passages": -1}, {"tokens": 1.5}, {"tokens": float("nan")}):
        with pytest.raises(ValueError, match="whole number of 0 or more"):
            Budget(**wrong)
    with pytest.raises(ValueError, match="top_k: k is -1"):
        make_selector("top_k", k=-1)


@pytest.mark.parametrize("name", list_selectors())
def test_an_empty_pool_gives_an_empty_selection(name: str) -> None:
    pool = Pool([], sent={"old": []}, gold={"a": 1.0})
    params = {"arm": "old"} if name == "as_sent" else {}
    selection = make_selector(name, **params).select(pool, Budget(tokens=100))
    assert (selection.ranks, selection.tokens, selection.decisions) == ((), 0, ())


def packed(tokens: list[int], limit: int, **params) -> tuple[int, ...]:
    pool = Pool([Passage(id=str(i), tokens=cost) for i, cost in enumerate(tokens)])
    return ranks("top_k", pool, tokens=limit, **params)


def test_a_passage_that_does_not_fit_is_skipped_and_the_walk_goes_on() -> None:
    assert packed([500, 100, 100], 250, overflow="skip") == (2, 3)
    assert packed([100, 200, 50], 160, overflow="skip") == (1, 3)


def test_a_passage_that_fits_exactly_is_admitted() -> None:
    assert packed([100, 150], 250, overflow="skip") == (1, 2)


@pytest.mark.parametrize("overflow", ["skip", "stop", "overspend"])
def test_a_budget_of_0_is_an_empty_selection(overflow: str) -> None:
    assert packed([100, 150], 0, overflow=overflow) == ()


def test_a_stop_ends_the_walk_and_the_rest_say_where() -> None:
    pool = Pool([Passage(id=str(i), tokens=c) for i, c in enumerate([100, 200, 50, 10])])
    selection = make_selector("top_k", k=3, overflow="stop").select(pool, Budget(tokens=160))
    assert selection.ranks == (1,)
    assert [d.reason for d in selection.decisions[1:]] == [
        "over_budget",
        "over_budget",
        "beyond_k",
    ]
    assert [d.detail for d in selection.decisions[1:3]] == [
        "needs 200 tokens, 60 left",
        "stopped at rank 2",
    ]


@pytest.mark.parametrize(("least", "expected"), [(0, (1, 2, 3, 4)), (1, (1, 3)), (2, (1,))])
def test_min_new_claims_counts_what_is_not_covered(least: int, expected: tuple[int, ...]) -> None:
    assert ranks("marginal_gain", claims(["ab", "a", "bc", ""]), min_new_claims=least) == expected


def test_a_refused_passage_covers_nothing() -> None:
    assert ranks("marginal_gain", claims(["a", "ab"]), min_new_claims=2) == (2,)


def test_the_better_of_density_and_best_single_escapes_the_cost_benefit_trap() -> None:
    pool = claims(["a", "bcdefghij"], [1, 10])
    assert ranks("claim_coverage", pool, tokens=10) == (2,)
    disjoint = vectors(np.eye(2), [1.0, 9.0], tokens=[1, 10])
    selection = make_selector("facility_location", cost_aware=True).select(disjoint, Budget(10))
    assert selection.ranks == (2,)
    assert selection.decisions[0].reason == "outscored"


def test_saturated_coverage_stops_where_everything_is_saturated() -> None:
    pool = similarities(np.ones((3, 3)), [1.0] * 3)
    selection = make_selector("saturated_coverage", alpha=1 / 3).select(pool)
    assert selection.ranks == (1,)
    assert selection.objective == pytest.approx(3.0)
    assert [d.reason for d in selection.decisions[1:]] == ["no_gain", "no_gain"]


def test_a_repeated_id_is_an_error() -> None:
    with pytest.raises(ValueError, match="'x' stands twice"):
        Pool([Passage(id="x"), Passage(id="x")])


def test_vectors_of_differing_length_are_an_error_that_names_both() -> None:
    with pytest.raises(ValueError, match=r"'b' has 3.*'a' has 2"):
        Pool([Passage(id="a", embedding=np.ones(2)), Passage(id="b", embedding=np.ones(3))])


@pytest.mark.parametrize("bad", [-1, 1.5, float("nan"), "12", True])
def test_a_token_count_that_is_no_count_is_an_error_that_names_the_passage(bad: object) -> None:
    with pytest.raises(ValueError, match=r"tokens of passage 'a'"):
        Passage(id="a", tokens=bad)
