"""The sign of life of a running job, and how it learns that it was cancelled."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from types import TracebackType

from sqlalchemy import select, update
from sqlalchemy.exc import DBAPIError

from storage import tables as t
from storage.engine import Database
from storage.jobs.queue import Claimed

EVERY = 0.5
"""Seconds between two looks at the job's row."""
WRITE = 10
"""Looks after which it is written even where nothing got done."""


class Beat:
    """A thread that writes how far a job is, and sets `lost` once it is not this worker's any more.

    did: called with questions as they get finished.
    """

    def __init__(self, database: Database, job: Claimed) -> None:
        self.lost = threading.Event()
        self._database = database
        self._job = job
        self._done = self._written = 0
        self._looks = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="beat")

    def __enter__(self) -> Beat:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def begin(self, done: int) -> None:
        """Count from here: questions that are finished already."""
        self._done = self._written = done

    def did(self, questions: int) -> None:
        self._done += questions

    def _run(self) -> None:
        while not self._over.wait(EVERY):
            try:
                self._look()
            except DBAPIError:
                # A database that is busy for once is no reason to stop; the next look tells.
                continue

    def _look(self) -> None:
        j = t.jobs.c
        mine = (j.id == self._job.id, j.worker == self._job.worker, j.state == "running")
        self._looks += 1
        done = self._done
        if done == self._written and self._looks % WRITE:
            with self._database.read() as connection:
                held = connection.scalar(select(j.id).where(*mine)) is not None
        else:
            beat = update(t.jobs).where(*mine).values(done=done, beat_at=datetime.now(UTC))
            with self._database.write() as connection:
                held = connection.execute(beat).rowcount > 0
            self._written = done
        if not held and not self._over.is_set():
            self.lost.set()
