"""What reading a file has to say: every problem with its place, guesses, and how much was read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

KEPT = 1000
"""Problems that are kept with their places; all of them are counted."""

NOTHING_STORED = "Nothing was stored."


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong. line and record are 1-based; None where the file has no such place.

    field: path in the record ("passages[2].tokens", 0-based in brackets) or column; empty where the
    whole line is meant. found, accepted: in words, without a full stop.
    """

    file: str
    found: str
    accepted: str
    line: int | None = None
    record: int | None = None
    field: str = ""

    def __str__(self) -> str:
        return _printable(f"{self.place}: found {self.found}; {self.accepted} is accepted.")

    @property
    def place(self) -> str:
        """File, line (or record where lines say nothing) and field, as far as they are known."""
        parts = [self.file]
        if self.line is not None:
            parts.append(f"line {self.line}")
        elif self.record is not None:
            parts.append(f"record {self.record}")
        if self.field:
            parts.append(self.field)
        return _printable(", ".join(parts))


def _printable(text: str) -> str:
    """A text on one line: names of files and fields come from outside, and may hold anything."""
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in text
    )


class ImportRefused(ValueError):
    """A file with problems: the text lists them all and ends by saying that nothing was stored."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.refusal)
        self.report = report


@dataclass(slots=True)
class _Note:
    kind: Literal["warning", "guess"]
    text: str
    first: str
    times: int = 1

    def __str__(self) -> str:
        if not self.first:
            return self.text
        again = f", {self.times} times in all" if self.times > 1 else ""
        return f"{self.text} ({self.first}{again})"


@dataclass(slots=True)
class Report:
    """Collects what a reader finds. Problems refuse the import; warnings and guesses only inform.

    problems: the first `KEPT`, with their places. total: how many there are in truth.
    rows_read, rows_usable: records of a JSON file, rows of a table.
    """

    problems: list[Problem] = field(default_factory=list)
    total: int = 0
    rows_read: int = 0
    rows_usable: int = 0
    _notes: dict[str, _Note] = field(default_factory=dict, repr=False)

    def add(self, problem: Problem) -> None:
        """Note a problem."""
        self.total += 1
        if len(self.problems) < KEPT:
            self.problems.append(problem)

    def warn(self, text: str, *, first: str = "") -> None:
        """Note what a person should know; the same text is said once, with how often it applied.

        first: where it applied first, as words.
        """
        self._note("warning", text, first)

    def guess(self, text: str, *, first: str = "") -> None:
        """Note what was assumed because the file does not say."""
        self._note("guess", text, first)

    @property
    def warnings(self) -> tuple[str, ...]:
        return self._said("warning")

    @property
    def guesses(self) -> tuple[str, ...]:
        return self._said("guess")

    @property
    def refusal(self) -> str:
        """All kept problems, one a line, between how many there are and that nothing was stored."""
        count = "1 problem" if self.total == 1 else f"{self.total:,} problems"
        more = self.total - len(self.problems)
        return "\n".join(
            [
                f"The import was refused: {count}, {self._rows()}.",
                *(f"- {problem}" for problem in self.problems),
                *([f"- and {more:,} more."] if more else []),
                NOTHING_STORED,
            ]
        )

    def raise_if_any(self) -> None:
        """Refuse the import if there is a problem.

        :raises ImportRefused: listing every problem with its line, field and what is accepted.
        """
        if self.total:
            raise ImportRefused(self)

    def _rows(self) -> str:
        rows = "1 row" if self.rows_read == 1 else f"{self.rows_read:,} rows"
        return f"{rows} read, {self.rows_usable:,} of them usable"

    def _note(self, kind: Literal["warning", "guess"], text: str, first: str) -> None:
        known = self._notes.get(text)
        if known is None:
            self._notes[text] = _Note(kind, text, first)
        else:
            known.times += 1

    def _said(self, kind: str) -> tuple[str, ...]:
        return tuple(str(note) for note in _of_kind(self._notes.values(), kind))


def _of_kind(notes: Iterable[_Note], kind: str) -> Iterable[_Note]:
    return (note for note in notes if note.kind == kind)
