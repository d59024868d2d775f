"""Taking a collection out of the database, with everything that belongs to it."""

from __future__ import annotations

from sqlalchemy import func, select

from storage import deeds, writes
from storage import tables as t
from storage.engine import Database


def remove_collection(database: Database, name: str) -> bool:
    """Delete a collection with its saved comparisons; False where there is none of that name."""
    c = t.collections.c
    with database.write() as connection:
        key = connection.scalar(select(c.id).where(c.name == name, c.visible))
        if key is None:
            return False
        q = t.questions.c
        held = connection.scalar(select(func.count()).where(q.collection_id == key)) or 0
        writes.delete_collection(connection, key)
        deeds.record(
            connection,
            who=database.who,
            deed="deleted",
            collection=name,
            what=deeds.counted(held, "question"),
        )
    database.wipe()
    return True
