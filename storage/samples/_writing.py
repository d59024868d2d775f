"""Reading the written texts of the built-in collections, and the places marked in them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any

_MARK = re.compile(r"\[\[(?P<key>\w+)\|(?P<words>[^]]+)\]\]")


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked place: its key, and where it stands in the plain text, end exclusive."""

    key: str
    start: int
    end: int


def written(name: str) -> dict[str, Any]:
    """The content of one file of `texts/`; who calls it knows its shape and puts it into types."""
    file = resources.files(__package__).joinpath("texts", f"{name}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def read_marks(marked: str) -> tuple[str, tuple[Mark, ...]]:
    """Plain text and places of a text in which `[[key|sentence]]` marks what carries a claim.

    Line breaks and runs of blanks become one blank.
    """
    source = " ".join(marked.split())
    pieces: list[str] = []
    marks: list[Mark] = []
    length = end = 0
    for match in _MARK.finditer(source):
        before, words = source[end : match.start()], match["words"]
        start = length + len(before)
        length = start + len(words)
        marks.append(Mark(match["key"], start, length))
        pieces += [before, words]
        end = match.end()
    pieces.append(source[end:])
    return "".join(pieces), tuple(marks)


def descending_scores(first: float, steps: list[float]) -> list[float]:
    """Scores from the first one down, one more than there are steps, each to four digits."""
    scores = [round(first, 4)]
    for step in steps:
        scores.append(round(scores[-1] - step, 4))
    return scores
