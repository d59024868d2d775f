"""Killed without warning, at any moment: what was stored is whole, what was promised is there."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import insert

from storage import tables as t
from storage.engine import Database
from storage.opening import open_database
from storage.queries import collections
from storage.reviews import reviews
from storage.upkeep import check
from tests.conftest import HEAVY_SEED, ROOT

QUESTIONS = 60
KILLS = 100

REVIEWER = """
import sys
from storage.opening import open_database
from storage.reviews import add_review
database = open_database(sys.argv[1], samples=False)
for number in range(10_000):
    add_review(database, "kept", ["q0"], verdict=f"verdict {number}", reviewer="Ada")
    print(number, flush=True)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of questions whose import takes about a second."""
    path = tmp_path / "many.jsonl"
    words = ["refund", "hold", "card", "days", "order", "parcel", "sale", "label"]
    with path.open("w", encoding="utf-8") as out:
        for number in range(QUESTIONS):
            texts = [
                f"{words[(number + at) % 8]} {number}. {words[at % 8]} within {at} days."
                for at in range(30)
            ]
            record = {"id": f"q{number}", "question": f"Which {number}?", "passages": texts}
            out.write(json.dumps(record) + "\n")
    return path


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A database that holds nothing, and that the command line leaves without samples."""
    url = f"sqlite:///{tmp_path / 'killed.sqlite'}"
    database = opened(url)
    with database.write() as connection:
        connection.execute(insert(t.settings).values(key="samples", value="loaded"))
    database.close()
    return url


def opened(url: str) -> Database:
    return open_database(url, samples=False)


def killed(command: list[str], *, after: float) -> tuple[bool, str]:
    """Run a command and kill it; whether the kill came before its end, and what it had said."""
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=after)
        return False, said
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        return True, said


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_an_import_that_is_killed_is_whole_or_absent(url: str, file: Path) -> None:
    def command(name: str) -> list[str]:
        return ["-m", "storage", "import", str(file), "--collection", name, "--database", url]

    started = time.monotonic()
    assert not killed(command("first"), after=120)[0]
    whole = time.monotonic() - started
    chance = random.Random(HEAVY_SEED)
    finished = {"first"}
    for number in range(KILLS):
        name = f"c{number}"
        early, _ = killed(command(name), after=chance.uniform(0.2, 1.1) * whole)
        if not early:
            finished.add(name)
        database = opened(url)
        stored = collections(database)
        assert {one.questions for one in stored} == {QUESTIONS}, name
        assert finished <= {one.name for one in stored}, name
        database.close()
    database = opened(url)
    assert check(database).problems == ()
    database.close()
    assert len(finished) < KILLS


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_every_acknowledged_verdict_is_there_after_a_kill(url: str, tmp_path: Path) -> None:
    small = tmp_path / "small.jsonl"
    small.write_text('{"id": "q0", "question": "Why?", "passages": ["Because."]}\n', "utf-8")
    started = ["-m", "storage", "import", str(small), "--collection", "kept", "--database", url]
    assert killed(started, after=60) == (False, "kept: 1 questions added.\n")
    chance = random.Random(HEAVY_SEED)
    promised = 0
    for _ in range(KILLS):
        early, said = killed(["-c", REVIEWER, url], after=0.9 + chance.random())
        assert early
        promised += len(said.splitlines())
        database = opened(url)
        stored = len(reviews(database, "kept")["q0"].history) if promised else 0
        database.close()
        # One more may be stored whose word did not get out.
        assert stored >= promised
        promised = stored
    database = opened(url)
    assert check(database).problems == ()
    database.close()
    assert promised > KILLS


@pytest.mark.heavy
@pytest.mark.timeout(300)
def test_a_disk_without_room_is_said_and_leaves_nothing_half_written(url: str, file: Path) -> None:
    limit = f"ulimit -f 400; exec {sys.executable} -m storage import {file} --collection c"
    started = time.monotonic()
    done = subprocess.run(
        ["bash", "-c", f"trap '' XFSZ; {limit} --database {url}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "Nothing was stored" in done.stderr
    assert time.monotonic() - started < 60
    database = opened(url)
    assert collections(database) == ()
    assert check(database).problems == ()
    database.close()
