"""The Tuning page on a large stored collection, from its address to a finished page.

    python -m tests.benchmarks.tuning_page [--questions 10000] [--database FILE]

Opens it twice, cold and with everything kept, and prints seconds and the memory of the process. A
file given with --database is used again.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

from storage.opening import open_database
from tests.benchmarks.stored_sweep import fill, name_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--database", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = options.database or Path(folder) / "load.db"
        url = f"sqlite:///{file}"
        if not file.exists():
            fill(url, [options.questions])
        open_database(url, samples=False).close()
        os.environ["SELECTION_DATABASE_URL"] = url
        from tests.pages.rooms import open_page

        for state in ("cold", "kept"):
            start = time.perf_counter()
            page = open_page("tuning", c=name_of(options.questions))
            took = time.perf_counter() - start
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            failed = "failed: " if page.exception else ""
            print(f"{failed}{state}: {took:.1f} s, {memory:,.0f} MB at most so far")


if __name__ == "__main__":
    main()
