"""A sweep of the published loop over a stored collection, from the database to what a page draws.

    python -m tests.benchmarks.stored_sweep [--questions 10000] [--database FILE]

Makes collections of 100, 1,000 and so many questions with 50 candidates each, sweeps 5 values of
min_new_claims under 8 budgets over each in a process of its own, draws the band of every mean by
bootstrap, and prints seconds, memory and the cost of one question. Wanted: under 10 s, under 1 GB,
and a cost that does not rise with the number. A file given with --database is used again.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from selection import Budget
from selection.significance import mean_bands
from storage.engine import HOME, connect
from storage.imports import import_records
from storage.opening import open_database
from storage.sweeps import sweep_stored
from tests.benchmarks.records import records

CANDIDATES = 50
SETTINGS = {"min_new_claims": [1, 2, 3, 4, 5]}
BUDGETS = tuple(Budget(tokens=n) for n in (500, 1000, 1500, 2000, 3000, 4000, 6000, 8000))
SECONDS, MEGABYTES = 10.0, 1000.0


def name_of(questions: int) -> str:
    return f"load {questions}"


def fill(url: str, sizes: list[int]) -> None:
    database = open_database(url, samples=False)
    for size in sizes:
        print(f"importing {size:,} questions", file=sys.stderr)
        import_records(
            database,
            records(size, candidates=CANDIDATES, seed=13),
            collection=name_of(size),
            format="jsonl",
            ranked=True,
        )
    database.close()


def measured(url: str, questions: int) -> dict[str, float]:
    """Seconds from an open database to the means with their bands, and the memory it took."""
    database = connect(url)
    start = time.perf_counter()
    found = sweep_stored(database, name_of(questions), "marginal_gain", SETTINGS, budgets=BUDGETS)
    read = time.perf_counter() - start
    for column in ("claim_recall", "tokens"):
        mean_bands(found.columns[column])
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000.0
    return {"sweep": read, "seconds": seconds, "megabytes": memory, "rows": len(found.questions)}


def apart(url: str, questions: int) -> dict[str, float]:
    """The same in a fresh process, so that its memory is its own."""
    words = [sys.executable, "-m", "tests.benchmarks.stored_sweep", "--one", str(questions)]
    done = subprocess.run(
        [*words, "--url", url], cwd=HOME, check=True, capture_output=True, text=True
    )
    return dict(json.loads(done.stdout))


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast a sweep over a stored collection is.")
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--database", type=Path, help="kept, and used again")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        print(json.dumps(measured(options.url, options.one)))
        return 0
    with tempfile.TemporaryDirectory(prefix="rank13-") as folder:
        file = options.database or Path(folder) / "sweep.sqlite"
        url, sizes = f"sqlite:///{file}", sorted({100, 1_000, options.questions})
        if not file.exists():
            fill(url, sizes)
        found = {size: apart(url, size) for size in sizes}
    return report(found)


def report(found: dict[int, dict[str, float]]) -> int:
    print("| questions | sweep, s | with the bands, s | ms a question | memory, MB |")
    print("|---|---|---|---|---|")
    for size, one in found.items():
        each = 1000.0 * one["sweep"] / size
        print(
            f"| {size:,} | {one['sweep']:.2f} | {one['seconds']:.2f} | {each:.2f} "
            f"| {one['megabytes']:.0f} |"
        )
    last = found[max(found)]
    kept = last["seconds"] < SECONDS and last["megabytes"] < MEGABYTES
    print(f"wanted: under {SECONDS:.0f} s and {MEGABYTES:.0f} MB: {'kept' if kept else 'MISSED'}")
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
