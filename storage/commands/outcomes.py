"""Add outcomes of arms to questions that are stored."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from storage.commands import Answer
from storage.commands._options import Ticker
from storage.engine import Database
from storage.outcome_imports import import_outcomes

HELP = "add outcomes of arms (CSV or JSON lines) to stored questions; all or nothing"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="question id, arm, and right or wrong or a score; also run, cited, answer, setting "
        "and sent",
    )
    parser.add_argument("--collection", required=True, help="name of a stored collection")
    parser.add_argument(
        "--right-from",
        type=float,
        metavar="SCORE",
        help="a row with a score alone is right from this score on",
    )
    parser.add_argument(
        "--replace", action="store_true", help="replace stored outcomes of the same arm and run"
    )
    parser.add_argument("--dry-run", action="store_true", help="read and check, store nothing")


def run(database: Database, options: Namespace) -> Answer:
    ticker = Ticker("questions")
    done = import_outcomes(
        database,
        options.files,
        collection=options.collection,
        right_from=options.right_from,
        replace_known=options.replace,
        dry_run=options.dry_run,
        progress=ticker,
    )
    ticker.end()
    document = {
        "collection": done.collection,
        "outcomes": done.outcomes,
        "questions": done.questions,
        "replaced": done.replaced,
        "unknown": done.unknown,
        "stored": not options.dry_run,
    }
    tail = ["Nothing was stored (dry run)."] if options.dry_run else []
    return Answer(document, "\n".join([str(done), *done.report.warnings, *tail]))
