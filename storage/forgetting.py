"""Deleting questions for good, in every table that holds something of them.

A question is found by its id, or by one value of its metadata: all that was stored of one customer.
What SQLite frees is overwritten, so that the texts are not in the file any more either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, select, update

from storage import deeds, queries, writes
from storage import tables as t
from storage.engine import Database
from storage.terms import store_frequencies

CHUNK = 500
BACKUPS = "Backups and files that were taken away before still hold them; delete those yourself."


class Busy(ValueError):
    """A job is at work on the questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What was deleted, by table; rows of the question itself go with it and are not counted."""

    collection: str
    questions: int
    results: int
    reviews: int
    cases: int

    def __str__(self) -> str:
        return (
            f"{self.collection}: {deeds.counted(self.questions, 'question')} deleted, with "
            f"{deeds.counted(self.results, 'result')} of comparisons, "
            f"{deeds.counted(self.reviews, 'verdict')} and {deeds.counted(self.cases, 'case')} of "
            f"the gate. {BACKUPS}"
        )


def matching(
    database: Database, collection: str, *, question: str = "", where: tuple[str, str] | None = None
) -> tuple[str, ...]:
    """Ids of the questions that an id or one value of the metadata names.

    :raises NotStored: for an unknown collection.
    """
    home = queries.collection(database, collection)
    q = t.questions.c
    wanted = q.external_id == question if question else q.external_id.is_not(None)
    with database.read() as connection:
        rows = connection.execute(
            select(q.external_id, q.metadata).where(q.collection_id == home.id, wanted)
        ).all()
    return tuple(
        row.external_id for row in rows if where is None or _says(row.metadata.get(where[0]), where)
    )


def _says(value: object, where: tuple[str, str]) -> bool:
    values = value if isinstance(value, list) else [value]
    return any(str(one) == where[1] for one in values if one is not None)


def forget(database: Database, collection: str, questions: Sequence[str]) -> Forgotten:
    """Delete questions of a collection wherever they stand, in one transaction.

    Results in saved comparisons go as well, so that the means of those change.

    :raises NotStored: for an unknown collection. :raises Busy: while a job runs on it.
    """
    home = queries.collection(database, collection)
    with database.write() as connection:
        j = t.jobs.c
        open_jobs = j.state.in_(("queued", "running"))
        if connection.scalar(select(j.id).where(j.collection_id == home.id, open_jobs).limit(1)):
            raise Busy(
                f"A job is at work on {collection!r}; cancel it or wait. Nothing was deleted."
            )
        # What ended jobs have kept in chunks may hold these questions, and nobody needs it.
        ended = select(j.id).where(j.collection_id == home.id)
        connection.execute(delete(t.job_chunks).where(t.job_chunks.c.job_id.in_(ended)))
        found = _delete(connection, home.id, collection, questions)
        deeds.record(
            connection,
            who=database.who,
            deed="deleted questions",
            collection=collection,
            what=deeds.counted(found.questions, "question"),
        )
    store_frequencies(database, home.id)
    database.wipe()
    return found


def _delete(
    connection: Connection, home: int, collection: str, questions: Sequence[str]
) -> Forgotten:
    c = t.comparisons.c
    saved = select(c.id).where(c.collection_id == home)
    counts = [0, 0, 0, 0, 0]
    named = [
        one
        for one in t.metadata.sorted_tables
        if {"collection_id", "question"} <= set(one.c.keys()) and one not in (t.reviews, t.cases)
    ]
    for start in range(0, len(questions), CHUNK):
        some = list(questions[start : start + CHUNK])
        statements = (
            delete(t.questions).where(
                t.questions.c.collection_id == home, t.questions.c.external_id.in_(some)
            ),
            delete(t.results).where(
                t.results.c.comparison_id.in_(saved), t.results.c.question.in_(some)
            ),
            delete(t.reviews).where(
                t.reviews.c.collection_id == home, t.reviews.c.question.in_(some)
            ),
            delete(t.cases).where(t.cases.c.collection_id == home, t.cases.c.question.in_(some)),
            delete(t.evidence_decisions).where(
                t.evidence_decisions.c.collection_id == home,
                t.evidence_decisions.c.question.in_(some),
            ),
        )
        for at, statement in enumerate(statements):
            counts[at] += connection.execute(statement).rowcount
        for one in named:
            # Whatever else is kept under a question's own id, in tables that come later as well.
            connection.execute(
                delete(one).where(one.c.collection_id == home, one.c.question.in_(some))
            )
    writes.drop_unused(connection, home)
    connection.execute(
        update(t.collections).where(t.collections.c.id == home).values(imported_at=_now())
    )
    return Forgotten(
        collection=collection,
        questions=counts[0],
        results=counts[1],
        reviews=counts[2],
        cases=counts[3],
    )


def _now() -> datetime:
    return datetime.now(UTC)


def expired(database: Database, *, days: int) -> tuple[str, ...]:
    """Names of one's own collections into which nothing has been imported for some days."""
    c = t.collections.c
    with database.read() as connection:
        return tuple(
            connection.scalars(
                select(c.name)
                .where(c.visible, ~c.made_up, c.imported_at < _now() - timedelta(days=days))
                .order_by(c.id)
            )
        )
