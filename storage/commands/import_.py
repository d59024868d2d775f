"""Bring in files."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from storage.commands import Answer
from storage.commands._options import Ticker
from storage.engine import Database
from storage.formats import format_of, guess, list_formats
from storage.imports import CannotImport, check_files, import_files

HELP = "bring in files as a collection; all or nothing"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="several files are one import"
    )
    parser.add_argument(
        "--format", choices=list_formats(), help="guessed from the content when left out"
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
    name = options.format or _guessed(options.files)
    ticker = Ticker("questions read")
    if options.dry_run:
        report = check_files(options.files, format=name, progress=ticker)
        ticker.end()
        report.raise_if_any()
        text = (
            f"{report.rows_usable:,} questions can be imported as {format_of(name).title}. "
            "Nothing was stored (dry run)."
        )
        return Answer({"format": name, "usable": report.rows_usable, "stored": False}, text)
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


def _guessed(paths: list[Path]) -> str:
    for path in paths:
        if not path.is_file():
            raise CannotImport(f"There is no file {path}. Nothing was stored.")
    name = guess(paths[0])
    if name is None:
        raise CannotImport(
            f"What {paths[0].name} is could not be guessed; name it with --format "
            f"({', '.join(list_formats())}). Nothing was stored."
        )
    return name
