"""What brings a dropped fact back, and which knob binds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from selection import Budget, Pool, make_selector
from selection.binding import END_OF_POOL, Binding, binding, over_collection
from selection.changes import next_budget, smallest_changes
from tests.unit.pools import claim_pools, claims, similarities, worked_example

SOME = settings(
    max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


def changes(pool: Pool, name: str, budget: Budget, **params) -> dict[str, dict[str, float]]:
    dropped = smallest_changes(make_selector(name, **params).select(pool, budget))
    return {one.fact: {c.knob: c.after for c in one.changes} for one in dropped}


def test_a_fact_beyond_k_comes_back_at_its_rank() -> None:
    found = changes(worked_example(), "top_k", Budget(tokens=4000), k=8)
    assert found == {"issuer_30_day_exception": {"k": 13}}


def test_a_fact_that_did_not_fit_comes_back_at_the_exact_token() -> None:
    found = changes(worked_example(), "marginal_gain", Budget(tokens=1600))
    assert found == {
        "capture_timing": {"tokens": 1610},
        "issuer_30_day_exception": {"tokens": 2090},
    }


def test_the_change_says_it_in_words_and_the_cheapest_carrier_is_named() -> None:
    s = make_selector("marginal_gain").select(worked_example(), Budget(tokens=1600))
    first = smallest_changes(s)[0]
    assert first.changes[0].text == "+10 tokens"
    assert (first.ranks, first.cheapest, first.cheapest_tokens) == ((6, 10), 10, 390)


def test_min_new_claims_is_lowered_as_little_as_needed() -> None:
    found = changes(worked_example(), "marginal_gain", Budget(tokens=4000), min_new_claims=3)
    assert found["window_3_5_days"] == {"min_new_claims": 2}
    assert found["issuer_30_day_exception"] == {"min_new_claims": 1}


def test_a_threshold_moves_just_above_the_similarity_that_hid_the_fact() -> None:
    pool = similarities(
        [[1, 0.913, 0.2], [0.913, 1, 0.3], [0.2, 0.3, 1]],
        [1, 1, 1],
        claims=[{"a"}, {"b"}, {"c"}],
    )
    pool.gold["b"] = 1.0
    found = changes(pool, "similarity_threshold", Budget(), threshold=0.85)
    assert found == {"b": {"threshold": 0.9131}}
    for threshold, ranks in ((0.9131, (1, 2, 3)), (0.913, (1, 3))):
        s = make_selector("similarity_threshold", threshold=threshold).select(pool)
        assert s.ranks == ranks


def test_nothing_dropped_is_nothing_to_change() -> None:
    s = make_selector("marginal_gain").select(worked_example(), Budget(tokens=4000))
    assert smallest_changes(s) == ()


def test_a_dial_that_overspends_is_not_changed_by_a_budget() -> None:
    s = make_selector("top_k", k=8).select(worked_example(), Budget(tokens=4000))
    assert next_budget(s.selector, s.pool, s.budget, s.picks.order) is None


@SOME
@given(
    claim_pools(),
    st.integers(0, 30),
    st.sampled_from(
        [
            ("marginal_gain", {}),
            ("top_k", {"k": 6, "overflow": "skip"}),
            ("top_k", {"k": 9, "overflow": "stop"}),
            ("claim_coverage", {}),
            ("claim_coverage", {"effort": "thorough"}),
            ("claim_coverage", {"cost_aware": False}),
        ]
    ),
)
def test_no_smaller_budget_brings_the_fact_back(pool: Pool, limit: int, kind: tuple) -> None:
    selector = make_selector(kind[0], **kind[1])
    s = selector.select(pool, Budget(tokens=limit))
    every = int(pool.tokens.sum()) if pool.tokens is not None else 0
    for one in smallest_changes(s):
        returns = [
            tokens
            for tokens in range(limit + 1, every + 1)
            if one.fact in selector.select(pool, Budget(tokens=tokens)).claims
        ]
        found = [c.after for c in one.changes if c.knob == "tokens"]
        assert found == returns[:1]


def test_what_binds_is_what_turned_passages_away() -> None:
    pool = worked_example()

    def of(name: str, budget: Budget, **params) -> Binding:
        return binding(make_selector(name, **params).select(pool, budget))

    assert of("top_k", Budget(), k=8) == Binding(first="k", turned_away={"k": 12})
    assert of("top_k", Budget(passages=3), k=8).first == "passages"
    assert of("top_k", Budget(tokens=4000), k=20, overflow="skip").knobs == ("tokens",)
    assert of("top_k", Budget(), k=20).first == END_OF_POOL
    loop = of("marginal_gain", Budget(tokens=1600))
    assert loop == Binding(first="min_new_claims", turned_away={"tokens": 3, "min_new_claims": 14})
    assert loop.knobs == ("min_new_claims", "tokens")


def test_a_knob_that_never_binds_is_named() -> None:
    pools = [claims(["a", "b"], [10, 10]), claims(["a", "a"], [10, 10])]
    every = [
        binding(make_selector("marginal_gain").select(pool, Budget(tokens=100))) for pool in pools
    ]
    shares = over_collection(every)
    assert shares.questions == 2
    assert shares.shares == {"tokens": 0.0, "min_new_claims": 0.5}
    assert shares.never == ("tokens",)
    assert over_collection([]).never == ()


def test_change_points_of_a_threshold_tell_every_outcome_apart() -> None:
    draw = np.random.default_rng(2)
    rows = draw.normal(size=(7, 3))
    pool = Pool.from_arrays([str(i) for i in range(7)], embeddings=rows)
    points = make_selector("similarity_threshold").change_points(pool, "threshold")

    def outcome(threshold: float) -> tuple[int, ...]:
        return make_selector("similarity_threshold", threshold=threshold).select(pool).ranks

    on_points = {outcome(point) for point in points}
    assert {outcome(t) for t in np.linspace(0, 1, 500)} <= on_points


def test_measured_on_a_pool_without_gold_there_is_nothing_to_bring_back() -> None:
    pool = claims(["a", "ab"], [10, 10])
    assert smallest_changes(make_selector("top_k", k=1).select(pool, Budget(tokens=5))) == ()


@pytest.mark.parametrize("limit", [0, 700, 1600])
def test_every_promised_change_keeps_its_promise(limit: int) -> None:
    pool = worked_example()
    s = make_selector("claim_coverage").select(pool, Budget(tokens=limit))
    for one in smallest_changes(s):
        for change in one.changes:
            again = s.selector.select(pool, Budget(tokens=int(change.after)))
            assert one.fact in again.claims
