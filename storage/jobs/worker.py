"""Which process works on a job, and whether it is still there."""

from __future__ import annotations

import os
import socket
import uuid
from datetime import UTC, datetime, timedelta

from sqlalchemy.engine import make_url

SILENCE = timedelta(seconds=60)
"""After this long without a sign a process counts as gone, wherever it runs."""


def this_worker() -> str:
    """A name for one run of this process: number, host, and a part that no other run has."""
    return f"{os.getpid()}@{socket.gethostname()}#{uuid.uuid4().hex[:8]}"


def check_shared(url: str) -> None:
    """Whether other processes can see a database.

    :raises ValueError: for one that lives in the memory of this process.
    """
    address = make_url(url)
    if address.get_backend_name() == "sqlite" and (
        not address.database or ":memory:" in address.database
    ):
        raise ValueError("A database in memory has no jobs: no other process can see it.")


def is_alive(worker: str, beat_at: datetime | None) -> bool:
    """Whether a worker is at work: its process is there, and it has said so lately."""
    if beat_at is None or datetime.now(UTC) - beat_at > SILENCE:
        return False
    process, _, rest = worker.partition("@")
    if rest.partition("#")[0] != socket.gethostname():
        return True
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:
        return True
    return True
