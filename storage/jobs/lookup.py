"""Reading jobs: one, or those of a collection."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, Select, select

from storage import tables as t
from storage.engine import Database
from storage.jobs.view import JobView, State
from storage.jobs.worker import is_alive


def jobs(
    database: Database, *, collection: str | None = None, kind: str | None = None
) -> tuple[JobView, ...]:
    """Jobs, the newest first; of one collection or of all."""
    query = _query().order_by(t.jobs.c.id.desc())
    if collection is not None:
        query = query.where(t.collections.c.name == collection)
    if kind is not None:
        query = query.where(t.jobs.c.kind == kind)
    with database.read() as connection:
        return tuple(_view(row) for row in connection.execute(query))


def job(database: Database, id: int) -> JobView | None:
    """One job, or None where it is gone."""
    with database.read() as connection:
        row = connection.execute(_query().where(t.jobs.c.id == id)).first()
    return None if row is None else _view(row)


def _query() -> Select[Any]:
    return select(t.jobs, t.collections.c.name.label("collection")).join(
        t.collections, t.collections.c.id == t.jobs.c.collection_id
    )


def _view(row: Row[Any]) -> JobView:
    state: State = row.state
    if state == "running" and not is_alive(row.worker, row.beat_at):
        state = "stopped"
    return JobView(
        id=row.id,
        collection=row.collection,
        kind=row.kind,
        title=row.title,
        request=row.request,
        author=row.author,
        state=state,
        submitted_at=row.submitted_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        done=row.done,
        total=row.total,
        resumed_at=row.resumed_at,
        fingerprint=row.fingerprint,
        problem=row.problem,
        result=row.result,
    )
