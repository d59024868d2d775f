"""The report of an import."""

from __future__ import annotations

import pytest

from storage.report import KEPT, ImportRefused, Problem, Report


def problem(**place: object) -> Problem:
    return Problem(file="q.jsonl", found="1.5", accepted="a whole number", **place)  # type: ignore[arg-type]


def test_a_problem_is_one_sentence_with_its_place() -> None:
    said = str(problem(line=3, record=2, field="passages[2].tokens"))
    assert said == "q.jsonl, line 3, passages[2].tokens: found 1.5; a whole number is accepted."


def test_a_problem_without_a_line_names_its_record() -> None:
    assert str(problem(record=2)) == "q.jsonl, record 2: found 1.5; a whole number is accepted."


def test_a_problem_of_the_whole_file_names_the_file() -> None:
    assert str(problem()) == "q.jsonl: found 1.5; a whole number is accepted."


def test_a_report_without_problems_raises_nothing() -> None:
    report = Report(rows_read=2, rows_usable=2)
    report.warn("something to know")
    report.raise_if_any()


def test_a_refusal_lists_every_problem_and_ends_by_saying_that_nothing_was_stored() -> None:
    report = Report(rows_read=3, rows_usable=1)
    report.add(problem(line=1))
    report.add(problem(line=3))
    with pytest.raises(ImportRefused) as caught:
        report.raise_if_any()
    assert str(caught.value).splitlines() == [
        "The import was refused: 2 problems, 3 rows read, 1 of them usable.",
        "- q.jsonl, line 1: found 1.5; a whole number is accepted.",
        "- q.jsonl, line 3: found 1.5; a whole number is accepted.",
        "Nothing was stored.",
    ]
    assert caught.value.report is report


def test_the_list_is_capped_and_the_true_total_kept() -> None:
    report = Report()
    for line in range(1, KEPT + 235):
        report.add(problem(line=line))
    assert (len(report.problems), report.total) == (KEPT, KEPT + 234)
    assert report.refusal.splitlines()[0].startswith("The import was refused: 1,234 problems")
    assert report.refusal.splitlines()[-2:] == ["- and 234 more.", "Nothing was stored."]


def test_a_warning_is_said_once_with_how_often_it_applied() -> None:
    report = Report()
    for line in (4, 7, 9):
        report.warn("A passage has no text.", first=f"first in q.jsonl, line {line}")
    report.guess("The column 'query' is the question.")
    assert report.warnings == ("A passage has no text. (first in q.jsonl, line 4, 3 times in all)",)
    assert report.guesses == ("The column 'query' is the question.",)


def test_a_problem_is_one_printable_line_whatever_a_file_is_called():
    one = Problem(file="a\nb.json", found="\x1f", accepted="text", field="\ud800")
    assert str(one) == "a\\nb.json, \\ud800: found \\x1f; text is accepted."
    assert one.place.isprintable()
