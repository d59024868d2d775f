"""Near-identical claims: which there are, what merging changes, and merging or parting them."""

from __future__ import annotations

import dataclasses
from argparse import ArgumentParser, Namespace

from selection.model import Budget
from selection.registry import parse_selector
from storage.commands import Answer
from storage.commands._options import number, table
from storage.engine import Database
from storage.equivalence.decisions import decide
from storage.equivalence.sensitivity import Found, look

HELP = "find claims that may say the same; merge them or keep them apart"
SHOWN = 20


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--collection", required=True, help="name of a stored collection")
    parser.add_argument("--threshold", type=float, default=0.9, help="cosine, above 0 to 1")
    parser.add_argument("--try-selector", default="marginal_gain", metavar="SPEC")
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="tokens that may be sent")
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--merge", nargs=2, metavar=("KEPT", "OTHER"), help="merge two claims")
    act.add_argument("--apart", nargs=2, metavar=("ONE", "OTHER"), help="keep two apart: undo")
    act.add_argument("--merge-all", action="store_true", help="merge every pair that is found")


def run(database: Database, options: Namespace) -> Answer:
    if options.merge or options.apart:
        pair = tuple(options.merge or options.apart)
        together = options.merge is not None
        decide(database, options.collection, [(pair[0], pair[1])], together=together)
        said = "Merged: one claim from now on." if together else "Apart: two claims from now on."
        return Answer({"merged" if together else "apart": [list(pair)]}, said)
    found = look(
        database,
        options.collection,
        threshold=options.threshold,
        selector=parse_selector(options.try_selector),
        budget=Budget(tokens=options.budget),
    )
    if options.merge_all:
        pairs = [(one.kept, one.other) for one in found.pairs]
        decide(database, options.collection, pairs, together=True)
        return Answer({"merged": [list(one) for one in pairs]}, f"{len(pairs):,} pairs merged.")
    return Answer(dataclasses.asdict(found), _text(found))


def _text(found: Found) -> str:
    rows = [
        (
            f"{one.threshold:.2f}",
            number(one.pairs),
            f"{one.claims:.1f}",
            f"{one.changed:,} of {one.of:,}",
        )
        for one in found.effects
    ]
    head = ("merged from", "pairs", "claims a question", "selections changed")
    lines = [f"{one.similarity:.2f}  {one.kept!r}  {one.other!r}" for one in found.pairs[:SHOWN]]
    more = len(found.pairs) - len(lines)
    rest = [f"and {more:,} more"] if more > 0 else []
    return "\n".join([table(head, rows), "", *(lines or ["No pair is that much alike."]), *rest])
