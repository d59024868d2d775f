"""Starting the process that works the queue off, from a page or from the command line."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

from sqlalchemy import select

from selection.sweep import ONE_THREAD
from storage import tables as t
from storage.engine import HOME, Database
from storage.jobs.queue import AT_ONCE
from storage.jobs.worker import is_alive

PATIENCE = 10.0
"""Seconds that a process gets to take a job before another one is started."""
_started: dict[str, float] = {}
_lock = threading.Lock()


def start(database: Database) -> bool:
    """Start a process where a job waits that nobody takes; returns whether one was started.

    It goes on when this process ends. Called again and again (by a page that shows jobs), it also
    brings back a job whose process was killed.
    """
    if not _is_wanted(database):
        return False
    with _lock:
        now = time.monotonic()
        if now - _started.get(database.url, -PATIENCE) < PATIENCE:
            return False
        _started[database.url] = now
    process = subprocess.Popen(
        [sys.executable, "-m", "storage.jobs"],
        cwd=HOME,
        env=environment(database.url),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    # Somebody must take note of its end, or it stays in the list of processes.
    threading.Thread(target=process.wait, daemon=True).start()
    return True


def environment(url: str) -> dict[str, str]:
    """What a process of jobs is started with. The address may hold a password: not an argument."""
    path = os.pathsep.join(filter(None, (str(HOME), os.getcwd(), os.environ.get("PYTHONPATH"))))
    threads = dict.fromkeys(ONE_THREAD, "1")
    return {**os.environ, **threads, "PYTHONPATH": path, "SELECTION_DATABASE_URL": url}


def _is_wanted(database: Database) -> bool:
    j = t.jobs.c
    with database.read() as connection:
        rows = connection.execute(
            select(j.state, j.worker, j.beat_at).where(j.state.in_(("queued", "running")))
        ).all()
    alive = [row for row in rows if row.state == "running" and is_alive(row.worker, row.beat_at)]
    return len(alive) < min(AT_ONCE, len(rows))
