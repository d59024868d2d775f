"""The fields of one record, taken by name and checked; what is wrong goes to the report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from storage.formats._json import Place
from storage.report import Problem, Report

LONGEST_ID = 500
LARGEST = 2**31 - 1
"""Largest whole number that every database stores in a plain integer column."""
DEEPEST = 32
"""Levels of lists and objects inside metadata."""

TEXT = "a text in quotes"
FILLED = "a text in quotes that is not empty"
IDENTIFIER = f"a text of 1 to {LONGEST_ID} characters that is not blank, or a number,"
FLAG = "true or false"
LIST = "a list"
OBJECT = "an object"
METADATA = "an object of plain values"


class Fields:
    """One object of a record. path: where it stands in the record, with the dot that follows it.

    Every method answers with the checked value, or with None (or an empty tuple) where the field is
    missing, null, or wrong; what is wrong is in the report afterwards.
    """

    __slots__ = ("path", "place", "report", "values")

    def __init__(
        self, values: Mapping[str, Any], place: Place, report: Report, path: str = ""
    ) -> None:
        self.values, self.place, self.report, self.path = values, place, report, path

    def wrong(self, name: str, found: str, accepted: str) -> None:
        """Report a field of this object."""
        self.report.add(
            Problem(
                file=self.place.file,
                line=self.place.line or None,
                record=self.place.record,
                field=self.path + name,
                found=found,
                accepted=accepted,
            )
        )

    def warn(self, text: str) -> None:
        """Note what a person should know of this record and its like."""
        self.report.warn(text, first=f"first in {self.where}")

    @property
    def where(self) -> str:
        """The place of the record in words."""
        place = self.place
        kind, number = ("line", place.line) if place.line else ("record", place.record)
        return f"{place.file}, {kind} {number}"

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self.values.get(name) is not None

    def text(self, name: str, *, required: bool = False, blank: bool = True) -> str | None:
        """A text. blank: whether one without a visible character is accepted."""
        value = self._value(name, required, TEXT if blank else FILLED)
        return None if value is None else self._text(name, value, blank=blank)

    def identifier(self, name: str, *, required: bool = False) -> str | None:
        """An id. A number is read as text."""
        value = self._value(name, required, IDENTIFIER)
        return None if value is None else self._identifier(name, value)

    def identifiers(self, name: str) -> tuple[str, ...] | None:
        """A list of ids."""
        found = self.items(name)
        if found is None:
            return None
        ids = (self._identifier(f"{name}[{at}]", value) for at, value in enumerate(found))
        return tuple(one for one in ids if one is not None)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts that are not empty."""
        found = enumerate(self.items(name) or ())
        held = (self._text(f"{name}[{at}]", value, blank=False) for at, value in found)
        return tuple(text for text in held if text is not None)

    def whole(self, name: str, *, low: int = 0) -> int | None:
        """A whole number from low to `LARGEST`."""
        value = self.values.get(name)
        if value is None:
            return None
        fits = type(value) in (int, float) and low <= value <= LARGEST
        if not fits or int(value) != value:
            self.wrong(name, shown(value), f"a whole number from {low} to {LARGEST:,}")
            return None
        return int(value)

    def number(self, name: str, *, low: float | None = None) -> float | None:
        """A finite number, of low or more."""
        value = self.values.get(name)
        if value is None:
            return None
        number = _finite(value)
        if number is None or (low is not None and number < low):
            least = "" if low is None else f" of {low:g} or more"
            self.wrong(name, shown(value), f"a finite number{least}")
            return None
        return number

    def vector(self, name: str) -> tuple[float, ...] | None:
        """A list of at least one finite number."""
        value = self.items(name)
        if value is None:
            return None
        numbers = tuple(map(_finite, value))
        if not numbers:
            self.wrong(name, "an empty list", "a list of numbers, or null")
            return None
        if None in numbers:
            at = numbers.index(None)
            self.wrong(f"{name}[{at}]", shown(value[at]), "a finite number")
            return None
        return tuple(number for number in numbers if number is not None)

    def flag(self, name: str) -> bool | None:
        """true or false."""
        value = self.values.get(name)
        if value is None or isinstance(value, bool):
            return value
        self.wrong(name, shown(value), FLAG)
        return None

    def items(self, name: str, *, required: bool = False) -> list[Any] | None:
        """A list of anything."""
        value = self._value(name, required, LIST)
        if value is None or isinstance(value, list):
            return value
        self.wrong(name, shown(value), LIST)
        return None

    def objects(self, name: str, *, required: bool = False) -> Iterator[Fields]:
        """The objects of a list, each with its own path; members that are none are reported."""
        for at, value in enumerate(self.items(name, required=required) or ()):
            if isinstance(value, dict):
                yield self.inner(f"{name}[{at}]", value)
            else:
                self.wrong(f"{name}[{at}]", shown(value), OBJECT)

    def inner(self, name: str, values: Mapping[str, Any]) -> Fields:
        """An object inside this one."""
        return Fields(values, self.place, self.report, f"{self.path}{name}.")

    def metadata(self, known: frozenset[str]) -> dict[str, Any]:
        """The field "metadata", with every field that is not known beside it."""
        kept: dict[str, Any] = {}
        given = self.values.get("metadata")
        if isinstance(given, dict):
            kept.update(self.checked(given, "metadata."))
        elif given is not None:
            self.wrong("metadata", shown(given), METADATA)
        unknown = {name: value for name, value in self.values.items() if name not in known}
        for name, value in self.checked(unknown).items():
            if name in kept and kept[name] != value:
                self.wrong(plain(name), "other values here and in metadata", "the field once")
            self._warn_of_a_slip(name, known)
            kept[name] = value
        return kept

    def checked(self, values: Mapping[str, Any], path: str = "") -> Mapping[str, Any]:
        """Free values, after those that cannot be kept are reported."""
        for name, found, accepted in _unfit(values) if values else ():
            self.wrong(plain(path + name).rstrip("."), found, accepted)
        return values

    def nothing_else(self, known: frozenset[str]) -> None:
        """Warn of fields that nobody keeps."""
        for name in self.values.keys() - known:
            kind = self.path.rstrip(".0123456789[]").rpartition(".")[2]
            what = f"The field {quoted(name)} in {kind} is not known and is not kept"
            self.warn(what + (_meant(name, known) or "."))

    def _value(self, name: str, required: bool, accepted: str) -> Any:
        value = self.values.get(name)
        if value is None and required:
            there = ", ".join(quoted(other, 30) for other in list(self.values)[:8])
            others = f"only {there}" if there else "an empty object"
            self.wrong(name, "null" if name in self.values else others, accepted)
        return value

    def _text(self, name: str, value: Any, *, blank: bool) -> str | None:
        if not isinstance(value, str) or not (blank or value.strip()):
            self.wrong(name, shown(value), TEXT if blank else FILLED)
            return None
        return self._clean(name, value)

    def _identifier(self, name: str, value: Any) -> str | None:
        if isinstance(value, (int, float)) and _finite(value) is not None:
            value = str(value)
        if not isinstance(value, str) or len(value) > LONGEST_ID or not value.strip():
            self.wrong(name, shown(value), IDENTIFIER)
            return None
        return self._clean(name, value)

    def _clean(self, name: str, value: str) -> str | None:
        flaw = _flaw(value)
        if flaw:
            self.wrong(name, flaw, "a text of whole Unicode characters")
            return None
        return value

    def _warn_of_a_slip(self, name: str, known: frozenset[str]) -> None:
        meant = _meant(name, known)
        if meant:
            self.warn(f"The field {quoted(name)} is kept as metadata{meant}")


