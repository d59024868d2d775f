"""Jobs in tests: a collection of plain questions, a job over it, and the process it runs in."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

from selection import Budget
from selection.registry import parse_selector
from storage import jobs
from storage.compare import compare
from storage.engine import HOME, Database
from storage.imports import import_records
from storage.jobs.kinds.comparison import Request
from storage.jobs.starting import environment
from storage.jobs.view import JobView
from storage.records import Fact, PassageRecord, QuestionRecord, Support

PLUGIN = "tests.integration.slow_selector"
QUICK = ("top_k(k=2)", "marginal_gain")


def fill(database: Database, questions: int, *, name: str = "mine") -> None:
    """A collection of small questions that differ from each other."""
    records = (
        QuestionRecord(
            id=f"q{at}",
            question=f"What costs {at}?",
            passages=(
                PassageRecord(id="a", text=f"It costs {at} euro. It is new.", supports=()),
                PassageRecord(id="b", text=f"It costs {at} euro.", supports=()),
                PassageRecord(id="c", text="It is red.", supports=(Support(fact="f"),)),
            ),
            facts=(Fact(id="f", text="red"),),
        )
        for at in range(questions)
    )
    import_records(database, records, collection=name, format="jsonl", ranked=True)


def ask(
    database: Database, selectors: tuple[str, ...] = QUICK, *, name: str = "kept", in_: str = "mine"
) -> int:
    """Queue a comparison."""
    request = Request(name=name, selectors=selectors, tokens=20)
    return jobs.submit(database, "comparison", in_, request.document, title=name, author="a tester")


def process(url: str, *, executor: str = "serial") -> subprocess.Popen[bytes]:
    """The process that works the queue off."""
    return subprocess.Popen(
        [sys.executable, "-m", "storage.jobs"],
        cwd=HOME,
        env={
            **environment(url),
            "SELECTION_PLUGINS": PLUGIN,
            "SELECTION_EXECUTOR": executor,
        },
    )


def wait_for(
    database: Database, id: int, when: Callable[[JobView], bool], *, seconds: float = 60
) -> JobView:
    """The job as soon as it is in some state."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        view = jobs.job(database, id)
        assert view is not None
        if when(view):
            return view
        time.sleep(0.01)
    raise AssertionError(f"still {view}")


def kept_rows(database: Database, name: str = "kept") -> list[tuple]:
    """Every stored result of a comparison, in the order in which it was stored."""
    from sqlalchemy import select

    from storage import tables as t

    r, c = t.results.c, t.comparisons.c
    with database.read() as connection:
        return [
            (row.question, row.selector, row.ranks, row.measures, row.fingerprint)
            for row in connection.execute(
                select(t.results)
                .join(t.comparisons, c.id == r.comparison_id)
                .where(c.name == name)
                .order_by(r.id)
            )
        ]


def expected_rows(database: Database, selectors: tuple[str, ...] = QUICK) -> list[tuple]:
    """What the same comparison gives in one go."""
    made = [parse_selector(one) for one in selectors]
    found = compare(database, "mine", made, Budget(tokens=20))
    return [
        (
            row.question,
            row.selector,
            list(row.ranks),
            row.measures,
            found.fingerprints[row.question],
        )
        for row in found.rows
    ]
