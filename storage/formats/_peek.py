"""The start of a file, as much as tells formats apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from storage.formats._files import explained, lines, name_of, opened
from storage.formats._parquet import values_of
from storage.report import Report


@dataclass(frozen=True, slots=True)
class Peek:
    """record: the first object of a JSON or Parquet file, empty for other files.

    first_line: of the others; start: as much of them as fits in 4,000 characters.
    """

    record: Mapping[str, Any] = field(default_factory=dict)
    first_line: str = ""
    start: str = ""

    @property
    def keys(self) -> frozenset[str]:
        """The names in the first object."""
        return frozenset(self.record)


def peek(path: Path) -> Peek:
    """Look at the first record or the first line; what cannot be read looks like nothing."""
    unheard = Report()
    for _, value in values_of(path, unheard):
        if isinstance(value, dict):
            return Peek(record=value)
    with explained(path, unheard), opened(path) as stream:
        for _, line, _ in lines(stream, name_of(path), unheard):
            if line.strip():
                rest = stream.peek(4000)[:4000].decode("utf-8", "ignore")
                return Peek(first_line=line, start=(line + rest)[:4000])
    return Peek()
