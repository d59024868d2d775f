"""The queue: putting jobs in, taking the next one out, and taking them back. Each in one write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from storage import queries
from storage import tables as t
from storage.engine import Database
from storage.jobs.kinds import kind_of
from storage.jobs.worker import check_shared, is_alive

AT_ONCE = 2
"""Jobs that run at the same time; further ones wait."""
ATTEMPTS = 5
"""Processes that may begin a job and end in the same chunk before it counts as failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """A job that this process may work on, as long as `worker` stands in its row."""

    id: int
    worker: str
    collection_id: int
    kind: str
    request: Mapping[str, Any]
    author: str
    fingerprint: str


def submit(
    database: Database,
    kind: str,
    collection: str,
    request: Mapping[str, Any],
    *,
    title: str,
    author: str,
) -> int:
    """Queue a job; returns its id, or that of an open one that asks for the same.

    :raises NotStored: for an unknown collection.
    :raises ValueError: in a sentence, for a request that cannot be carried out.
    """
    check_shared(database.url)
    kind_of(kind).check(database, collection, request)
    home = queries.collection(database, collection)
    j = t.jobs.c
    with database.write() as connection:
        same = connection.execute(
            select(j.id, j.request).where(
                j.collection_id == home.id, j.kind == kind, j.state.in_(("queued", "running"))
            )
        )
        for row in same:
            if row.request == dict(request):
                return int(row.id)
        key = connection.execute(
            insert(t.jobs).values(
                collection_id=home.id,
                kind=kind,
                title=title[:300],
                request=dict(request),
                author=author,
                state="queued",
                submitted_at=datetime.now(UTC),
                worker="",
                attempts=0,
                done=0,
                total=home.questions,
                resumed_at=0,
                fingerprint="",
                problem="",
                result="",
            )
        ).inserted_primary_key
    if key is None:
        raise AssertionError("an inserted row has a key")
    return int(key[0])


def claim(database: Database, worker: str) -> Claimed | None:
    """Take the oldest job that waits, or whose process is gone; None where there is nothing to do.

    A job goes on where its last finished chunk ended.
    """
    j = t.jobs.c
    with database.write() as connection:
        rows = connection.execute(
            # Where writers do not take turns (PostgreSQL), these rows are locked instead.
            select(t.jobs)
            .where(j.state.in_(("queued", "running")))
            .order_by(j.id)
            .with_for_update()
        ).all()
        alive = [
            row for row in rows if row.state == "running" and is_alive(row.worker, row.beat_at)
        ]
        if len(alive) >= AT_ONCE:
            return None
        for row in rows:
            if row in alive:
                continue
            if row.attempts >= ATTEMPTS:
                _give_up(connection, row)
                continue
            return _take(connection, row, worker)
    return None


def _give_up(connection: Connection, row: Row[Any]) -> None:
    _end(
        connection,
        row.id,
        state="failed",
        problem=f"Its process ended {row.attempts} times before it had finished another chunk of "
        "questions, without saying why; too little memory is the usual reason.",
    )


def _take(connection: Connection, row: Row[Any], worker: str) -> Claimed:
    done = kept_questions(connection, row.id)
    now = datetime.now(UTC)
    connection.execute(
        update(t.jobs)
        .where(t.jobs.c.id == row.id)
        .values(
            state="running",
            worker=worker,
            beat_at=now,
            started_at=now,
            attempts=row.attempts + 1,
            done=done,
            resumed_at=done,
        )
    )
    return Claimed(
        id=row.id,
        worker=worker,
        collection_id=row.collection_id,
        kind=row.kind,
        request=row.request,
        author=row.author,
        fingerprint=row.fingerprint,
    )


def kept_questions(connection: Connection, job: int) -> int:
    """How many questions the finished chunks of a job hold."""
    c = t.job_chunks.c
    total = connection.scalar(
        select(func.coalesce(func.sum(c.questions), 0)).where(c.job_id == job)
    )
    return int(total or 0)


def cancel(database: Database, job: int) -> bool:
    """Take a job back, whether it waits or runs; its process notices. False where it is over."""
    j = t.jobs.c
    with database.write() as connection:
        open_ = connection.scalar(
            select(j.id).where(j.id == job, j.state.in_(("queued", "running")))
        )
        if open_ is None:
            return False
        _end(connection, job, state="cancelled", problem="")
        return True


def _end(connection: Connection, job: int, *, state: str, problem: str) -> None:
    """End a job without a result. Chunks of a failed one are kept: it may go on."""
    if state == "cancelled":
        connection.execute(delete(t.job_chunks).where(t.job_chunks.c.job_id == job))
    connection.execute(
        update(t.jobs)
        .where(t.jobs.c.id == job)
        .values(state=state, problem=problem, worker="", ended_at=datetime.now(UTC))
    )


def fail(database: Database, job: Claimed, problem: str) -> None:
    """Say in a sentence why a job cannot be done, if it is still this worker's."""
    with database.write() as connection:
        if is_mine(connection, job):
            _end(connection, job.id, state="failed", problem=problem)


def is_mine(connection: Connection, job: Claimed) -> bool:
    """Whether a job is still this worker's: not cancelled, and not taken over."""
    j = t.jobs.c
    return (
        connection.scalar(
            select(j.id)
            .where(j.id == job.id, j.worker == job.worker, j.state == "running")
            .with_for_update()
        )
        is not None
    )


def go_on(database: Database, job: int) -> bool:
    """Queue a failed or cancelled job again; False where it is neither."""
    j = t.jobs.c
    with database.write() as connection:
        return (
            connection.execute(
                update(t.jobs)
                .where(j.id == job, j.state.in_(("failed", "cancelled")))
                .values(state="queued", problem="", attempts=0, ended_at=None)
            ).rowcount
            > 0
        )


def forget(database: Database, job: int) -> bool:
    """Delete a job that is over, with what it kept; its saved result stays."""
    j = t.jobs.c
    with database.write() as connection:
        return (
            connection.execute(
                delete(t.jobs).where(j.id == job, j.state.not_in(("queued", "running")))
            ).rowcount
            > 0
        )
