"""Rows of a Parquet file as plain values, so that a format reads it like JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from storage.formats._files import Unreadable, explained, name_of
from storage.formats._json import Place, json_values
from storage.report import Problem, Report

BATCH = 1000
"""Rows that are taken out of a file at once."""


def values_of(path: Path, report: Report) -> Iterator[tuple[Place, Any]]:
    """Every object of a JSON or Parquet file; what cannot be read goes to the report."""
    return _rows(path, report) if _is_parquet(path) else json_values(path, report)


def _is_parquet(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(4) == b"PAR1"
    except OSError:
        return False


def _rows(path: Path, report: Report) -> Iterator[tuple[Place, Any]]:
    import pyarrow
    from pyarrow import parquet

    file, record = name_of(path), 0
    with explained(path, report):
        try:
            with parquet.ParquetFile(path) as source:
                for batch in source.iter_batches(BATCH):
                    for row in batch.to_pylist():
                        record += 1
                        report.rows_read += 1
                        yield Place(file, 0, record), _plain(row)
        except (pyarrow.ArrowException, UnicodeDecodeError, OverflowError) as error:
            found = f"a Parquet file that cannot be read ({_in_short(error)})"
            raise Unreadable(found, "a whole Parquet file") from None
        if not record:
            report.add(Problem(file=file, found="no question", accepted="a table with rows"))


def _in_short(error: Exception) -> str:
    """The first line of an error, fit for every screen."""
    lines = str(error).splitlines() or [type(error).__name__]
    return repr(lines[0][:100])[1:-1]


def _plain(value: Any) -> Any:
    """A value as JSON would have it: moments as text, NaN (a gap, to pandas) as null."""
    match value:
        case dict():
            return {str(name): _plain(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_plain(inner) for inner in value]
        case float() if value != value:
            return None
        case date() | time():
            return value.isoformat()
        case Decimal():
            return float(value)
        case bytes() | timedelta():
            return str(value)
        case _:
            return value
