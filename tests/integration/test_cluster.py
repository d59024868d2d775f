"""The same results on every executor: this process, worker processes, a Dask cluster."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from selection import Budget, make_selector
from selection.sweep import sweep
from selection.travel import light
from selection.trial import trial
from storage import jobs
from storage.engine import HOME, Database
from storage.executors import executor
from storage.reading import pools_of
from tests.integration.working import ask, expected_rows, fill, kept_rows, process
from tests.unit.pools import worked_example

ENTRY = "import sys; from distributed.cli.dask_{0} import main; sys.argv[0] = '{0}'; main()"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _dask(part: str, *words: str, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", ENTRY.format(part), *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(HOME)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def cluster(folder: Path, *, workers: int = 2) -> Iterator[str]:
    """A real scheduler with workers, on this machine only."""
    port = free_port()
    address = f"127.0.0.1:{port}"
    started = [
        _dask(
            "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", folder=folder
        )
    ]
    try:
        for _ in range(workers):
            words = (f"tcp://{address}", "--host", "127.0.0.1", "--nthreads", "1", "--no-dashboard")
            started.append(_dask("worker", *words, folder=folder))
        _wait(address, workers)
        yield f"dask://{address}"
    finally:
        for one in reversed(started):
            one.terminate()
        for one in started:
            one.wait(30)


def _wait(address: str, workers: int) -> None:
    from distributed import Client

    end = time.monotonic() + 60
    while True:
        try:
            with Client(f"tcp://{address}", timeout=5, set_as_default=False) as client:
                client.wait_for_workers(workers, timeout=60)
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def everything(database: Database, wanted: str) -> list[object]:
    """Sweeps and trials of several kinds of selectors, on one executor."""
    with database.read() as connection:
        from storage import queries

        keys = queries.question_keys(connection, 1)
    needs = {"claims", "score", "similarity", "texts"}
    pools = pools_of(database, 1, keys, needs=needs, relevance=None)
    found: list[object] = []
    with executor(wanted) as one:
        for name, grid in (
            ("marginal_gain", {"min_new_claims": [1, 2]}),
            ("mmr", {"lambda_": [0.3, 0.7]}),
            ("near_duplicate", {"threshold": [0.5, 0.9]}),
            ("log_det", {}),
        ):
            rows = sweep(pools, name, grid, budgets=[Budget(tokens=20)], executor=one).rows
            found += [rows.flat.tolist(), rows.counts.tolist(), rows.tokens.tolist()]
        if one is not None:
            made = [make_selector("optimum"), make_selector("aspect_coverage")]
            parts = [pools[at : at + 100] for at in range(0, len(pools), 100)]
            waiting = [one.submit(trial, part, made, Budget(tokens=20)) for part in parts]
            found.append([row for task in waiting for row in task.result()])
        else:
            made = [make_selector("optimum"), make_selector("aspect_coverage")]
            found.append(trial(pools, made, Budget(tokens=20)))
    return found


@pytest.mark.heavy
@pytest.mark.timeout(600)
def test_a_cluster_of_two_workers_gives_what_this_process_gives(
    database: Database, url: str, tmp_path: Path
):
    fill(database, 250)
    plain = everything(database, "serial")
    assert everything(database, "processes:2") == plain
    with cluster(tmp_path) as address:
        assert everything(database, address) == plain
        id = ask(database)
        assert process(url, executor=address).wait(120) == 0
    view = jobs.job(database, id)
    assert view is not None
    assert (view.state, view.problem) == ("done", "")
    assert kept_rows(database) == expected_rows(database)


def test_worker_processes_give_what_one_go_gives(database: Database, url: str):
    fill(database, 120)
    ask(database)
    assert process(url, executor="processes:2").wait(60) == 0
    assert kept_rows(database) == expected_rows(database)


def test_a_cluster_that_does_not_answer_is_said_in_a_sentence():
    if not _has_dask():
        pytest.skip("Dask is not installed")
    with (
        pytest.raises(ValueError, match="none answers"),
        executor(f"dask://127.0.0.1:{free_port()}"),
    ):
        pass


def _has_dask() -> bool:
    from importlib.util import find_spec

    return find_spec("distributed") is not None


def test_only_what_is_read_travels():
    pool = worked_example()
    sent = light(pool, {"claims"})
    assert sent.texts == ("",) * len(pool)
    assert sent.question == ""
    assert not sent.has_similarity
    assert "passages" not in sent.__dict__
    chosen = make_selector("marginal_gain")
    assert trial([sent], [chosen], Budget(tokens=2000)) == trial(
        [pool], [chosen], Budget(tokens=2000)
    )
    assert np.array_equal(sent.support_bits.words, pool.support_bits.words)
    assert light(pool, {"texts"}).texts == pool.texts
