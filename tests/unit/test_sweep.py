"""A sweep gives what single calls give, in the order that is promised, on any executor."""

from __future__ import annotations

import math
import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from selection import Budget, Pool, list_selectors, make_selector, measure
from selection.measures import all_measures
from selection.sweep import sweep, worker_pool
from tests.unit.pools import claim_pools, claims, vector_pools, worked_example

SOME = settings(
    max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
BUDGETS = [Budget(), Budget(tokens=15), Budget(passages=2), Budget(30, 4), Budget(tokens=0)]


def single(pools: list[Pool], name: str, grid: dict, budgets: list[Budget]) -> list[tuple]:
    return [
        make_selector(name, **dict(zip(grid, values, strict=True))).select(pool, budget).ranks
        for pool in pools
        for values in product(*grid.values())
        for budget in budgets
    ]


def check(pools: list[Pool], name: str, grid: dict, budgets: list[Budget]) -> None:
    result = sweep(pools, name, grid, budgets=budgets)
    assert [result.ranks(i) for i in range(len(result))] == single(pools, name, grid, budgets)


@SOME
@given(st.lists(claim_pools(), max_size=4))
def test_the_vectorised_claim_walk_equals_single_calls(pools: list[Pool]) -> None:
    check(pools, "marginal_gain", {"min_new_claims": [0, 1, 2, 3]}, BUDGETS)


@SOME
@given(st.lists(vector_pools(), max_size=4))
def test_the_batched_mmr_equals_single_calls(pools: list[Pool]) -> None:
    check(pools, "mmr", {"clip": [False, True], "lambda_": [0.0, 0.3, 0.5, 1.0]}, BUDGETS)


@SOME
@given(st.lists(claim_pools(), max_size=5), st.sampled_from([1, 2, 512]))
def test_measures_of_many_rows_equal_those_of_single_calls(pools: list[Pool], chunk: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("selection.sweep.CHUNK", chunk)
        result = sweep(pools, "marginal_gain", {"min_new_claims": [0, 1, 2]}, budgets=BUDGETS)
        columns = result.columns(*[one.name for one in all_measures() if one.batch is not None])
    for row in range(len(result)):
        one = result.selection(row)
        single = measure(one.pool, one)
        for name, column in columns.items():
            expected = math.nan if single[name] is None else single[name]
            assert column[row] == pytest.approx(expected, nan_ok=True), name


def continuous(count: int, size: int, seed: int) -> list[Pool]:
    draw = np.random.default_rng(seed)
    pools = []
    for _ in range(count):
        rows = draw.normal(size=(size, 24)).astype(np.float32)
        rows[size // 2 :: 3] = rows[: len(rows[size // 2 :: 3])] * (1 + 1e-4)
        pools.append(
            Pool.from_arrays(
                [str(i) for i in range(size)],
                embeddings=rows,
                scores=draw.random(size),
                tokens=draw.integers(50, 400, size),
            )
        )
    return pools


def test_the_batched_mmr_equals_single_calls_on_vectors_of_many_kinds() -> None:
    pools = [*continuous(20, 30, 0), *continuous(7, 11, 1), Pool([])]
    budgets = [Budget(passages=9), Budget(tokens=2000)]
    check(pools, "mmr", {"lambda_": [0.2, 0.5, 0.9]}, budgets)


@pytest.mark.parametrize(
    ("name", "grid"),
    [
        ("facility_location", {"cost_aware": [False, True]}),
        ("log_det", {"quality": [0.0, 0.5]}),
        ("dpp_map", {}),
        ("saturated_coverage", {"alpha": [0.1, 0.5]}),
        ("similarity_threshold", {"threshold": [0.2, 0.85]}),
        ("top_k", {"k": [2, 8], "overflow": ["stop", "skip", "overspend"]}),
    ],
)
def test_nested_runs_answer_every_cap(name: str, grid: dict) -> None:
    budgets = [Budget(passages=k) for k in (0, 1, 3, 99)] + [Budget(tokens=900), Budget(900, 2)]
    check(continuous(3, 12, 2), name, grid, budgets)


def test_more_than_64_claims_are_walked_as_well() -> None:
    draw = np.random.default_rng(0)
    pools = []
    for size in (40, 25):
        words = draw.integers(0, 2**62, (size, 3), dtype=np.uint64)
        for _ in range(3):
            words &= draw.integers(0, 2**62, (size, 3), dtype=np.uint64)
        pools.append(
            Pool.from_arrays(
                [str(i) for i in range(size)],
                claim_words=words,
                claim_names=[f"c{i}" for i in range(192)],
                tokens=draw.integers(50, 400, size),
            )
        )
    pools.append(claims(["ab", "b", "c"], [10, 20, 30]))
    grid = {"min_new_claims": [1, 3, 6]}
    check(pools, "marginal_gain", grid, [Budget(tokens=2000), Budget(tokens=9000, passages=7)])


def test_rows_are_pool_major_then_settings_then_budgets() -> None:
    pools = [worked_example(), claims(["a", "a"], [10, 20], gold="a")]
    budgets = [Budget(tokens=1000), Budget(tokens=2000, passages=3)]
    result = sweep(pools, "marginal_gain", {"min_new_claims": [1, 2, 3]}, budgets=budgets)
    columns = result.columns("pool", "min_new_claims", "budget_tokens", "budget_passages")
    assert columns["pool"].tolist() == [0] * 6 + [1] * 6
    assert columns["min_new_claims"].tolist() == [1, 1, 2, 2, 3, 3] * 2
    assert columns["budget_tokens"].tolist() == [1000, 2000] * 6
    assert math.isnan(columns["budget_passages"][0])
    assert columns["budget_passages"][1] == 3
    assert len(result) == 12


def test_columns_are_the_measures_of_single_calls_and_undefined_is_nan() -> None:
    pools = [worked_example(), claims(["a", "ab"], [10, 20])]
    budgets = [Budget(tokens=1600), Budget()]
    result = sweep(pools, "marginal_gain", {"min_new_claims": [1, 2]}, budgets=budgets)
    names = [*result.columns(), "budget_ceiling", "optimum_ratio", "selector_loss"]
    columns = result.columns(*names)
    assert {"optimum_ratio", "budget_ceiling"}.isdisjoint(result.columns())
    for row in range(len(result)):
        s = result.selection(row)
        expected = measure(s.pool, s)
        assert columns["passages"][row] == len(s.ranks)
        for name, value in expected.items():
            if name in columns:
                got = columns[name][row]
                assert math.isnan(got) if value is None else got == pytest.approx(value)


def test_an_unknown_column_or_row_is_refused() -> None:
    result = sweep([worked_example()], "top_k", {"k": [8]})
    with pytest.raises(ValueError, match="no column 'nonsense'"):
        result.columns("nonsense")
    with pytest.raises(IndexError, match="no row 1"):
        result.ranks(1)
    assert result.ranks(-1) == result.ranks(0)


def test_any_executor_gives_the_same_rows() -> None:
    pools = continuous(1100, 4, 3)
    grid = {"lambda_": [0.3, 0.7]}
    plain = sweep(pools, "mmr", grid, budgets=[Budget(passages=3)])
    for kind in (ThreadPoolExecutor, ProcessPoolExecutor):
        with kind(2) as executor:
            spread = sweep(pools, "mmr", grid, budgets=[Budget(passages=3)], executor=executor)
        assert np.array_equal(spread.rows.flat, plain.rows.flat)
        assert np.array_equal(spread.rows.counts, plain.rows.counts)


def test_worker_processes_have_one_thread_and_no_pages_on_their_path() -> None:
    pools = continuous(3, 5, 4)
    plain = sweep(pools, "log_det", {"quality": [0.0, 1.0]})
    with worker_pool(1) as executor:
        spread = sweep(pools, "log_det", {"quality": [0.0, 1.0]}, executor=executor)
        assert executor.submit(os.getenv, "OPENBLAS_NUM_THREADS").result() == "1"
    assert np.array_equal(spread.rows.flat, plain.rows.flat)


@pytest.mark.parametrize("name", [n for n in list_selectors() if n != "as_sent"])
def test_no_pools_no_rows(name: str) -> None:
    result = sweep([], name, {}, budgets=[Budget(tokens=10)])
    assert len(result) == 0
    assert all(len(column) == 0 for column in result.columns().values())


def test_a_pool_that_lacks_a_field_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"mmr.*score"):
        sweep([claims(["a"])], "mmr", {})
    with pytest.raises(ValueError, match=r"marginal_gain: a token budget"):
        sweep([claims(["a"])], "marginal_gain", {}, budgets=[Budget(), Budget(tokens=3)])


def test_unknown_tokens_are_nan_and_nothing_sent_is_0() -> None:
    result = sweep([claims(["a", ""])], "marginal_gain", {"min_new_claims": [1, 9]})
    tokens = result.columns("tokens")["tokens"]
    assert math.isnan(tokens[0])
    assert tokens[1] == 0
