"""Keeping a database: a copy while it is in use, bringing one back, and whether all is well."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import ScalarSelect, func, select
from sqlalchemy.engine import make_url

from storage import tables as t
from storage.engine import Database, DatabaseError, connect, migrate
from storage.fingerprint import fingerprint
from storage.stored import read_questions

CHUNK = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What a check found. problems: sentences; empty where all is well."""

    questions: int
    candidates: int
    problems: tuple[str, ...]


def backup(database: Database, target: Path) -> None:
    """Copy a SQLite database while others read and write it; the copy appears whole or not at all.

    :raises DatabaseError: for another kind of database, or where the target exists.
    """
    source = _file(database.url)
    if target.exists():
        raise DatabaseError(f"{target} exists; a backup is not written over another file.")
    partial = target.with_name(f"{target.name}.partial")
    try:
        with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(partial)) as copy:
            one.backup(copy)
            # One file is easier to keep than a file with a log beside it.
            copy.execute("PRAGMA journal_mode=DELETE").close()
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def restore(database: Database, source: Path) -> None:
    """Put a backup in the place of what is stored, in one step.

    The backup is opened, checked and brought up to date first; what is stored stays if it is not
    sound. Servers that are running see the restored data at their next question.

    :raises DatabaseError: for another kind of database, or a backup that is not sound.
    """
    target = _file(database.url)
    if not source.is_file():
        raise DatabaseError(f"There is no file {source}; nothing was changed.")
    trial = target.with_name(f"{target.name}.restoring")
    try:
        with closing(sqlite3.connect(source)) as one, closing(sqlite3.connect(trial)) as copy:
            one.backup(copy)
        _must_be_sound(trial, source)
        with closing(sqlite3.connect(trial)) as one, closing(sqlite3.connect(target)) as stored:
            one.backup(stored)
    except sqlite3.Error as error:
        raise DatabaseError(
            f"{source} is no usable backup ({error}); nothing was changed."
        ) from error
    finally:
        for suffix in ("", "-wal", "-shm"):
            trial.with_name(f"{trial.name}{suffix}").unlink(missing_ok=True)


def _must_be_sound(trial: Path, source: Path) -> None:
    opened = connect(f"sqlite:///{trial}")
    try:
        with opened.write() as connection:
            migrate(connection)
        found = check(opened)
    finally:
        opened.close()
    if found.problems:
        raise DatabaseError(f"{source} is not sound: {found.problems[0]} Nothing was changed.")


def check(database: Database) -> Health:
    """Look for damage: the file itself, references, counts that disagree, changed fingerprints."""
    problems = [*_file_problems(database), *_count_problems(database), *_changed(database)]
    with database.read() as connection:
        questions = connection.scalar(select(func.count()).select_from(t.questions)) or 0
        candidates = connection.scalar(select(func.count()).select_from(t.candidates)) or 0
    return Health(questions=questions, candidates=candidates, problems=tuple(problems))


def _file_problems(database: Database) -> list[str]:
    if database.reader.dialect.name != "sqlite":
        return []
    with database.read() as connection:
        said = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    return [
        *(f"The file is damaged: {line}." for line in said if line != "ok"),
        *(f"Table {row[0]}, row {row[1]}: refers to a missing row of {row[2]}." for row in broken),
    ]


def _count_problems(database: Database) -> list[str]:
    q, p = t.questions.c, t.packs.c
    counted = _counted()
    packed = select(p.question_id).where(p.question_id == q.id).correlate(t.questions).exists()
    with database.read() as connection:
        wrong = connection.execute(
            select(q.external_id, q.candidates, counted).where(q.candidates != counted)
        ).all()
        bare = connection.scalars(select(q.external_id).where(~packed)).all()
    return [
        *(f"Question {id!r} says {said} candidates and has {has}." for id, said, has in wrong),
        *(f"Question {id!r} has no claims, not even an empty set." for id in bare),
    ]


def _counted() -> ScalarSelect[int]:
    """How many candidates a question has, beside the number it says."""
    return (
        select(func.count())
        .select_from(t.candidates)
        .where(t.candidates.c.question_id == t.questions.c.id)
        .correlate(t.questions)
        .scalar_subquery()
    )


def _changed(database: Database) -> list[str]:
    """Whole questions whose rows no longer say what they said when they were stored."""
    q = t.questions.c
    whole = select(q.id, q.fingerprint).where(q.candidates == _counted()).order_by(q.id)
    with database.read() as connection:
        stored = connection.execute(whole).all()
    problems = []
    for start in range(0, len(stored), CHUNK):
        chunk = stored[start : start + CHUNK]
        with database.read() as connection:
            found = read_questions(connection, [key for key, _ in chunk])
        problems += [
            f"Question {one.record.id!r} is not what was stored: its fingerprint differs."
            for one, (_, expected) in zip(found, chunk, strict=True)
            if fingerprint(one.record) != expected
        ]
    return problems


def _file(url: str) -> Path:
    address = make_url(url)
    if address.get_backend_name() != "sqlite" or not address.database:
        raise DatabaseError(
            "Only a SQLite file is backed up here; for PostgreSQL use pg_dump and pg_restore."
        )
    return Path(address.database)
