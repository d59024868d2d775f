"""Delete one's own collections into which nothing has come for some days."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from storage.commands import Answer
from storage.engine import Database
from storage.forgetting import BACKUPS, expired
from storage.removal import remove_collection

HELP = "delete collections that were last imported into more than some days ago"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--days", required=True, type=_days, metavar="N", help="days to keep")
    parser.add_argument("--dry-run", action="store_true", help="name them, delete nothing")


def _days(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 36_500:
        raise ArgumentTypeError(f"{text!r}; a number of days from 1 to 36,500 is accepted")
    return int(text)


def run(database: Database, options: Namespace) -> Answer:
    names = expired(database, days=options.days)
    if not options.dry_run:
        names = tuple(name for name in names if remove_collection(database, name))
    document = {"collections": list(names), "deleted": not options.dry_run}
    if not names:
        return Answer(document, f"No collection is older than {options.days:,} days.")
    said = "\n".join(f"- {name}" for name in names)
    verb = "would be deleted" if options.dry_run else f"deleted. {BACKUPS}"
    return Answer(document, f"{said}\n{len(names):,} {verb}")
