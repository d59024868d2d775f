"""The commands of the command line, one file each; importing a module registers its command.

Each module declares `HELP`, `arguments(parser)` and `run(database, options)`, which returns the
document that is printed: as JSON with `--json`, else as text.
"""

from __future__ import annotations

import importlib
import pkgutil
from argparse import ArgumentParser, Namespace
from typing import Any, Protocol

from storage.engine import Database


class Command(Protocol):
    """What a module of this package declares."""

    HELP: str

    def arguments(self, parser: ArgumentParser) -> None: ...

    def run(self, database: Database, options: Namespace) -> Answer: ...


class Answer:
    """What a command says. document: for `--json`; text: for a person; code: the exit code."""

    def __init__(self, document: Any, text: str, code: int = 0) -> None:
        self.document = document
        self.text = text
        self.code = code


def all_commands() -> dict[str, Any]:
    """Command name -> module. A trailing underscore keeps a module's name off a reserved word."""
    names = [
        found.name for found in pkgutil.iter_modules(__path__) if not found.name.startswith("_")
    ]
    return {
        name.rstrip("_"): importlib.import_module(f"{__name__}.{name}") for name in sorted(names)
    }
