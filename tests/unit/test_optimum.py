"""The exact optimum and the certificate, against trying every set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from selection import Budget, Pool, make_selector, measure
from selection.certificate import best_addition
from selection.exact import best, best_facility
from selection.exact.coverage import Coverage
from selection.exact.program import CoverProgram
from selection.exact.table import by_table
from selection.selectors.facility_location import BEST_OF_TWO
from tests.unit.pools import claim_pools, claims, vector_pools, vectors, worked_example
from tests.unit.test_oracles import cosines, facility_value

SOME = settings(
    max_examples=100, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
MANY = settings(SOME, max_examples=2000)
FEW = settings(SOME, max_examples=30)

budgets = st.builds(
    Budget, tokens=st.none() | st.integers(0, 40), passages=st.none() | st.integers(0, 6)
)


def feasible(pool: Pool, budget: Budget) -> list[tuple[int, ...]]:
    most = len(pool) if budget.passages is None else min(budget.passages, len(pool))
    return [
        chosen
        for size in range(most + 1)
        for chosen in combinations(range(len(pool)), size)
        if budget.tokens is None or cost(pool, chosen) <= budget.tokens
    ]


def cost(pool: Pool, chosen: Sequence[int]) -> int:
    return sum(pool.passages[i].tokens or 0 for i in chosen)


def brute(
    pool: Pool, budget: Budget, value: Callable[[Sequence[int]], float]
) -> tuple[float, int, tuple[int, ...]]:
    """Best value, then fewest tokens, then lowest ranks."""
    rows = [(value(s), cost(pool, s), s) for s in feasible(pool, budget)]
    top = max(row[0] for row in rows)
    equal = [row for row in rows if row[0] >= top - 1e-9]
    return min(equal, key=lambda row: row[1:])


def distinct(pool: Pool, chosen: Sequence[int]) -> float:
    return float(len(frozenset().union(*(pool.passages[i].claims or () for i in chosen))))


def gold_weight(pool: Pool, chosen: Sequence[int]) -> float:
    found = frozenset().union(*(pool.passages[i].claims or () for i in chosen))
    return sum(weight for fact, weight in pool.gold.items() if fact in found)


def check_cover(pool: Pool, budget: Budget, objective: str) -> None:
    value = distinct if objective == "claims" else gold_weight
    expected = brute(pool, budget, lambda chosen: value(pool, chosen))
    got = best(pool, budget, objective)
    assert got.proven
    assert got.value == pytest.approx(expected[0])
    assert cost(pool, got.order) == expected[1]
    assert list(got.order) == sorted(got.order)
    if all(p.tokens for p in pool.passages):
        assert got.order == expected[2]


@SOME
@given(claim_pools(), budgets, st.sampled_from(["claims", "gold"]))
def test_the_table_finds_what_trying_every_set_finds(
    pool: Pool, budget: Budget, objective: str
) -> None:
    check_cover(pool, budget, objective)


@FEW
@given(claim_pools(), budgets)
def test_the_integer_program_finds_what_trying_every_set_finds(pool: Pool, budget: Budget) -> None:
    bits = pool.claim_bits
    problem = Coverage.of(pool, budget, bits, np.ones(len(bits.names)))
    if not problem.members:
        return
    program, table = CoverProgram(problem).solve(10.0), by_table(problem)
    if all(problem.costs):
        assert program == table
    assert program.value == table.value
    assert cost(pool, program.order) == cost(pool, table.order)


@pytest.mark.parametrize("way", ["by_table", "by_program"])
def test_among_equals_the_lowest_ranks_win_not_the_smallest_sum(way: str) -> None:
    """Ranks 1 and 5, or 2 and 3: the same claims for the same tokens; rank 1 decides."""
    pool = claims(["abc", "ad", "bce", "x", "de", "y"], tokens=[9, 9, 9, 9, 9, 9])
    problem = Coverage.of(
        pool, Budget(passages=2), pool.claim_bits, np.array([1, 1, 1, 1, 1, 0, 0])
    )
    found = by_table(problem) if way == "by_table" else CoverProgram(problem).solve(10.0)
    assert found.value == 5
    assert found.order == (0, 4)


@FEW
@given(vector_pools(most=7), budgets)
def test_the_facility_program_finds_what_trying_every_set_finds(pool: Pool, budget: Budget) -> None:
    sim = cosines(pool)
    expected = brute(pool, budget, lambda chosen: facility_value(pool, sim, chosen))
    got = best_facility(pool, budget)
    assert got.proven
    assert got.value == pytest.approx(expected[0], rel=1e-7, abs=1e-9)
    assert cost(pool, got.order) == expected[1]


def check_claim_bounds(pool: Pool, budget: Budget) -> None:
    optimum = brute(pool, budget, lambda chosen: distinct(pool, chosen))[0]
    for name, params in (
        ("marginal_gain", {"min_new_claims": 1}),
        ("marginal_gain", {"min_new_claims": 2}),
        ("claim_coverage", {}),
        ("claim_coverage", {"cost_aware": False}),
        ("claim_coverage", {"effort": "thorough"}),
        ("optimum", {}),
    ):
        s = make_selector(name, **params).select(pool, budget)
        assert s.bound is not None
        assert s.objective is not None
        assert s.objective <= optimum <= s.bound
        assert_guarantee(s.guarantee, s.objective, optimum)


def assert_guarantee(guarantee: str | None, value: float, optimum: float) -> None:
    factors = {"1/2": 0.5, "61.7": 0.6174, "63 %": 1 - 1 / np.e, "40.5": 0.405, "the best: ": 1.0}
    for words, factor in factors.items():
        if guarantee and words in guarantee:
            assert value >= factor * optimum - 1e-9
            return
    assert guarantee is None


def check_vector_bounds(pool: Pool, budget: Budget, quality: float) -> None:
    sim = np.maximum(cosines(pool), 0.0)
    optimum = brute(pool, budget, lambda chosen: facility_value(pool, sim, chosen))[0]
    for cost_aware in (False, True):
        s = make_selector("facility_location", cost_aware=cost_aware).select(pool, budget)
        assert (s.objective or 0.0) <= optimum + 1e-9
        assert (s.bound or 0.0) >= optimum - 1e-9
        assert_guarantee(s.guarantee, s.objective or 0.0, optimum)
    room = 0.3 * sim.sum(axis=1)
    optimum = brute(
        pool, budget, lambda c: float(np.minimum(sim[:, list(c)].sum(axis=1), room).sum())
    )[0]
    s = make_selector("saturated_coverage", alpha=0.3).select(pool, budget)
    assert (s.objective or 0.0) - 1e-9 <= optimum <= (s.bound or 0.0) + 1e-9
    assert_guarantee(s.guarantee, s.objective or 0.0, optimum)
    q = np.exp(quality * np.array([p.score or 0.0 for p in pool.passages]))
    kernel = np.eye(len(pool)) + q[:, None] * cosines(pool) * q
    optimum = brute(
        pool, budget, lambda c: float(np.linalg.slogdet(kernel[np.ix_(c, c)])[1]) if c else 0.0
    )[0]
    s = make_selector("log_det", quality=quality).select(pool, budget)
    assert (s.objective or 0.0) - 1e-9 <= optimum <= (s.bound or 0.0) + 1e-9
    assert_guarantee(s.guarantee, s.objective or 0.0, optimum)


@SOME
@given(claim_pools(most=7), budgets)
def test_no_set_of_claims_beats_the_certificate(pool: Pool, budget: Budget) -> None:
    check_claim_bounds(pool, budget)


@settings(SOME, max_examples=50)
@given(vector_pools(most=6), budgets, st.sampled_from([0.0, 0.5, 2.0]))
def test_no_set_of_vectors_beats_the_certificate(
    pool: Pool, budget: Budget, quality: float
) -> None:
    check_vector_bounds(pool, budget, quality)


@pytest.mark.heavy
@MANY
@given(claim_pools(most=10), vector_pools(most=8), budgets, st.sampled_from([0.0, 0.5, 2.0]))
def test_thousands_of_pools_keep_below_their_certificates(
    by_claims: Pool, by_vectors: Pool, budget: Budget, quality: float
) -> None:
    check_cover(by_claims, budget, "claims")
    check_cover(by_claims, budget, "gold")
    check_claim_bounds(by_claims, budget)
    check_vector_bounds(by_vectors, budget, quality)


def test_the_knapsack_of_gains_is_fractional() -> None:
    pool = claims(["a", "b"], [6, 6])
    gains = np.array([6.0, 6.0])
    assert best_addition(gains, pool, Budget(tokens=9)) == pytest.approx(9.0)
    assert best_addition(gains, pool, Budget(tokens=9, passages=1)) == pytest.approx(6.0)
    assert best_addition(gains, pool, Budget(tokens=5)) == 0.0
    assert best_addition(gains, pool, Budget()) == 12.0


def test_both_limits_together_bound_tighter_than_each_alone() -> None:
    pool = claims(["a"] * 4, [10, 10, 1, 1])
    gains = np.array([10.0, 10.0, 2.0, 2.0])
    alone = (
        best_addition(gains, pool, Budget(tokens=12)),
        best_addition(gains, pool, Budget(None, 2)),
    )
    both = best_addition(gains, pool, Budget(tokens=12, passages=2))
    assert alone == pytest.approx((14.0, 20.0))
    assert both == pytest.approx(12.0 + 8.0 / 9.0, abs=1e-6)


def test_guarantees_are_printed_only_where_their_conditions_hold() -> None:
    pool = vectors(np.eye(4), [4.0, 3.0, 2.0, 1.0], tokens=[5, 5, 5, 5])

    def guarantee(name: str, budget: Budget, **params) -> str | None:
        return make_selector(name, **params).select(pool, budget).guarantee

    assert "1 - 1/e" in (guarantee("facility_location", Budget(passages=2)) or "")
    assert guarantee("facility_location", Budget(tokens=10)) is None
    assert guarantee("facility_location", Budget(tokens=10), cost_aware=True) == BEST_OF_TWO
    assert guarantee("facility_location", Budget(10, 1), cost_aware=True) is None
    assert "nothing limits" in (guarantee("facility_location", Budget(tokens=20)) or "")
    for name in ("mmr", "dpp_map", "similarity_threshold", "top_k"):
        assert guarantee(name, Budget(passages=2)) is None


def test_thorough_claim_coverage_finds_what_one_run_misses() -> None:
    draw = np.random.default_rng(5)
    better = worse = 0
    for _ in range(150):
        sets = ["".join(draw.choice(list("abcdefghij"), 3)) for _ in range(12)]
        pool = claims(sets, draw.integers(120, 900, 12).tolist())
        budget = Budget(tokens=1500)
        fast = make_selector("claim_coverage").select(pool, budget).objective
        thorough = make_selector("claim_coverage", effort="thorough").select(pool, budget).objective
        better += thorough > fast
        worse += thorough < fast
    assert better > 0
    assert worse == 0


def test_a_time_limit_that_is_hit_gives_the_best_found_and_a_bound() -> None:
    draw = np.random.default_rng(0)
    pool = Pool.from_arrays(
        [str(i) for i in range(150)],
        tokens=draw.integers(50, 500, 150),
        claim_words=draw.integers(0, 2**63, (150, 2), dtype=np.uint64)
        & draw.integers(0, 2**63, (150, 2), dtype=np.uint64)
        & draw.integers(0, 2**63, (150, 2), dtype=np.uint64)
        & draw.integers(0, 2**63, (150, 2), dtype=np.uint64),
        claim_names=[f"c{i}" for i in range(128)],
    )
    s = make_selector("optimum", time_limit=0.05).select(pool, Budget(tokens=2500))
    greedy = make_selector("claim_coverage").select(pool, Budget(tokens=2500))
    assert s.tokens <= 2500
    assert s.objective >= greedy.objective
    assert s.bound > s.objective
    assert s.guarantee is None


def test_the_optimum_is_found_once_a_pool_and_budget() -> None:
    pool = worked_example()
    first = best(pool, Budget(tokens=1234), "gold")
    assert best(pool, Budget(tokens=1234), "gold") is first


def test_measures_on_gold_use_the_optimum() -> None:
    pool = worked_example()
    s = make_selector("marginal_gain").select(pool, Budget(tokens=1600))
    values = measure(pool, s)
    assert values["claim_ceiling"] == 1.0
    assert values["budget_ceiling"] == pytest.approx(5 / 6)
    assert values["budget_loss"] == pytest.approx(1 / 6)
    assert values["selector_loss"] == pytest.approx(1 / 6)
    assert values["optimum_ratio"] == pytest.approx(4 / 5)
