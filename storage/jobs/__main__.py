"""The process that works the queue of jobs off: python -m storage.jobs. It ends with the queue."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor

from storage.engine import Database, DatabaseError
from storage.executors import ACCEPTED, executor
from storage.jobs.queue import Claimed, claim, fail
from storage.jobs.work import Lost, work_on
from storage.jobs.worker import this_worker
from storage.opening import open_database


def main(arguments: Sequence[str] | None = None) -> int:
    """Work on one job after the other until none waits; 0 done, 2 refused."""
    parser = argparse.ArgumentParser(prog="python -m storage.jobs", description=__doc__)
    parser.add_argument("--database", metavar="URL", help="else SELECTION_DATABASE_URL")
    parser.add_argument(
        "--executor", help=f"{ACCEPTED}; else SELECTION_EXECUTOR, else half of the processors"
    )
    options = parser.parse_args(arguments)
    try:
        database = open_database(options.database, samples=False)
    except DatabaseError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        while (job := claim(database, this_worker())) is not None:
            carry_out(database, job, options.executor)
    finally:
        database.close()
    return 0


def carry_out(database: Database, job: Claimed, wanted: str | None = None) -> None:
    """One job to its end; what goes wrong is said in its row."""
    try:
        with executor(wanted) as found:
            work_on(database, job, found)
    except Lost:
        return
    except ValueError as error:
        fail(database, job, str(error))
    except BrokenExecutor:
        fail(database, job, "A worker process ended without saying why; too little memory?")
    except MemoryError:
        fail(database, job, "There was not enough memory.")
    except Exception as error:
        traceback.print_exc()
        fail(database, job, f"It failed unexpectedly: {type(error).__name__}: {error}")


if __name__ == "__main__":
    raise SystemExit(main())
