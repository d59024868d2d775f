"""Write a collection to a file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from storage.commands import Answer
from storage.engine import Database
from storage.export import export_collection
from storage.formats import format_of, list_formats

HELP = "write a collection to a file, without loss"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--collection", required=True, help="name of a stored collection")
    parser.add_argument(
        "--format",
        choices=[name for name in list_formats() if format_of(name).writes],
        default="jsonl",
    )
    parser.add_argument("--output", required=True, type=Path, metavar="FILE")


def run(database: Database, options: Namespace) -> Answer:
    count = export_collection(database, options.collection, options.output, format=options.format)
    document = {"collection": options.collection, "output": str(options.output), "questions": count}
    return Answer(document, f"{count:,} questions written to {options.output}.")
