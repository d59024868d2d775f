"""Delete questions for good, one or all of a customer."""

from __future__ import annotations

import dataclasses
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from storage.commands import Answer
from storage.engine import Database
from storage.forgetting import BACKUPS, forget, matching

HELP = "delete a question, or all with one value of their metadata, from every table"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--collection", required=True, help="name of a stored collection")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--question", default="", metavar="ID", help="id of the question")
    which.add_argument(
        "--where", type=_pair, metavar="KEY=VALUE", help="such as customer=4711, of the metadata"
    )
    parser.add_argument("--dry-run", action="store_true", help="say how many, delete nothing")


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ArgumentTypeError(f"{text!r}; a key, = and a value are accepted")
    return key, value


def run(database: Database, options: Namespace) -> Answer:
    found = matching(database, options.collection, question=options.question, where=options.where)
    if options.dry_run or not found:
        said = f"{len(found):,} questions match. Nothing was deleted."
        return Answer({"matching": len(found), "questions": 0}, said)
    done = forget(database, options.collection, found)
    document = {"matching": len(found), **dataclasses.asdict(done), "remains": BACKUPS}
    return Answer(document, str(done))
