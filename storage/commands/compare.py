"""Selectors over a whole collection, and saving that."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from storage.commands import Answer
from storage.commands._options import Ticker, budget, number, selection_arguments, selectors, table
from storage.compare import Comparison, compare
from storage.engine import Database
from storage.saved import save_comparison

HELP = "compare selectors over a collection; the first is the baseline"
SHOWN = ("claim_recall", "evidence_recall", "redundancy", "tokens")


def arguments(parser: ArgumentParser) -> None:
    selection_arguments(parser)
    parser.add_argument("--save", metavar="NAME", help="keep it under this name")
    parser.add_argument("--note", default="", help="a line about it, saved with it")
    parser.add_argument("--replace", action="store_true", help="replace one of the same name")


def run(database: Database, options: Namespace) -> Answer:
    ticker = Ticker("questions")
    found = compare(
        database,
        options.collection,
        selectors(options),
        budget(options),
        relevance=options.relevance,
        progress=ticker,
    )
    ticker.end()
    if options.save is not None:
        save_comparison(
            database, found, name=options.save, note=options.note, replace=options.replace
        )
    return Answer(_document(found), _text(found, saved=options.save))


def _document(found: Comparison) -> dict[str, object]:
    return {
        "collection": found.collection,
        "selectors": [
            {
                "selector": spec,
                "measures": {name: mean for name, (mean, _) in found.means(spec).items()},
                "defined": {name: n for name, (_, n) in found.means(spec).items()},
                "questions": [
                    {
                        "question": row.question,
                        "measures": dict(row.measures),
                        "ranks": list(row.ranks),
                    }
                    for row in found.rows
                    if row.selector == spec
                ],
            }
            for spec in found.selectors
        ],
    }


def _text(found: Comparison, *, saved: str | None) -> str:
    rows = []
    for spec in found.selectors:
        means = found.means(spec)
        cells = (means.get(name, (None, 0)) for name in SHOWN)
        rows.append((spec, *(f"{number(mean)} (n={n})" for mean, n in cells)))
    head = ("mean over questions", *SHOWN)
    tail = [f"Saved as {saved!r}."] if saved is not None else []
    return "\n".join([table(head, rows), *tail])
