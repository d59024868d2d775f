"""A sweep over a stored collection is the sweep over its pools, whoever does the work."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from selection import Budget
from selection.sweep import sweep
from storage import queries, sweeps
from storage.engine import Database
from storage.pools import build_pool
from storage.stored import read_questions
from storage.sweeps import sweep_stored

GRID = {"min_new_claims": [1, 2]}
BUDGETS = (Budget(tokens=1000), Budget(tokens=2500), Budget(passages=3))
NAMES = ("claim_recall", "evidence_recall", "redundancy", "alpha_ndcg", "tokens", "passages")


def test_a_stored_sweep_is_the_sweep_over_its_pools(
    built_in: Database, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sweeps, "CHUNK", 100)
    home = queries.collection(built_in, "Help-centre regressions")
    seen: list[tuple[int, int]] = []
    found = sweep_stored(
        built_in,
        home.name,
        "marginal_gain",
        GRID,
        budgets=BUDGETS,
        measures=NAMES,
        progress=lambda *now: seen.append(now),
    )
    with built_in.read() as connection:
        stored = read_questions(connection, queries.question_keys(connection, home.id))
    pools = [build_pool(one, relevance=None, frequencies=None).pool for one in stored]
    plain = sweep(pools, "marginal_gain", GRID, budgets=BUDGETS).columns(*NAMES)
    assert found.questions == tuple(pool.id for pool in pools)
    assert [budget for _, budget in found.settings] == [*BUDGETS, *BUDGETS]
    for name in NAMES:
        assert found.columns[name].shape == (240, 6)
        assert np.allclose(found.columns[name].ravel(), plain[name], equal_nan=True), name
    assert seen == [(100, 240), (200, 240), (240, 240)]
    with ThreadPoolExecutor(2) as executor:
        spread = sweep_stored(
            built_in, home.name, "marginal_gain", GRID, budgets=BUDGETS, executor=executor
        )
    for name in spread.columns:
        assert np.allclose(
            spread.columns[name].ravel(),
            sweep(pools, "marginal_gain", GRID, budgets=BUDGETS).columns(name)[name],
            equal_nan=True,
        )


def test_a_selector_that_needs_vectors_is_swept_as_well(built_in: Database):
    found = sweep_stored(built_in, "Charged twice", "mmr", {"lambda_": [0.3, 0.7]})
    assert found.columns["passages"].shape == (len(found.questions), 2)


def test_an_unknown_measure_or_collection_is_refused(built_in: Database):
    with pytest.raises(ValueError, match="no column 'nonsense'"):
        sweep_stored(built_in, "Charged twice", "top_k", {"k": [1]}, measures=("nonsense",))
    with pytest.raises(queries.NotStored):
        sweep_stored(built_in, "nothing", "top_k", {"k": [1]})
