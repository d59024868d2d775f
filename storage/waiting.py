"""How far the review of a collection is, without diagnosing anything."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from storage import queries
from storage import tables as t
from storage.engine import Database
from storage.reviews import reviews


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Questions that got worse from the first arm to the last, and how many have a verdict."""

    worse: int
    reviewed: int

    @property
    def open(self) -> int:
        """Questions that got worse and that nobody has given a verdict on, or not any more."""
        return self.worse - self.reviewed


def review_progress(database: Database, collection: str) -> Progress:
    """Count what waits for a verdict.

    :raises NotStored: for an unknown collection.
    """
    home = queries.collection(database, collection)
    q = t.questions.c
    with database.read() as connection:
        worse = connection.scalars(
            select(q.external_id).where(q.collection_id == home.id, q.outcome == "worse")
        ).all()
    given = reviews(database, collection) if worse else {}
    reviewed = sum(one in given and given[one].current is not None for one in worse)
    return Progress(worse=len(worse), reviewed=reviewed)
