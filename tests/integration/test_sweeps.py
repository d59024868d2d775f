"""A sweep over a stored collection is the sweep over its pools, whoever does the work."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import text

from selection import Budget
from selection.sweep import sweep
from storage import jobs, queries, sweeps
from storage.engine import Database
from storage.jobs import work
from storage.jobs.__main__ import main
from storage.jobs.kinds.sweep import Request, kept, read
from storage.pools import build_pool
from storage.stored import read_questions
from storage.sweeps import sweep_stored
from tests.integration.working import fill

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


REQUEST = Request(
    selector="marginal_gain",
    grid=(("min_new_claims", (1, 2)),),
    limits=((1000, None), (2500, None), (None, 3)),
    measures=NAMES,
)


@pytest.fixture
def mine(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    monkeypatch.setattr(work, "CHUNK", 10)
    fill(database, 25)
    return database


def queue(database: Database, request: Request = REQUEST) -> int:
    return jobs.submit(
        database, "sweep", "mine", request.document, title="a sweep", author="a tester"
    )


def test_a_sweep_runs_as_a_job_and_is_found_again(mine: Database, url: str):
    assert kept(mine, "mine", REQUEST) is None
    id = queue(mine)
    assert kept(mine, "mine", REQUEST).state == "queued"
    for executor in ("processes:2", "serial"):
        assert main(["--database", url, "--executor", executor]) == 0
        job = kept(mine, "mine", REQUEST)
        assert (job.id, job.state, job.done) == (id, "done", 25)
        found = read(mine, job)
        plain = sweep_stored(mine, "mine", "marginal_gain", GRID, budgets=BUDGETS, measures=NAMES)
        assert found.questions == plain.questions
        assert found.settings == plain.settings
        for name in NAMES:
            assert np.array_equal(found.columns[name], plain.columns[name], equal_nan=True)
        jobs.forget(mine, id)
        id = queue(mine)
    assert len(jobs.jobs(mine)) == 1


def test_a_sweep_of_other_data_is_not_found(mine: Database, url: str):
    queue(mine)
    main(["--database", url, "--executor", "serial"])
    fill(mine, 3, name="more")
    assert kept(mine, "mine", REQUEST) is not None
    remove = "UPDATE questions SET fingerprint = 'x' WHERE external_id = 'q1'"
    with mine.write() as connection:
        connection.execute(text(remove))
    assert kept(mine, "mine", REQUEST) is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"selector": "nonsense"}, "no selector"),
        ({"grid": (("min_new_claims", (-1,)),)}, "min_new_claims is -1"),
        ({"limits": ((-5, None),)}, "tokens"),
        ({"measures": ("nonsense",)}, "no column"),
    ],
)
def test_a_sweep_that_means_nothing_is_refused_at_once(mine: Database, changes: dict, said: str):
    with pytest.raises(ValueError, match=said):
        queue(mine, replace(REQUEST, **changes))


def test_old_sweeps_make_room(mine: Database, url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("storage.jobs.kinds.sweep.KEPT", 2)
    for k in (1, 2, 3):
        queue(mine, replace(REQUEST, grid=(("min_new_claims", (k,)),)))
    main(["--database", url, "--executor", "serial"])
    assert len(jobs.jobs(mine)) == 2
