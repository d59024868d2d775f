"""Importing: files in, a visible collection out, or nothing at all."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from storage import deeds, writes
from storage import tables as t
from storage.engine import Database
from storage.evidence import apply_again
from storage.formats import format_of
from storage.prepare import prepare
from storage.records import QuestionRecord
from storage.redaction import redacted
from storage.report import Report
from storage.samples import Sample, all_samples
from storage.terms import store_frequencies

CHUNK = 50
"""Questions written in one transaction: short enough that a reviewer's save never waits long."""


class CannotImport(ValueError):
    """An import that cannot be done: the name is taken, or nothing is there."""


OnExisting = Literal["refuse", "add", "update"]
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did: questions added, replaced, and left alone because nothing differs."""

    collection: str
    added: int
    replaced: int
    unchanged: int
    report: Report

    def __str__(self) -> str:
        if not self.added and not self.replaced:
            return (
                f"Nothing to store: all {self.unchanged:,} questions are there already, unchanged."
            )
        parts = [f"{self.added:,} questions added"]
        if self.replaced:
            parts.append(f"{self.replaced:,} replaced")
        if self.unchanged:
            parts.append(f"{self.unchanged:,} unchanged")
        return f"{self.collection}: {', '.join(parts)}."


def import_files(
    database: Database,
    paths: Sequence[Path],
    *,
    format: str,
    collection: str,
    note: str = "",
    on_existing: OnExisting = "refuse",
    redact: bool = False,
    progress: Progress | None = None,
) -> Imported:
    """Import files that belong together as one collection.

    redact: mask addresses and numbers that tell who somebody is, see storage/redaction.py.
    progress: called with the number of questions read so far.

    :raises ImportRefused: listing every problem; then nothing is stored.
    :raises CannotImport: where the name is taken. :raises ValueError: for an unknown format.
    """
    reader = format_of(format)
    report = Report()
    records = reader.read(list(paths), report)
    return import_records(
        database,
        map(redacted, records) if redact else records,
        collection=collection,
        note=note,
        format=format,
        ranked=reader.ranked,
        report=report,
        on_existing=on_existing,
        progress=progress,
    )


def import_records(
    database: Database,
    records: Iterable[QuestionRecord],
    *,
    collection: str,
    note: str = "",
    format: str,
    ranked: bool,
    made_up: bool = False,
    seed: int | None = None,
    report: Report | None = None,
    on_existing: OnExisting = "refuse",
    progress: Progress | None = None,
) -> Imported:
    """Import records under a hidden collection; one last transaction makes it visible.

    :raises ImportRefused: listing every problem that was reported.
    :raises CannotImport: where there is no question, or the name is taken or no name.
    """
    report = report or Report()
    name = _checked_name(collection)
    known = _known(database, name, on_existing=on_existing)
    with database.write() as connection:
        hidden = writes.new_collection(
            connection,
            name=f"importing {uuid.uuid4()}",
            note=note,
            made_up=made_up,
            seed=seed,
            format=format,
            importer=_this_process(),
        )
    try:
        unchanged = _store(
            database,
            hidden,
            records,
            ranked=ranked,
            known=known,
            report=report,
            replace=on_existing == "update",
            progress=progress,
        )
        report.raise_if_any()
        return _finish(
            database,
            hidden,
            name=name,
            unchanged=unchanged,
            report=report,
            on_existing=on_existing,
            noted=not made_up,
        )
    except BaseException:
        with database.write() as connection:
            writes.delete_collection(connection, hidden)
        raise


def _checked_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > 200 or not name.isprintable():
        raise CannotImport(
            f"{name!r} is no name for a collection; 1 to 200 printable characters are accepted. "
            "Nothing was stored."
        )
    return name


def _known(database: Database, name: str, *, on_existing: OnExisting) -> Mapping[str, str] | None:
    """Question id -> fingerprint of the collection of that name; None where there is none."""
    c, q = t.collections.c, t.questions.c
    with database.read() as connection:
        id = connection.scalar(select(c.id).where(c.name == name, c.visible))
        if id is None:
            return None
        if on_existing == "refuse":
            raise CannotImport(
                f"There is a collection {name!r} already; choose another name, or add to it or "
                "update it (--on-existing add, --on-existing update). Nothing was stored."
            )
        rows = connection.execute(select(q.external_id, q.fingerprint).where(q.collection_id == id))
        return {external: fingerprint for external, fingerprint in rows}


def _store(
    database: Database,
    hidden: int,
    records: Iterable[QuestionRecord],
    *,
    ranked: bool,
    known: Mapping[str, str] | None,
    report: Report,
    replace: bool,
    progress: Progress | None,
) -> int:
    """Write chunk by chunk; once there is a problem, only read on to find the others."""
    read = unchanged = 0
    position = 0
    for chunk in _chunks(records):
        fresh = []
        for record in chunk:
            read += 1
            if known is not None and record.id in known and not replace:
                unchanged += 1
                continue
            if report.problems:
                continue
            one = prepare(record, ranked=ranked)
            if known is not None and known.get(record.id) == one.fingerprint:
                unchanged += 1
            else:
                fresh.append(one)
        if fresh and not report.problems:
            with database.write() as connection:
                writes.store_questions(connection, hidden, fresh, first_position=position)
            position += len(fresh)
        if progress:
            progress(read)
    if not read and not report.problems:
        raise CannotImport("There is no question in what was given. Nothing was stored.")
    return unchanged


def _finish(
    database: Database,
    hidden: int,
    *,
    name: str,
    unchanged: int,
    report: Report,
    on_existing: OnExisting,
    noted: bool,
) -> Imported:
    c = t.collections.c
    store_frequencies(database, hidden)
    try:
        with database.write() as connection:
            target = connection.scalar(select(c.id).where(c.name == name, c.visible))
            if target is None:
                added, replaced = _count(connection, hidden), 0
                writes.reveal(connection, hidden, name=name)
                target = hidden
            elif on_existing == "refuse":
                raise CannotImport(
                    f"A collection {name!r} has appeared meanwhile. Nothing was stored."
                )
            elif not _count(connection, hidden):
                writes.delete_collection(connection, hidden)
                added = replaced = 0
            else:
                added, replaced = writes.move_questions(
                    connection, source=hidden, target=target, replace=on_existing == "update"
                )
                apply_again(connection, target)
            if noted and (added or replaced):
                deeds.record(
                    connection,
                    who=database.who,
                    deed="imported",
                    collection=name,
                    what=f"{deeds.counted(added, 'question')} added, {replaced:,} replaced",
                )
    except IntegrityError as error:
        raise CannotImport(
            f"A collection {name!r} has appeared meanwhile. Nothing was stored."
        ) from error
    if target != hidden and (added or replaced):
        store_frequencies(database, target)
    return Imported(
        collection=name, added=added, replaced=replaced, unchanged=unchanged, report=report
    )


def _count(connection: Connection, collection: int) -> int:
    q = t.questions.c
    return int(connection.scalar(select(func.count()).where(q.collection_id == collection)) or 0)


def _chunks(records: Iterable[QuestionRecord]) -> Iterator[list[QuestionRecord]]:
    source = iter(records)
    while chunk := list(islice(source, CHUNK)):
        yield chunk


def load_samples(database: Database) -> None:
    """Fill in the built-in collections, once in the life of a database."""
    s, c = t.settings.c, t.collections.c
    with database.read() as connection:
        if connection.scalar(select(s.value).where(s.key == "samples")):
            return
        there = set(connection.scalars(select(c.name).where(c.visible)))
    for sample in all_samples():
        if sample.name in there:
            continue
        load_sample(database, sample)
    with database.write() as connection:
        if not connection.scalar(select(s.value).where(s.key == "samples")):
            connection.execute(insert(t.settings).values(key="samples", value="loaded"))


def load_sample(database: Database, sample: Sample) -> None:
    """Make one built-in collection, and leave one of that name as it is."""
    # Where another process that started at the same moment was faster, its copy is the same.
    with suppress(CannotImport):
        import_records(
            database,
            sample.records(),
            collection=sample.name,
            note=sample.note,
            format="jsonl",
            ranked=True,
            made_up=True,
            seed=sample.seed,
        )


def clear_leftovers(database: Database) -> None:
    """Remove what imports left behind whose process is dead; those that are running stay."""
    c = t.collections.c
    with database.read() as connection:
        hidden = connection.execute(select(c.id, c.importer, c.imported_at).where(~c.visible)).all()
    for id, importer, started in hidden:
        if _dead(importer, started):
            with database.write() as connection:
                writes.delete_collection(connection, id)


def _this_process() -> str:
    return f"{os.getpid()}@{socket.gethostname()}"


def _dead(importer: str, started: datetime) -> bool:
    """Whether an import is over. On another host only its age can tell: a day is long enough."""
    pid, _, host = importer.partition("@")
    if host != socket.gethostname():
        return datetime.now(UTC) - started > timedelta(days=1)
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError):
        return True
    except PermissionError:
        return False
    return False
