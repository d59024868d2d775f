"""Who did what."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from storage.commands import Answer
from storage.commands._options import table
from storage.deeds import deeds
from storage.engine import Database

HELP = "list who imported, saved, judged and deleted what, the newest first"
MOST = 1_000_000


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="how many (50)")


def run(database: Database, options: Namespace) -> Answer:
    found = deeds(database, limit=max(0, min(options.limit, MOST)))
    document = {
        "deeds": [
            {
                "at": one.at.isoformat(),
                "who": one.who,
                "deed": one.deed,
                "collection": one.collection,
                "what": one.what,
            }
            for one in found
        ]
    }
    rows = [
        (f"{one.at:%Y-%m-%d %H:%M:%S}", one.who, one.deed, one.collection, one.what)
        for one in found
    ]
    return Answer(document, table(("UTC", "who", "deed", "collection", "what"), rows))
