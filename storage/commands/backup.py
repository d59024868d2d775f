"""Copy the database while it is in use."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from storage.commands import Answer
from storage.engine import Database
from storage.upkeep import backup

HELP = "copy the database to a file, also while it is in use"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE")


def run(database: Database, options: Namespace) -> Answer:
    backup(database, options.file)
    return Answer({"file": str(options.file)}, f"Backed up to {options.file}.")
