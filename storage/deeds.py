"""Who did what: one row for each thing that somebody changed, written in the change's transaction.

Rows are only ever added, and they outlive what they are about. They hold counts and the names of
collections and comparisons, never a text or an id of a question: forgetting passes them by.
"""

from __future__ import annotations

import getpass
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, insert, select

from storage import tables as t
from storage.engine import Database

LONGEST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One row. deed: what was done, as a verb; what: how much of what, in words."""

    at: datetime
    who: str
    deed: str
    collection: str
    what: str


def record(connection: Connection, *, who: str, deed: str, collection: str, what: str = "") -> None:
    """Note a deed, inside the transaction of what was done. who: empty is who runs this program."""
    connection.execute(
        insert(t.deeds).values(
            at=datetime.now(UTC),
            who=(who or this_person())[:LONGEST],
            deed=deed[:50],
            collection=collection[:LONGEST],
            what=what,
        )
    )


def deeds(database: Database, *, limit: int = 200) -> tuple[Deed, ...]:
    """The latest deeds, the newest first."""
    d = t.deeds.c
    with database.read() as connection:
        rows = connection.execute(select(t.deeds).order_by(d.id.desc()).limit(limit)).all()
    return tuple(
        Deed(at=row.at, who=row.who, deed=row.deed, collection=row.collection, what=row.what)
        for row in rows
    )


def counted(number: int, noun: str) -> str:
    """1 question, 2 questions."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def this_person() -> str:
    """Who runs this program, as the system knows them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "unknown"