def shown(value: Any) -> str:
    """A found value in words, short and with nothing that a terminal would obey."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text {quoted(value)}" if value else "an empty text"
        case list():
            return f"a list of {len(value)}" if value else "an empty list"
        case dict():
            return "an object"
        case int() if abs(value) >= 10**20:
            return "a number with more than 20 digits"
        case _:
            return f"the number {value!r}"


def quoted(text: str, longest: int = 60) -> str:
    """A text in quotes, cut to fit a sentence, whatever is not printable written out."""
    return repr(text if len(text) <= longest else text[: longest - 1] + "…")


def plain(text: str) -> str:
    """The same without quotes."""
    return quoted(text)[1:-1]


def _finite(value: Any) -> float | None:
    """A number as float; None for what is no finite number (true and false are none)."""
    if type(value) is float:
        return value if math.isfinite(value) else None
    if type(value) is not int:
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def _flaw(text: str) -> str:
    """Why a text cannot be stored everywhere; empty where it can."""
    if "\x00" in text:
        return "a text with a NUL character"
    if text.isascii():
        return ""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"half a character (\\u{ord(text[error.start]):04x}) in the text"
    return ""


def _unfit(values: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Path, finding and what is accepted, for each value of free metadata that cannot be kept."""
    waiting: list[tuple[str, Any, int]] = [("", values, 0)]
    while waiting:
        path, value, depth = waiting.pop()
        if isinstance(value, (dict, list)):
            if depth > DEEPEST:
                yield path, f"more than {DEEPEST} levels of lists and objects", "flatter metadata"
                continue
            waiting.extend((name, inner, depth + 1) for name, inner in _members(path, value))
        elif isinstance(value, float) and not math.isfinite(value):
            yield path, shown(value), "a finite number"
        if isinstance(value, (dict, str)):
            flaw = _flaw(value) if isinstance(value, str) else "".join(map(_flaw, value))
            if flaw:
                yield path, flaw, "a text of whole Unicode characters"


def _members(path: str, value: dict[str, Any] | list[Any]) -> Iterable[tuple[str, Any]]:
    if isinstance(value, list):
        return ((f"{path}[{at}]", inner) for at, inner in enumerate(value))
    dot = f"{path}." if path else ""
    return ((dot + name, inner) for name, inner in value.items())


@lru_cache(maxsize=1000)
def _meant(name: str, known: frozenset[str]) -> str:
    if len(name) > 2 * max(map(len, known)):
        return ""
    close = get_close_matches(name.lower(), sorted(known), n=1, cutoff=0.8)
    return f"; did you mean {close[0]!r}?" if close else ""
