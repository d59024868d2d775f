"""One look at files: read whole in constant memory, every question checked, nothing stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.doctor.checks import Checks, Finding
from storage.doctor.outlook import Outlook, Outlooks
from storage.formats import format_of
from storage.report import NOTHING_STORED, Report

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What the doctor says. passages: candidates of all usable questions together."""

    format: str
    report: Report
    questions: int
    passages: int
    findings: tuple[Finding, ...]
    outlooks: tuple[Outlook, ...]

    @property
    def document(self) -> dict[str, Any]:
        """The same for a script; fields as in the dataclasses."""
        report = self.report
        return {
            "format": self.format,
            "usable": self.questions,
            "passages": self.passages,
            "rows_read": report.rows_read,
            "rows_usable": report.rows_usable,
            "problems": [str(one) for one in report.problems],
            "problem_count": report.total,
            "warnings": list(report.warnings),
            "guesses": list(report.guesses),
            "findings": [
                {"name": one.name, "text": one.text, "questions": one.questions, "first": one.first}
                for one in self.findings
            ],
            "measures": {
                name: {"defined": one.defined, "tried": one.tried, "needs": one.needs}
                for one in self.outlooks
                for name in one.measures
            },
            "stored": False,
        }

    @property
    def text(self) -> str:
        """The report for a person, ending with that nothing was stored."""
        if self.report.total:
            return "\n".join([self.report.refusal, *self.notes])
        head = (
            f"{self.questions:,} questions with {self.passages:,} passages can be imported as "
            f"{format_of(self.format).title}, from {self.report.rows_read:,} rows."
        )
        return "\n".join([head, *self.notes, NOTHING_STORED])

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed, what is worth knowing, and what measures will say; a line each."""
        return (
            *(f"Guessed: {one}" for one in self.report.guesses),
            *self.report.warnings,
            *(finding_words(one, self.questions) for one in self.findings),
            *(outlook_words(one) for one in self.outlooks),
        )


def finding_words(one: Finding, questions: int) -> str:
    """A finding with how many questions it is true of."""
    return f"{one.questions:,} of {questions:,} questions (first {one.first!r}): {one.text}"


def outlook_words(one: Outlook) -> str:
    """What measures that need the same will say, in one line."""
    titles = ", ".join(one.titles)
    if not one.defined:
        return f"n/a, no {one.needs}: {titles}."
    if one.defined == one.tried:
        return f"Can be said: {titles}."
    return f"Can be said of {one.defined:,} of the first {one.tried:,} questions: {titles}."


def examine(paths: Sequence[Path], *, format: str, progress: Progress | None = None) -> Examination:
    """Read files to their end and say what is wrong with them, what is odd, and what to expect.

    :raises ValueError: for an unknown format, or one that cannot be read.
    """
    reader, report = format_of(format), Report()
    checks, outlooks = Checks(), Outlooks(ranked=reader.ranked)
    questions = passages = 0
    for record in reader.read(list(paths), report):
        questions += 1
        passages += len(record.passages)
        checks.look(record)
        outlooks.look(record)
        if progress:
            progress(questions)
    return Examination(
        format=format,
        report=report,
        questions=questions,
        passages=passages,
        findings=checks.findings,
        outlooks=outlooks.found,
    )
