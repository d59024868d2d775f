"""Opening what people have, packed or not, with a byte order mark or without, or saying why not."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from storage.report import Problem, Report

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of one line beyond which a file is taken for something else."""

UTF8 = "text in UTF-8 (a spreadsheet offers it as 'CSV UTF-8')"
_KINDS = (
    (b"PK\x03\x04", "a ZIP archive or a spreadsheet workbook"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "a SQLite database"),
    (b"%PDF", "a PDF document"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
)


class Unreadable(Exception):
    """The rest of a file cannot be read: why, at which line, and what is accepted instead."""

    def __init__(self, found: str, accepted: str, line: int | None = None) -> None:
        super().__init__(found)
        self.found, self.accepted, self.line = found, accepted, line


def name_of(path: Path) -> str:
    """A file's own name, fit for every screen whatever bytes it is made of."""
    return os.fsencode(path.name).decode("utf-8", "replace")


@contextmanager
def explained(path: Path, report: Report) -> Iterator[None]:
    """Whatever the file system, the unpacker or a reader says of a file becomes a problem."""
    try:
        yield
    except Unreadable as error:
        wrong = (error.found, error.accepted, error.line)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        wrong = ("a packed file that is damaged or cut off", "a whole gzip file", None)
    except OSError as error:
        wrong = (f"that it cannot be read ({error.strerror or error})", "a readable file", None)
    else:
        return
    found, accepted, line = wrong
    report.add(Problem(file=name_of(path), line=line, found=found, accepted=accepted))


@contextmanager
def opened(path: Path) -> Iterator[io.BufferedReader]:
    """The bytes of a text file, unpacked where it is packed, behind its byte order mark.

    :raises Unreadable: for a file that is empty or is known not to be text.
    """
    with path.open("rb") as raw:
        stream = _unpacked(raw) if raw.peek(2)[:2] == b"\x1f\x8b" else raw
        start = stream.peek(1 << 12)
        _refuse_what_is_no_text(start)
        if start.startswith(b"\xef\xbb\xbf"):
            stream.read(3)
        yield stream


def _unpacked(raw: io.BufferedReader) -> io.BufferedReader:
    return io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=raw)), 1 << 16)


def _refuse_what_is_no_text(start: bytes) -> None:
    if not start:
        raise Unreadable("an empty file", "a file with at least one question")
    for mark, kind in _KINDS:
        if start.startswith(mark):
            raise Unreadable(kind, UTF8)
    if start[:256].count(0) > 8:
        raise Unreadable("bytes that are no text", UTF8)


def lines(stream: io.BufferedReader, file: str, report: Report) -> Iterator[tuple[int, str, bool]]:
    """Number (1-based) and text of each line, and whether it is sound; bad bytes are a problem.

    :raises Unreadable: for a line without an end.
    """
    number = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            limit = f"a line of at most {LONGEST_LINE:,} bytes"
            raise Unreadable("a line that does not end", limit, number)
        try:
            text, sound = raw.decode(), True
        except UnicodeDecodeError as error:
            found = f"{bad_byte(error)} at byte {error.start + 1} of the line"
            report.add(Problem(file=file, line=number, found=found, accepted=UTF8))
            text, sound = raw.decode(errors="replace"), False
        yield number, text, sound


def bad_byte(error: UnicodeDecodeError) -> str:
    """The byte that is no UTF-8."""
    return f"the byte 0x{error.object[error.start]:02X}, which is no UTF-8,"
