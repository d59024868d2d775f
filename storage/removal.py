"""Taking a collection out of the database, with everything that belongs to it."""

from __future__ import annotations

from sqlalchemy import select

from storage import tables as t
from storage import writes
from storage.engine import Database


def remove_collection(database: Database, name: str) -> bool:
    """Delete a collection with its saved comparisons; False where there is none of that name."""
    c = t.collections.c
    with database.write() as connection:
        key = connection.scalar(select(c.id).where(c.name == name, c.visible))
        if key is None:
            return False
        writes.delete_collection(connection, key)
        return True
