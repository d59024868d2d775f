"""Where chunks of a job are worked on: in this process, in several, or on a Dask cluster."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from selection.sweep import worker_pool
from selection.travel import code_fingerprint
from storage.jobs.queue import AT_ONCE

VARIABLE = "SELECTION_EXECUTOR"
ACCEPTED = "'serial', 'processes', 'processes:4' or 'dask://host:port'"
_PROCESSES = re.compile(r"processes(?::([1-9][0-9]{0,3}))?")
_DASK = re.compile(r"dask://(.+:[0-9]+)")


@contextmanager
def executor(wanted: str | None = None) -> Iterator[Executor | None]:
    """The executor that `wanted`, else SELECTION_EXECUTOR, names; None is this process itself.

    Without either: worker processes for this job's share of the processors, where that is two or
    more.

    :raises ValueError: for a name that means nothing, or a cluster that cannot be used.
    """
    name = (os.environ.get(VARIABLE, "") if wanted is None else wanted).strip()
    cluster = _DASK.fullmatch(name)
    if cluster is not None:
        with _dask(cluster[1]) as found:
            yield found
        return
    count = _workers(name)
    if count < 2:
        yield None
        return
    pool = worker_pool(count)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _workers(name: str) -> int:
    """How many processes a name asks for; 1 is this one."""
    if name == "serial":
        return 1
    found = _PROCESSES.fullmatch(name or "processes")
    if found is None:
        raise ValueError(f"{VARIABLE} is {name!r}; {ACCEPTED} is accepted.")
    return int(found[1] or max(1, (os.cpu_count() or 1) // AT_ONCE))


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise ValueError(
            f"{VARIABLE} names a Dask cluster, and Dask is not installed here: "
            'pip install "dask[distributed]".'
        ) from error
    try:
        client = distributed.Client(f"tcp://{address}", timeout=10, set_as_default=False)
    except OSError as error:
        raise ValueError(
            f"{VARIABLE} names a Dask scheduler at {address}, and none answers there."
        ) from error
    with client:
        _check_workers(client, address)
        # Not pure: Dask may otherwise take two calls that look alike for one.
        yield client.get_executor(pure=False, retries=1)


def _check_workers(client: Any, address: str) -> None:
    """Every worker must have this very code, or results would not be the same."""
    try:
        found = client.run(code_fingerprint)
    except Exception as error:
        raise ValueError(
            f"A worker of the Dask cluster at {address} cannot load this program ({error}); start "
            "workers with the project's folder on PYTHONPATH."
        ) from error
    if not found:
        raise ValueError(f"The Dask cluster at {address} has no workers.")
    strangers = [worker for worker, code in found.items() if code != code_fingerprint()]
    if strangers:
        raise ValueError(
            f"{len(strangers)} of {len(found)} workers of the Dask cluster at {address} have "
            f"another version of this program, {strangers[0]} for one."
        )
