"""Reading a text as if it were a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from storage.engine import Database
from storage.formats import format_of
from storage.opening import open_database
from storage.records import QuestionRecord
from storage.report import Report

Read = tuple[tuple[QuestionRecord, ...], Report]


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Read]:
    """Records and report of a format for contents (texts or bytes), one file each."""

    def run(name: str, *contents: str | bytes, suffix: str = "") -> Read:
        paths = []
        for number, content in enumerate(contents, start=1):
            path = tmp_path / f"file{number}{suffix or format_of(name).suffixes[0]}"
            path.write_bytes(content.encode() if isinstance(content, str) else content)
            paths.append(path)
        report = Report()
        return tuple(format_of(name).read(paths, report)), report

    return run


@pytest.fixture
def read_one(read: Callable[..., Read]) -> Callable[..., Read]:
    """The same for one JSON record."""

    def run(name: str, **record: Any) -> Read:
        return read(name, json.dumps(record))

    return run


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty database."""
    opened = open_database(f"sqlite:///{tmp_path / 'test.sqlite'}", samples=False)
    yield opened
    opened.close()
