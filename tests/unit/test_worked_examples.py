"""The published figures of both worked examples, computed by the library."""

from __future__ import annotations

import numpy as np
import pytest

from selection import Budget, Pool, make_selector
from selection.answer_model import mass
from tests.unit.pools import finance, finance_pools, worked_example

SLICE = Budget(tokens=4000)


def test_the_published_loop_admits_five_passages_and_all_six_facts() -> None:
    s = make_selector("marginal_gain", min_new_claims=1).select(worked_example(), SLICE)
    assert (s.ranks, s.tokens, s.remaining) == ((1, 3, 4, 6, 13), 2090, 1910)
    assert len(s.claims) == 6
    assert (s.objective, s.bound, s.guarantee) == (6.0, 6.0, None)


def test_rank_2_is_out_because_rank_1_says_it_all() -> None:
    s = make_selector("marginal_gain").select(worked_example(), SLICE)
    second = s.decisions[1]
    assert (second.reason, second.blocked_by) == ("no_new_claims", (1,))
    assert (second.spent, second.remaining, second.new_claims) == (410, 3590, 0)


@pytest.mark.parametrize(
    ("least", "ranks", "tokens"),
    [(1, (1, 3, 4, 6, 13), 2090), (2, (1,), 410), (3, (), 0), (4, (), 0)],
)
def test_higher_min_new_claims_end_with_one_passage_and_then_none(
    least: int, ranks: tuple[int, ...], tokens: int
) -> None:
    s = make_selector("marginal_gain", min_new_claims=least).select(worked_example(), SLICE)
    assert (s.ranks, s.tokens) == (ranks, tokens)


@pytest.mark.parametrize(
    ("k", "tokens", "facts"),
    [(1, 410, 2), (3, 1185, 3), (8, 3223, 5), (10, 4025, 5), (13, 5255, 6), (20, 8235, 6)],
)
def test_a_count_based_dial_charges_whatever_the_passages_cost(
    k: int, tokens: int, facts: int
) -> None:
    s = make_selector("top_k", k=k).select(worked_example(), SLICE)
    assert (s.tokens, len(s.claims), s.remaining) == (tokens, facts, 4000 - tokens)


def test_ranks_14_to_20_spend_2980_tokens_on_repeats() -> None:
    s = make_selector("top_k", k=20).select(worked_example(), SLICE)
    assert sum(d.tokens or 0 for d in s.decisions[13:]) == 2980
    assert all(d.new_claims == 0 for d in s.decisions[13:])
    assert s.decisions[-1].remaining == -4235


def test_at_1600_tokens_the_loop_gets_four_facts_where_five_can_be_bought() -> None:
    s = make_selector("marginal_gain").select(worked_example(), Budget(tokens=1600))
    assert (s.ranks, s.tokens, s.objective) == ((1, 3, 4), 1220, 4.0)
    assert make_selector("optimum").select(worked_example(), Budget(tokens=1600)).objective == 5.0


def test_the_cheapest_set_with_all_six_facts_costs_1953_tokens() -> None:
    s = make_selector("optimum", objective="claims").select(worked_example(), SLICE)
    assert sorted(s.ranks) == [3, 5, 8, 10, 13]
    assert (s.tokens, s.objective, s.bound) == (1953, 6.0, 6.0)


def q3(name: str, **params) -> float:
    """Mean mass on the true company with three passages, over the sixteen pools."""
    data = finance()
    masses = []
    for pool, raw in zip(finance_pools(), data["pools"], strict=True):
        chosen = make_selector(name, **params).select(pool, Budget(passages=3)).picks.order
        masses.append(
            mass(
                query=raw["query"],
                passages=np.asarray(raw["vectors"])[list(chosen)],
                prototypes=data["prototypes"],
                answer=raw["truth"],
                tau=data["tau"],
            )
        )
    return float(np.mean(masses))


@pytest.mark.parametrize(
    ("name", "params", "expected"),
    [
        ("mmr", {"lambda_": 1.0}, 0.3778),
        ("mmr", {"lambda_": 0.5, "clip": True}, 0.4445),
        ("facility_location", {}, 0.5378),
        ("log_det", {"quality": 0.5}, 0.5448),
        ("dpp_map", {"quality": 0.5}, 0.5203),
    ],
)
def test_finance_pools_reach_the_published_mass(name: str, params: dict, expected: float) -> None:
    assert q3(name, **params) == pytest.approx(expected, abs=5e-5)


def worked() -> Pool:
    return finance_pools()[finance()["expected"]["worked_pool"]]


def test_the_worked_pool_covers_4_0343_4_2642_4_3644() -> None:
    s = make_selector("facility_location").select(worked())
    assert [rank - 1 for rank in s.ranks] == [1, 5, 0, 7, 4, 2, 3, 6]
    assert np.cumsum(s.picks.gains)[:3] == pytest.approx([4.0343, 4.2642, 4.3644], abs=5e-5)
    assert s.decisions[8].reason == "no_gain"
    assert s.objective == pytest.approx(4.7557, abs=5e-5)


def test_the_worked_pool_at_three_passages() -> None:
    def three(name: str, **params) -> list[int]:
        s = make_selector(name, **params).select(worked(), Budget(passages=3))
        return [rank - 1 for rank in s.ranks]

    assert three("mmr", lambda_=1.0) == [1, 0, 2]
    assert three("mmr", clip=True) == [1, 6, 7]
    assert three("facility_location") == [1, 5, 0]
    assert three("log_det") == [1, 5, 7]
