"""One question, selector by selector, with the decision on every rank."""

from __future__ import annotations

import dataclasses
from argparse import ArgumentParser, Namespace

from selection.ledger import Decision, Selection
from selection.measures import measure
from storage import queries
from storage.commands import Answer
from storage.commands._options import budget, number, selection_arguments, selectors, table
from storage.engine import Database

HELP = "show what selectors do on one question, rank by rank"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--question", required=True, metavar="ID", help="id of the question")
    selection_arguments(parser)


def run(database: Database, options: Namespace) -> Answer:
    view = queries.question(
        database, options.collection, options.question, relevance=options.relevance
    )
    chosen = [one.select(view.pool, budget(options)) for one in selectors(options)]
    document = {
        "question": view.id,
        "sources": dataclasses.asdict(view.sources),
        "selections": [
            {
                "selector": one.selector.spec,
                "tokens": one.tokens,
                "ranks": list(one.ranks),
                "measures": measure(view.pool, one),
                "decisions": [dataclasses.asdict(decision) for decision in one.decisions],
            }
            for one in chosen
        ],
    }
    parts = [view.question, *(_text(one) for one in chosen)]
    return Answer(document, "\n\n".join(parts))


def _text(selection: Selection) -> str:
    left = "" if selection.remaining is None else f", {selection.remaining:,} left"
    sent = f"{len(selection.ranks)} passages, {number(selection.tokens)} tokens{left}"
    head = f"{selection.selector.spec}: {sent}"
    rows = [_row(decision) for decision in selection.decisions]
    return f"{head}\n{table(('rank', 'tokens', 'new', 'left', 'decision'), rows)}"


def _row(decision: Decision) -> tuple[str, ...]:
    said = f"in, step {decision.step}" if decision.admitted else decision.detail
    return (
        str(decision.rank),
        number(decision.tokens),
        number(decision.new_claims),
        number(decision.remaining),
        said,
    )
