"""Write a collection to a file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from selection.model import Budget
from selection.registry import parse_selector
from storage.commands import Answer
from storage.engine import Database
from storage.export import stored_records, write_records
from storage.formats import format_of, list_formats
from storage.records import QuestionRecord
from storage.selected import selected_records

HELP = "write a collection to a file: whole, or what a selector sends of it"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--collection", required=True, help="name of a stored collection")
    parser.add_argument(
        "--format",
        choices=[name for name in list_formats() if format_of(name).writes],
        default="jsonl",
    )
    parser.add_argument("--output", required=True, type=Path, metavar="FILE")
    parser.add_argument("--selector", metavar="SPEC", help="keep only what this selector sends")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="tokens that may be sent")
    parser.add_argument("--passages", type=int, metavar="N", help="passages that may be sent")


def run(database: Database, options: Namespace) -> Answer:
    budgeted = options.budget is not None or options.passages is not None
    if budgeted and options.selector is None:
        raise ValueError("A budget needs a --selector to spend it. Nothing was written.")
    count = write_records(_records(database, options), options.output, format=options.format)
    document = {
        "collection": options.collection,
        "format": options.format,
        "output": str(options.output),
        "questions": count,
    }
    return Answer(document, f"{count:,} questions written to {options.output}.")


def _records(database: Database, options: Namespace) -> Iterator[QuestionRecord]:
    if options.selector is None:
        return stored_records(database, options.collection)
    return selected_records(
        database,
        options.collection,
        parse_selector(options.selector),
        budget=Budget(tokens=options.budget, passages=options.passages),
    )
