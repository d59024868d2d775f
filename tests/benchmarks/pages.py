"""How fast the pages are with 10,000 questions stored, in a headless Chromium.

    python -m tests.benchmarks.pages [--questions 10000] [--candidates 20] [--database FILE]

Makes two collections from a seed in one database, a large one and one of 40 questions, serves it,
and prints a table: the median and the worst of some repetitions, and what is wanted. A file given
with --database is kept, and used again where it is there already. Nothing here is a timed test:
figures belong to the machine they were taken on.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page

from storage.imports import import_records
from storage.opening import open_database
from tests.benchmarks.records import records
from tests.browser import screens, serving

LARGE, SMALL = "Large", "Small"
SMALL_QUESTIONS = 40
SEED = 13
REPEATS = 7
SCREEN = {"width": 1280, "height": 800}


@dataclass
class Timing:
    """Seconds of one kind of wait. wanted: what a person should not wait longer than."""

    what: str
    wanted: float | None = None
    seconds: list[float] = field(default_factory=list)

    @contextmanager
    def taken(self) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds.append(time.perf_counter() - start)

    @property
    def line(self) -> str:
        middle = statistics.median(self.seconds)
        wanted = "" if self.wanted is None else f"{self.wanted:.1f}"
        verdict = "" if self.wanted is None else "kept" if middle < self.wanted else "MISSED"
        count = len(self.seconds)
        worst = max(self.seconds)
        return f"{self.what:<68}{middle:>8.2f}{worst:>8.2f}{count:>4}{wanted:>8}  {verdict}"


def main() -> int:
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="rank13-") as folder:
        file = options.database or Path(folder) / "pages.sqlite"
        timings = [] if file.exists() else filled(file, options.questions, options.candidates)
        log = Path(folder) / "server.log"
        with serving.dashboard(file, log=log) as base, serving.browser() as chromium:
            timings += measured(chromium, base, options.questions, options.repeats)
    report(timings, size=file)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How fast the pages are.")
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--candidates", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--database", type=Path, help="kept, and used again")
    return parser.parse_args()


def filled(file: Path, questions: int, candidates: int) -> list[Timing]:
    """Import both collections; how long that took."""
    timings = []
    database = open_database(serving.database_url(file), samples=False)
    for name, count in ((LARGE, questions), (SMALL, SMALL_QUESTIONS)):
        timing = Timing(f"import of {count:,} questions x {candidates} texts (everything computed)")
        with timing.taken():
            import_records(
                database,
                records(count, candidates=candidates, seed=SEED),
                collection=name,
                format="jsonl",
                ranked=True,
                made_up=True,
                seed=SEED,
                progress=ticked,
            )
        timings.append(timing)
    database.close()
    return timings


def ticked(read: int) -> None:
    if read % 1000 == 0:
        print(f"{read:,} questions read", file=sys.stderr)


def measured(chromium: Browser, base: str, questions: int, repeats: int) -> list[Timing]:
    """Every wait on the pages; one round before it warms the server up and does not count."""
    visits: tuple[Callable[..., Iterator[Timing]], ...] = (question_page, changes, question_list)
    timings: list[Timing] = []
    for visit in visits:
        for name, count in ((LARGE, questions), (SMALL, SMALL_QUESTIONS)):
            list(visit(chromium, base, name, count, 1))
            timings += visit(chromium, base, name, count, repeats)
    return timings


@contextmanager
def visitor(chromium: Browser) -> Iterator[Page]:
    """A browser profile of its own: nothing of the dashboard is in its cache."""
    context = chromium.new_context(viewport=SCREEN)
    context.set_default_timeout(60_000)
    try:
        yield context.new_page()
    finally:
        context.close()


def question_page(
    chromium: Browser, base: str, name: str, count: int, repeats: int
) -> Iterator[Timing]:
    """From typing an address to a ledger on screen, a question nobody has opened yet each time."""
    first = Timing(f"Question page, new visitor, until the ledger stands ({name.lower()})", 3.0)
    for turn in range(repeats):
        place = (turn + repeats) * 7919 % count
        with visitor(chromium) as page, first.taken():
            page.goto(f"{base}/question?c={name}&q=q{place:06d}")
            screens.ledger(page).wait_for()
    yield first


def changes(chromium: Browser, base: str, name: str, count: int, repeats: int) -> Iterator[Timing]:
    """From the key press to the changed figures, on a question that is open."""
    again = Timing(f"Question page, changed parameter redrawn ({name.lower()})", 0.7)
    onward = Timing(f"Question page, next question ({name.lower()})", 0.7)
    with visitor(chromium) as page:
        screens.go(page, base, "question", c=name, s=["top_k(k=20)", "marginal_gain"])
        page.get_by_role("button", name=re.compile(r"^\d marginal gain")).click()
        box = page.get_by_role("spinbutton", name=re.compile("min new claims", re.IGNORECASE))
        for turn in range(repeats):
            box.fill(str(2 + turn + repeats))
            with again.taken():
                box.press("Enter")
                redrawn(page, f"marginal gain, min new claims {2 + turn + repeats}")
            screens.settled(page)
        page.keyboard.press("Escape")
        for turn in range(repeats):
            with onward.taken():
                page.keyboard.press("n")
                page.get_by_text(f"{turn + 2:,} of {count:,}").wait_for()
                page.wait_for_function(UNSTALE)
            screens.settled(page)
    yield again
    yield onward


UNSTALE = """() => !document.querySelector('[data-stale="true"]')"""
"""No part of the page is still that of the run before."""

BOTH_TABLES = """(words) => {
  const tables = [...document.querySelectorAll('table')].map((one) => one.innerText);
  return tables.length > 1 && tables.filter((one) => one.includes(words)).length > 1;
}"""


def redrawn(page: Page, words: str) -> None:
    """Wait until the head lines and the ledger, which is drawn last, both say it."""
    page.wait_for_function(BOTH_TABLES, arg=words)


def question_list(
    chromium: Browser, base: str, name: str, count: int, repeats: int
) -> Iterator[Timing]:
    """The list: opened, opened in the middle of another order, searched."""
    opened = Timing(f"Questions page, new visitor, until the rows stand ({name.lower()})", 3.0)
    deep = Timing(
        f"Questions page, most repeated first, a page in the middle ({name.lower()})", 3.0
    )
    searched = Timing(f"Questions page, searched ({name.lower()})", 0.7)
    for turn in range(repeats):
        with visitor(chromium) as page, deep.taken():
            page.goto(f"{base}/questions?c={name}&sort=redundancy&down=1&page={count // 100}")
            page.get_by_role("region", name="Questions, one a row").wait_for()
        with visitor(chromium) as page:
            with opened.taken():
                page.goto(f"{base}/questions?c={name}")
                page.get_by_role("region", name="Questions, one a row").wait_for()
            screens.settled(page)
            find = page.get_by_role("textbox", name="Find")
            find.fill(f"case {turn + 1}")
            before = page.get_by_text(f"{count:,} of {count:,}")
            with searched.taken():
                find.press("Enter")
                before.wait_for(state="detached")
                page.wait_for_function(UNSTALE)
    yield from (opened, deep, searched)


def report(timings: list[Timing], *, size: Path) -> None:
    print(f"{'seconds':<68}{'median':>8}{'worst':>8}{'n':>4}{'wanted':>8}")
    for timing in timings:
        print(timing.line)
    if size.exists():
        print(f"database: {size.stat().st_size / 1e6:,.0f} MB")


if __name__ == "__main__":
    raise SystemExit(main())
