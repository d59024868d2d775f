"""JSON values from a file, one by one with their line: JSON lines, or a printed array or object."""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from storage.formats._files import (
    UTF8,
    Unreadable,
    bad_byte,
    explained,
    lines,
    name_of,
    opened,
)
from storage.report import Problem, Report

JSON_TEXT = "JSON: an object a line, or an array of objects"
_BLANKS = re.compile(r"[ \t\r\n]*")
_NEAR = 16
"""An error this close to the end of what was read may be a value that is not all there yet."""


def _after_blanks(text: str, start: int) -> int:
    found = _BLANKS.match(text, start)
    return start if found is None else found.end()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands. line: where it starts; record: its number. Both 1-based.

    line is 0 where a line says nothing: in a Parquet file, or within one long object.
    """

    file: str
    line: int
    record: int


class _Twice(ValueError):
    """A name that stands twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return made


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def json_values(path: Path, report: Report) -> Iterator[tuple[Place, Any]]:
    """Every JSON value of a file that can be read; what cannot goes to the report.

    In JSON lines a broken line is skipped; in an array reading ends at the first broken value.
    """
    file, before, empty = name_of(path), report.total, True
    with explained(path, report), opened(path) as stream:
        for place, value in _values(stream, file, report):
            empty = False
            yield place, value
    if empty and report.total == before:
        report.add(Problem(file=file, found="no question", accepted=JSON_TEXT))


def _values(stream: io.BufferedReader, file: str, report: Report) -> Iterator[tuple[Place, Any]]:
    first = stream.peek(1 << 12).lstrip()[:80]
    if first[:1] == b"[":
        return _in_array(_Text(stream), file, report)
    if first.split(b"\n")[0].strip() == b"{":
        return _printed(_Text(stream), file, report)
    if first and first[:1] != b"{":
        shown = first.split(b"\n")[0].decode("utf-8", "replace")
        raise Unreadable(f"a file that starts with {shown!r}", JSON_TEXT, 1)
    return _by_line(stream, file, report)


def _by_line(stream: io.BufferedReader, file: str, report: Report) -> Iterator[tuple[Place, Any]]:
    record = 0
    for number, line, sound in lines(stream, file, report):
        if line.isspace():
            continue
        record += 1
        report.rows_read += 1
        if not sound:
            continue
        try:
            value = _DECODER.decode(line)
        except (ValueError, RecursionError) as error:
            field, found, accepted = _explain(error, line)
            report.add(Problem(file=file, line=number, field=field, found=found, accepted=accepted))
        else:
            yield Place(file, number, record), value


class _Text:
    """The text of a stream, of which only as much is kept as the value at hand needs."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream
        self._bytes = codecs.getincrementaldecoder("utf-8")()
        self._text, self._at, self._chunk, self._ended = "", 0, 1 << 16, False
        self.line = 1

    def next_character(self) -> str:
        """The next character that is no blank, not yet taken; empty at the end."""
        while True:
            end = _after_blanks(self._text, self._at)
            self.line += self._text.count("\n", self._at, end)
            self._at = end
            if end < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def take(self) -> str:
        """Take that character."""
        taken = self.next_character()
        self._at += len(taken)
        return taken

    def value(self) -> Any:
        """Take a whole JSON value.

        :raises Unreadable: where there is none.
        """
        self.next_character()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except (ValueError, RecursionError) as error:
                if _may_go_on(error, len(self._text)) and self._more():
                    continue
                field, found, accepted = _explain(error, self._text)
                where = f" in {field}" if field else ""
                raise Unreadable(found + where, accepted, self._line_of(error)) from None
            self.line += self._text.count("\n", self._at, end)
            self._at = end
            return value

    def _line_of(self, error: Exception) -> int:
        end = error.pos if isinstance(error, json.JSONDecodeError) else self._at
        return self.line + self._text.count("\n", self._at, end)

    def _more(self) -> bool:
        """Read on, each time twice as much within one value; False at the end of the file."""
        if self._ended:
            return False
        if self._at:
            self._chunk = 1 << 16
        raw = self._stream.read(self._chunk)
        self._chunk *= 2
        self._ended = not raw
        try:
            self._text = self._text[self._at :] + self._bytes.decode(raw, final=self._ended)
        except UnicodeDecodeError as error:
            line = self.line + self._text.count("\n", self._at) + raw.count(b"\n", 0, error.start)
            raise Unreadable(bad_byte(error).rstrip(","), UTF8, line) from None
        self._at = 0
        return not self._ended


def _in_array(text: _Text, file: str, report: Report) -> Iterator[tuple[Place, Any]]:
    text.take()
    if text.next_character() == "]":
        text.take()
    else:
        yield from _members(text, file, report)
    if text.next_character():
        raise Unreadable("more text after the end of the array", JSON_TEXT, text.line)


def _members(text: _Text, file: str, report: Report) -> Iterator[tuple[Place, Any]]:
    for record in count(1):
        text.next_character()
        place = Place(file, text.line, record)
        report.rows_read += 1
        yield place, text.value()
        mark = text.take()
        if mark == "]":
            return
        if mark != ",":
            found = f"{mark!r}" if mark else "the end of the file"
            raise Unreadable(f"{found} after record {record}", "a comma or ']'", text.line)


def _printed(text: _Text, file: str, report: Report) -> Iterator[tuple[Place, Any]]:
    record = 0
    while text.next_character():
        record += 1
        report.rows_read += 1
        yield Place(file, text.line, record), text.value()


def _may_go_on(error: Exception, length: int) -> bool:
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated") or error.pos >= length - _NEAR


def _explain(error: Exception, text: str) -> tuple[str, str, str]:
    """Field, what was found, and what is accepted, for a text that is no JSON."""
    if isinstance(error, _Twice):
        return error.args[0], "a name that stands twice in one object", "each name once"
    if isinstance(error, RecursionError):
        return "", "lists or objects that are nested too deeply", "a plain record"
    if not isinstance(error, json.JSONDecodeError):
        return "", "a number with more digits than can be read", "a number of common size"
    if error.msg == "Extra data":
        rest = text[error.pos : error.pos + 40].rstrip()
        return "", f"more text after the end of the object: {rest!r}", "one object a line"
    if error.msg.startswith("Unterminated") or error.pos >= len(text.rstrip()):
        return "", "a value that is cut off before its end", JSON_TEXT
    near = text[max(0, error.pos - 20) : error.pos + 20].strip()
    return "", f"text that is no JSON near {near!r} ({error.msg})", JSON_TEXT
