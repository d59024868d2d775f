"""Options and texts that several commands share."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path

from selection.model import Budget
from selection.registry import Selector, parse_selector
from storage.formats import format_of, guess, list_formats
from storage.imports import CannotImport
from storage.relevance import MODES


def selection_arguments(parser: ArgumentParser) -> None:
    """Collection, selectors, budget and relevance."""
    parser.add_argument("--collection", required=True, help="name of a stored collection")
    parser.add_argument(
        "--selector",
        action="append",
        required=True,
        metavar="SPEC",
        help="a selector such as 'mmr(lambda_=0.7)'; may be repeated",
    )
    parser.add_argument("--budget", type=int, metavar="TOKENS", help="tokens that may be sent")
    parser.add_argument("--passages", type=int, metavar="N", help="passages that may be sent")
    parser.add_argument(
        "--relevance",
        choices=MODES,
        help="how scores are rescaled within a pool (default: as given if all lie in [-1, 1], "
        "else minmax)",
    )


def selectors(options: Namespace) -> list[Selector]:
    return [parse_selector(spec) for spec in options.selector]


def budget(options: Namespace) -> Budget:
    return Budget(tokens=options.budget, passages=options.passages)


def readable() -> list[str]:
    """The names of the formats that can be read."""
    return [name for name in list_formats() if format_of(name).reads]


def guessed(paths: Sequence[Path]) -> str:
    """The format that the first file shows signs of.

    :raises CannotImport: where a file is not there, or nobody can tell.
    """
    for path in paths:
        if not path.is_file():
            raise CannotImport(f"There is no file {path}. Nothing was stored.")
    name = guess(paths[0])
    if name is None:
        raise CannotImport(
            f"What {paths[0].name} is could not be guessed; name it with --format "
            f"({', '.join(readable())}). Nothing was stored."
        )
    return name


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Plain columns: the first to the left, the others to the right."""
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    lines = []
    for row in [head, *rows]:
        cells = [
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def number(value: float | None) -> str:
    """A number for a person: n/a where undefined, whole where it is whole."""
    if value is None:
        return "n/a"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3f}"


class Ticker:
    """Progress on standard error, on one line, only where a person watches."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._shown = sys.stderr.isatty()

    def __call__(self, done: int, total: int | None = None) -> None:
        if self._shown:
            of = f" of {total:,}" if total else ""
            sys.stderr.write(f"\r{done:,}{of} {self._noun}")
            sys.stderr.flush()

    def end(self) -> None:
        if self._shown:
            sys.stderr.write("\n")
