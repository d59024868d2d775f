"""Put a backup in the place of what is stored."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from storage.commands import Answer
from storage.deeds import record
from storage.engine import Database
from storage.upkeep import check, restore

HELP = "put a backup in the place of what is stored, if it is sound"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")


def run(database: Database, options: Namespace) -> Answer:
    restore(database, options.file)
    with database.write() as connection:
        record(connection, who=database.who, deed="restored a backup", collection="")
    found = check(database)
    text = f"Restored from {options.file}: {found.questions:,} questions."
    return Answer({"file": str(options.file), "questions": found.questions}, text)
