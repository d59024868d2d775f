"""Cells of the files of TREC, whose columns are apart by blanks: no id may hold one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TextIO
from urllib.parse import quote

from storage.records import QuestionRecord

_BLANKS = re.compile(r"[\s%]")


def cell(id: str) -> str:
    """An id as one cell: blanks, and the sign that escapes them, as %20 and the like."""
    return _BLANKS.sub(lambda found: quote(found[0]), id) or "%20"


def write_run(records: Iterable[QuestionRecord], stream: TextIO) -> None:
    """The order of the passages as a run. Scores count down to 1, since readers sort by score."""
    for record in records:
        total = len(record.passages)
        for rank, passage in enumerate(record.passages, start=1):
            ids = f"{cell(record.id)} Q0 {cell(passage.id)}"
            stream.write(f"{ids} {rank} {total + 1 - rank} rank13\n")
