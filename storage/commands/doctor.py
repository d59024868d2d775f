"""Exit 0 where files can be imported, 1 where they would be refused; nothing is stored."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from storage.commands import Answer
from storage.commands._options import Ticker, guessed, readable
from storage.doctor import examine
from storage.engine import Database

HELP = "look at files before they are imported: problems, oddities, what measures can say"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="several files are one import"
    )
    parser.add_argument(
        "--format", choices=readable(), help="guessed from the content when left out"
    )


def run(database: Database, options: Namespace) -> Answer:
    ticker = Ticker("questions read")
    found = examine(options.files, format=options.format or guessed(options.files), progress=ticker)
    ticker.end()
    usable = found.questions and not found.report.total
    return Answer(found.document, found.text, 0 if usable else 1)
