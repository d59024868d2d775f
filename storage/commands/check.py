"""Exit 0 where all is well, 1 where something is damaged."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from storage.commands import Answer
from storage.engine import Database
from storage.upkeep import check

HELP = "look for damage: the file, references, counts, fingerprints"


def arguments(parser: ArgumentParser) -> None:
    """It takes none."""


def run(database: Database, options: Namespace) -> Answer:
    found = check(database)
    document = {
        "questions": found.questions,
        "candidates": found.candidates,
        "problems": list(found.problems),
    }
    seen = f"{found.questions:,} questions with {found.candidates:,} candidates looked at"
    text = "\n".join([f"{seen}: {len(found.problems):,} problems.", *found.problems])
    return Answer(document, text, code=1 if found.problems else 0)
