"""Bring in files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from storage.commands import Answer
from storage.commands._options import Ticker, guessed, readable
from storage.doctor import examine
from storage.engine import Database
from storage.imports import import_files

HELP = "bring in files as a collection; all or nothing"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="several files are one import"
    )
    parser.add_argument(
        "--format", choices=readable(), help="guessed from the content when left out"
    )
    parser.add_argument("--collection", required=True, help="the name to store it under")
    parser.add_argument("--note", default="", help="a line about it")
    parser.add_argument(
        "--on-existing",
        choices=("refuse", "add", "update"),
        default="refuse",
        help="where the collection exists: refuse, add new questions, or also update changed ones",
    )
    parser.add_argument(
        "--redact",
        action="store_true",
        help="mask e-mail addresses and numbers of accounts, cards and telephones",
    )
    parser.add_argument("--dry-run", action="store_true", help="read and check, store nothing")


def run(database: Database, options: Namespace) -> Answer:
    name = options.format or guessed(options.files)
    ticker = Ticker("questions read")
    if options.dry_run:
        found = examine(options.files, format=name, progress=ticker)
        ticker.end()
        found.report.raise_if_any()
        return Answer(found.document, found.text)
    done = import_files(
        database,
        options.files,
        format=name,
        collection=options.collection,
        note=options.note,
        on_existing=options.on_existing,
        redact=options.redact,
        progress=ticker,
    )
    ticker.end()
    document = {
        "collection": done.collection,
        "format": name,
        "added": done.added,
        "replaced": done.replaced,
        "unchanged": done.unchanged,
        "stored": bool(done.added or done.replaced),
    }
    return Answer(document, "\n".join([str(done), *done.report.guesses, *done.report.warnings]))
