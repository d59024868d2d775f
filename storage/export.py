"""Handing out what is stored: a collection as a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from storage import queries
from storage.engine import Database
from storage.formats import format_of
from storage.records import QuestionRecord
from storage.stored import read_questions

CHUNK = 100


def stored_records(database: Database, collection: str) -> Iterator[QuestionRecord]:
    """The questions of a collection as their file gave them, in order.

    :raises NotStored: for an unknown collection.
    """
    home = queries.collection(database, collection)
    with database.read() as connection:
        keys = queries.question_keys(connection, home.id)
    for start in range(0, len(keys), CHUNK):
        with database.read() as connection:
            chunk = read_questions(connection, keys[start : start + CHUNK])
        # A ranking is what the format takes for granted, so only its absence is said.
        yield from (replace(one.record, ranked=one.record.ranked and None) for one in chunk)


def export_collection(database: Database, collection: str, path: Path, *, format: str) -> int:
    """Write a collection to a file; returns the number of questions.

    :raises ValueError: for a format that cannot be written.
    """
    return write_records(stored_records(database, collection), path, format=format)


def write_records(records: Iterable[QuestionRecord], path: Path, *, format: str) -> int:
    """Write questions to a file, which appears whole or not at all; returns how many.

    :raises ValueError: for a format that cannot be written.
    """
    writer = format_of(format)
    count = 0

    def counted() -> Iterator[QuestionRecord]:
        nonlocal count
        for record in records:
            count += 1
            yield record

    partial = path.with_name(f"{path.name}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as stream:
            writer.write(counted(), stream)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return count
