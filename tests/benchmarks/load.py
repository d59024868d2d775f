"""Many at once: clients on one server, speaking its protocol, while somebody saves.

    python -m tests.benchmarks.load [--clients 40] [--seconds 120] [--thinking 10]

Serves the built-in collections on loopback. Every client opens one page after another, as a browser
would, and waits for the end of its run; one more thread gives verdicts, and a comparison runs as a
job, again and again. Prints how long runs took, what the server's memory did, and whether every
verdict that was given is there. Stops by itself.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from storage.engine import Database
from storage.jobs import jobs, start, submit
from storage.jobs.kinds.comparison import Request
from storage.opening import open_database
from storage.reviews import add_review, reviews
from storage.upkeep import check
from tests.browser import serving

COLLECTION = "Help-centre regressions"
PAGES = ("", "questions", "question", "regressions", "comparisons", "story", "data")
PATIENCE = 60.0
THINKING = 10.0
"""Seconds that a person looks at a page on average."""
WANTED = 3.0
SEED = 13


@dataclass
class Seen:
    """What clients saw: seconds of each run, what went wrong, verdicts that were acknowledged."""

    seconds: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    given: int = 0
    submitted: int = 0


def client(base: str, number: int, until: float, thinking: float, seen: Seen) -> None:
    """One person: page after page, each in a session of its own as after a reload."""
    chance = random.Random(SEED + number)
    while time.monotonic() < until:
        page = chance.choice(PAGES)
        query = {"c": COLLECTION}
        if page == "question":
            query["q"] = f"hc-{chance.randint(1, 240):03d}"
        try:
            seen.seconds.append(opened(base, page, urlencode(query)))
        except Exception as problem:
            seen.problems.append(f"{page}: {type(problem).__name__}: {problem}")
        time.sleep(chance.expovariate(1 / thinking))


def opened(base: str, page: str, query: str) -> float:
    """Seconds from asking for a page to the end of its run.

    :raises RuntimeError: where the page showed an exception or did not end well.
    """
    host = urlsplit(base).netloc
    with connect(
        f"ws://{host}/_stcore/stream", origin=base, max_size=None, subprotocols=["streamlit"],
        open_timeout=PATIENCE,
    ) as socket:  # fmt: skip
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        started = time.perf_counter()
        socket.send(message.SerializeToString())
        while True:
            data = socket.recv(timeout=PATIENCE)
            said = ForwardMsg.FromString(data if isinstance(data, bytes) else data.encode())
            kind = said.WhichOneof("type")
            if kind == "delta" and said.delta.new_element.WhichOneof("type") == "exception":
                raise RuntimeError(said.delta.new_element.exception.message)
            if kind == "script_finished":
                if said.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    continue
                if said.script_finished != ForwardMsg.FINISHED_SUCCESSFULLY:
                    raise RuntimeError(f"the run ended with {said.script_finished}")
                return time.perf_counter() - started


def reviewer(database: Database, until: float, seen: Seen) -> None:
    """Somebody who gives a verdict every tenth of a second."""
    while time.monotonic() < until:
        question = f"hc-{seen.given % 240 + 1:03d}"
        try:
            add_review(database, COLLECTION, [question], verdict="crowded out", reviewer="load")
            seen.given += 1
        except Exception as problem:
            seen.problems.append(f"verdict: {type(problem).__name__}: {problem}")
        time.sleep(0.1)


def sweeper(database: Database, until: float, seen: Seen) -> None:
    """Comparisons as jobs, three at a time: what does not run waits."""
    while time.monotonic() < until:
        if sum(job.is_open for job in jobs(database, kind="comparison")) < 3:
            seen.submitted += 1
            request = Request(
                name=f"load {seen.submitted}", selectors=("mmr(lambda_=0.5, clip=False)",),
                tokens=1000, passages=None, relevance=None, note="", replace=True,
            )  # fmt: skip
            submit(
                database, "comparison", COLLECTION, request.document,
                title=request.name, author="load",
            )  # fmt: skip
        start(database)
        time.sleep(1)


def megabytes(process: int) -> float:
    """Memory that a process holds."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def run(clients: int, seconds: float, thinking: float, folder: Path) -> int:
    path = folder / "load.sqlite"
    serving.command_line(path, "collections")
    port = serving.free_port()
    log = folder / "server.log"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    with log.open("wb") as output, subprocess.Popen(
        [*command, "--server.port", str(port)], cwd=serving.ROOT,
        env=serving.environment(path), stdout=output, stderr=subprocess.STDOUT,
    ) as server:  # fmt: skip
        try:
            base = f"http://127.0.0.1:{port}"
            serving.wait_until_healthy(base, server, log)
            opened(base, "question", urlencode({"c": COLLECTION}))
            return measured(
                base, path, server.pid, clients=clients, seconds=seconds, thinking=thinking
            )
        finally:
            server.terminate()


def measured(
    base: str, path: Path, process: int, *, clients: int, seconds: float, thinking: float
) -> int:
    database = open_database(serving.database_url(path))
    seen, before = Seen(), megabytes(process)
    until = time.monotonic() + seconds
    threads = [
        threading.Thread(target=client, args=(base, number, until, thinking, seen))
        for number in range(clients)
    ]
    threads += [
        threading.Thread(target=work, args=(database, until, seen)) for work in (reviewer, sweeper)
    ]
    for thread in threads:
        thread.start()
    peak = before
    while any(thread.is_alive() for thread in threads):
        peak = max(peak, megabytes(process))
        time.sleep(1)
    stored = sum(len(one.history) for one in reviews(database, COLLECTION).values())
    lost = seen.given - stored
    sound = check(database).problems
    database.close()
    ordered = sorted(seen.seconds)
    p95 = ordered[int(0.95 * len(ordered))]
    print(f"clients {clients}, {seconds:.0f} s, {thinking:g} s between pages")
    print(f"{len(ordered):,} runs of pages")
    print(f"seconds a run: median {statistics.median(ordered):.2f}, p95 {p95:.2f} "
          f"(wanted under {WANTED}), worst {ordered[-1]:.2f}")  # fmt: skip
    print(f"memory of the server: {before:.0f} MB before, {peak:.0f} MB at most")
    print(f"verdicts given {seen.given:,}, lost {lost}; jobs submitted {seen.submitted}")
    print(f"errors {len(seen.problems)}, problems of the database {len(sound)}")
    for problem in sorted(set(seen.problems))[:10]:
        print(f"  {problem[:200]}")
    return 0 if not seen.problems and not lost and not sound and p95 < WANTED else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--clients", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--thinking", type=float, default=THINKING)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return run(options.clients, options.seconds, options.thinking, Path(folder))


if __name__ == "__main__":
    raise SystemExit(main())
