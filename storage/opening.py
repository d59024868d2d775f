"""Opening a database for work: its schema up to date, dead imports cleared away, samples there."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

from storage.engine import Database, DatabaseError, connect, default_url, migrate, shown_url
from storage.imports import clear_leftovers, load_samples


def open_database(url: str | None = None, *, samples: bool = True) -> Database:
    """Open a database, create or upgrade its schema, clear away dead imports.

    url: an SQLAlchemy address; None is SELECTION_DATABASE_URL, else a file beside app.py.
    samples: fill in the built-in collections at first use.

    :raises DatabaseError: where it cannot be opened, or is newer than this program.
    """
    database = connect(url or default_url())
    try:
        with database.write() as connection:
            migrate(connection)
    except DBAPIError as error:
        # This sentence may end up in a log.
        raise DatabaseError(
            f"The database {shown_url(database.url)} cannot be used: {error.orig}."
        ) from error
    clear_leftovers(database)
    if samples:
        load_samples(database)
    return database
