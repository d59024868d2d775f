"""List what is stored."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from storage import queries
from storage.commands import Answer
from storage.commands._options import table
from storage.engine import Database

HELP = "list the stored collections"


def arguments(parser: ArgumentParser) -> None:
    """It takes none."""


def run(database: Database, options: Namespace) -> Answer:
    found = queries.collections(database)
    document = {
        "collections": [
            {
                "name": one.name,
                "made_up": one.made_up,
                "format": one.format,
                "questions": one.questions,
                "candidates": one.candidates,
                "with_outcomes": one.with_outcomes,
                "with_evidence": one.with_evidence,
                "with_facts": one.with_facts,
                "with_claims": one.with_claims,
                "comparisons": one.comparisons,
            }
            for one in found
        ]
    }
    rows = [
        (
            f"{one.name} (made up)" if one.made_up else one.name,
            f"{one.questions:,}",
            f"{one.candidates:,}",
            f"{one.with_outcomes:,}",
            f"{one.with_evidence:,}",
            f"{one.with_facts:,}",
        )
        for one in found
    ]
    head = ("collection", "questions", "candidates", "outcomes", "evidence", "facts")
    return Answer(document, table(head, rows))
