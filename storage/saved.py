"""Saving comparisons, renaming and deleting them; each in one transaction."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from storage import __version__, deeds
from storage import tables as t
from storage.compare import Comparison
from storage.engine import Database
from storage.queries import NotStored

CHUNK = 2_000


class NameTaken(ValueError):
    """There is a comparison of that name already."""


def save_comparison(
    database: Database,
    comparison: Comparison,
    *,
    name: str,
    note: str = "",
    author: str | None = None,
    replace: bool = False,
) -> None:
    """Save a comparison under a name, in one transaction.

    :raises NameTaken: where the name is in use and `replace` is not set; nothing is stored.
    :raises ValueError: for a name that is empty, too long or not printable.
    """
    name = checked_name(name)
    try:
        with database.write() as connection:
            home = connection.scalar(
                select(t.collections.c.id).where(
                    t.collections.c.name == comparison.collection, t.collections.c.visible
                )
            )
            if home is None:
                raise NotStored(f"There is no collection {comparison.collection!r} any more.")
            write_comparison(
                connection, home, comparison, name=name, note=note, author=author, replace=replace
            )
    except IntegrityError as error:
        raise NameTaken(
            f"There is a comparison {name!r} already"
            + (
                " of another collection; choose another name. "
                if replace
                else "; choose another name or replace it. "
            )
            + "Nothing was stored."
        ) from error


def write_comparison(
    connection: Connection,
    home: int,
    comparison: Comparison,
    *,
    name: str,
    note: str,
    author: str | None,
    replace: bool,
) -> None:
    """Write a comparison of the collection with the key `home`, inside a transaction."""
    c = t.comparisons
    if replace:
        # Of this collection only: who replaces may not be allowed to see another one.
        connection.execute(delete(c).where(c.c.name == name, c.c.collection_id == home))
    key = connection.execute(
        insert(c).values(
            collection_id=home,
            name=name,
            note=note,
            author=author or deeds.this_person(),
            saved_at=datetime.now(UTC),
            code_version=__version__,
            selectors=list(comparison.selectors),
            budget_tokens=comparison.budget.tokens,
            budget_passages=comparison.budget.passages,
            relevance=comparison.relevance or "default",
            fingerprint=comparison.fingerprint,
        )
    ).inserted_primary_key
    rows = _rows(comparison, key[0] if key else 0)
    for start in range(0, len(rows), CHUNK):
        connection.execute(insert(t.results), rows[start : start + CHUNK])
    deeds.record(
        connection,
        who=author or "",
        deed="saved a comparison",
        collection=comparison.collection,
        what=name,
    )


def checked_name(name: str) -> str:
    """A name without blanks around it.

    :raises ValueError: for a name that is empty, too long or not printable.
    """
    name = name.strip()
    if not name or len(name) > 200 or not name.isprintable():
        raise ValueError(
            f"{name!r} is no name for a comparison; 1 to 200 printable characters are accepted. "
            "Nothing was stored."
        )
    return name


def _rows(comparison: Comparison, key: int) -> list[dict[str, Any]]:
    place = {spec: at for at, spec in enumerate(comparison.selectors)}
    return [
        {
            "comparison_id": key,
            "question": row.question,
            "selector": row.selector,
            "position": place[row.selector],
            "measures": dict(row.measures),
            "ranks": list(row.ranks),
            "fingerprint": comparison.fingerprints.get(row.question),
        }
        for row in comparison.rows
    ]


def delete_comparison(database: Database, name: str) -> bool:
    """Delete a saved comparison; False where there is none of that name."""
    c = t.comparisons
    with database.write() as connection:
        _note(connection, database, name, deed="deleted a comparison", what=name)
        return connection.execute(delete(c).where(c.c.name == name)).rowcount > 0


def _note(connection: Connection, database: Database, name: str, *, deed: str, what: str) -> None:
    """Note what is done to a comparison, where there is one of that name."""
    home = connection.scalar(
        select(t.collections.c.name)
        .join(t.comparisons, t.comparisons.c.collection_id == t.collections.c.id)
        .where(t.comparisons.c.name == name)
    )
    if home is not None:
        deeds.record(connection, who=database.who, deed=deed, collection=home, what=what)


def rename_comparison(database: Database, name: str, *, to: str, note: str | None = None) -> None:
    """Rename a saved comparison, and change its note where one is given.

    :raises NameTaken: where the new name is in use. :raises ValueError: for a name out of range.
    """
    c = t.comparisons
    values: dict[str, Any] = {"name": checked_name(to)}
    if note is not None:
        values["note"] = note
    try:
        with database.write() as connection:
            changed = f"{name} to {values['name']}" if name != values["name"] else name
            _note(connection, database, name, deed="renamed a comparison", what=changed)
            connection.execute(update(c).where(c.c.name == name).values(**values))
    except IntegrityError as error:
        raise NameTaken(f"There is a comparison {to!r} already; nothing was changed.") from error
