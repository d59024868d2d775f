"""Opening the database: one engine for reading, one for writing, the schema brought up to date."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

HOME = Path(__file__).resolve().parent.parent
BUSY_SECONDS = 30
WRITING = 1_300_013
"""The number of the lock that PostgreSQL's writers take, of this program alone."""


class DatabaseError(Exception):
    """A database that cannot be used, in a sentence for a person."""


@dataclass(frozen=True, slots=True)
class Database:
    """Two engines on one database. Readers never wait; writers take turns.

    guarded: a write is refused; who may write asks for the database without this guard.
    who: the person on whose behalf is written; empty is whoever runs the program.
    """

    url: str
    reader: Engine
    writer: Engine
    guarded: bool = False
    who: str = ""

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection on which all statements see one state of the data."""
        with self.reader.begin() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that holds the right to write from its first moment; all or nothing."""
        if self.guarded:
            raise DatabaseError("Nobody asked whether this may be written; nothing was changed.")
        with self.writer.begin() as connection:
            yield connection

    def for_reading(self) -> Database:
        """The same database, through which nothing can be written."""
        return replace(self, guarded=True)

    def for_writing(self, who: str) -> Database:
        """The same database without its guard, on behalf of somebody who has been asked."""
        return replace(self, guarded=False, who=who)

    def wipe(self) -> None:
        """Empty SQLite's log of changes, which still holds what was deleted a moment ago.

        While others read, it stays for now and is emptied by a later write.
        """
        if self.writer.dialect.name == "sqlite":
            with self.writer.connect() as connection:
                raw = connection.connection.cursor()
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                raw.close()

    def close(self) -> None:
        self.reader.dispose()
        self.writer.dispose()


def default_url() -> str:
    """SELECTION_DATABASE_URL, else a SQLite file beside app.py."""
    return os.environ.get("SELECTION_DATABASE_URL") or f"sqlite:///{HOME / 'rank13.sqlite'}"


def shown_url(url: str) -> str:
    """An address as it may be shown: without the password that it may hold."""
    return make_url(url).render_as_string(hide_password=True)


def connect(url: str) -> Database:
    """Engines for a URL, without touching the schema.

    :raises DatabaseError: where the URL cannot be read.
    """
    try:
        sqlite = make_url(url).get_backend_name() == "sqlite"
        # SQLite's readers see one state by themselves; PostgreSQL's have to ask for it.
        options: dict[str, Any] = {} if sqlite else {"isolation_level": "REPEATABLE READ"}
        reader, writer = create_engine(url, **options), create_engine(url)
    except (ArgumentError, ImportError) as error:
        raise DatabaseError(f"{url!r} is no usable database address: {error}") from error
    if sqlite:
        _prepare_sqlite(reader, begin="BEGIN")
        _prepare_sqlite(writer, begin="BEGIN IMMEDIATE")
    else:
        _take_turns(writer)
    return Database(url=url, reader=reader, writer=writer)


def _take_turns(engine: Engine) -> None:
    """Let one PostgreSQL writer wait for another, as those of SQLite do.

    Its transactions would otherwise overwrite what they have not seen. The lock goes with them.
    """

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITING})")


def _prepare_sqlite(engine: Engine, *, begin: str) -> None:
    """Set the pragmas, and open transactions ourselves.

    The driver's own deferred BEGIN loses concurrent updates without a word, so a writer takes the
    lock at once (see docs/decisions/immediate-writes.md).
    """

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={BUSY_SECONDS * 1000}",
            "journal_mode=WAL",
            "synchronous=NORMAL",
            "foreign_keys=ON",
            # What is deleted is overwritten: a customer who is forgotten is not in the file.
            "secure_delete=ON",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def migrate(connection: Connection) -> None:
    """Bring the schema to this program's version.

    :raises DatabaseError: where the database was written by a newer program.
    """
    config = Config()
    config.set_main_option("script_location", str(HOME / "storage" / "migrations"))
    config.attributes["connection"] = connection
    script = ScriptDirectory.from_config(config)
    current = MigrationContext.configure(connection).get_current_revision()
    known = {revision.revision for revision in script.walk_revisions()}
    if current is not None and current not in known:
        raise DatabaseError(
            f"This database has schema {current}, which is newer than this program knows. "
            "Open it with the newer program, or name another one in SELECTION_DATABASE_URL."
        )
    if current != script.get_current_head():
        command.upgrade(config, "head")
