"""The project's own JSON lines: what is wrong is said with line, field, and what is accepted."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

GOOD = '{"question": "Why?", "passages": ["Because."]}'


def a_passage(**fields: Any) -> dict[str, Any]:
    return {"question": "q", "passages": [{"text": "abc", **fields}]}


def an_arm(**fields: Any) -> dict[str, Any]:
    return {"question": "q", "passages": [], "arms": [{"name": "a", **fields}]}


def a_fact(**fields: Any) -> dict[str, Any]:
    return {"question": "q", "passages": [], "facts": [{"id": "f", **fields}]}


WRONG_FIELDS = [
    ({"passages": []}, "question", "only 'passages'", "a text"),
    ({"question": 5, "passages": []}, "question", "the number 5", "a text"),
    ({"question": " ", "passages": []}, "question", "the text ' '", "not empty"),
    ({"question": "q"}, "passages", "only 'question'", "a list"),
    ({"question": "q", "passages": None}, "passages", "null", "a list"),
    ({"question": "q", "passages": {"a": 1}}, "passages", "an object", "a list"),
    ({"question": "q", "passages": [3]}, "passages[0]", "the number 3", "a text, or an object"),
    ({"question": "q", "passages": [], "answer": 5}, "answer", "the number 5", "a text"),
    ({"question": "q", "passages": [], "ranked": 0}, "ranked", "the number 0", "true or false"),
    ({"question": "q", "passages": [], "id": True}, "id", "true", "a text of 1 to 500"),
    ({"question": "q", "passages": [], "id": ""}, "id", "an empty text", "a text of 1 to 500"),
    ({"question": "q", "passages": [], "id": "x" * 501}, "id", "the text 'xxx", "1 to 500"),
    ({"question": "q", "passages": [], "metadata": []}, "metadata", "an empty list", "an object"),
    (
        {"question": "q", "passages": [], "metadata": {"a": 1}, "a": 2},
        "a",
        "other values here and in metadata",
        "the field once",
    ),
    (
        {"question": "q", "passages": [{"content": "x"}]},
        "passages[0].text",
        "only 'content'",
        "text",
    ),
    (a_passage(text=7), "passages[0].text", "the number 7", "a text"),
    (a_passage(tokens="410"), "passages[0].tokens", "the text '410'", "a whole number from 0"),
    (a_passage(tokens=-1), "passages[0].tokens", "the number -1", "a whole number from 0"),
    (a_passage(tokens=1.5), "passages[0].tokens", "the number 1.5", "a whole number from 0"),
    (a_passage(tokens=True), "passages[0].tokens", "true", "a whole number from 0"),
    (a_passage(tokens=10**30), "passages[0].tokens", "more than 20 digits", "2,147,483,647"),
    (a_passage(score="0.9"), "passages[0].score", "the text '0.9'", "a finite number"),
    (a_passage(score=False), "passages[0].score", "false", "a finite number"),
    (a_passage(score=float("nan")), "passages[0].score", "the number nan", "a finite number"),
    (a_passage(score=10**400), "passages[0].score", "more than 20 digits", "a finite number"),
    (
        a_passage(rerank_score=float("-inf")),
        "passages[0].rerank_score",
        "the number -inf",
        "a finite number",
    ),
    (a_passage(claims="a"), "passages[0].claims", "the text 'a'", "a list"),
    (a_passage(claims=[True]), "passages[0].claims[0].key", "true", "a text of 1 to 500"),
    (a_passage(claims=[{"text": "a"}]), "passages[0].claims[0].key", "only 'text'", "a text of 1"),
    (a_passage(claims=[{"key": "a", "text": 5}]), "passages[0].claims[0].text", "5", "a text"),
    (
        a_passage(claims=[{"key": "a", "start": 0}]),
        "passages[0].claims[0].start",
        "null",
        "a place",
    ),
    (
        a_passage(claims=[{"key": "a", "start": 1, "end": 4}]),
        "passages[0].claims[0].start",
        "the number 1 to the number 4",
        "a place within the text's 3 characters",
    ),
    (
        a_passage(claims=[{"key": "a", "start": 2, "end": 2}]),
        "passages[0].claims[0].start",
        "the number 2 to the number 2",
        "a place within",
    ),
    (a_passage(supports=["f9"]), "passages[0].supports[0].fact", "'f9'", "one of the question's"),
    (a_passage(embedding=[]), "passages[0].embedding", "an empty list", "a list of numbers"),
    (a_passage(embedding=[1, "2"]), "passages[0].embedding[1]", "the text '2'", "a finite number"),
    (a_passage(embedding=[1, True]), "passages[0].embedding[1]", "true", "a finite number"),
    (
        a_passage(metadata={"a": [1, {"b": float("inf")}]}),
        "passages[0].metadata.a[1].b",
        "the number inf",
        "a finite number",
    ),
    (a_passage(text="a\x00b"), "passages[0].text", "a NUL character", "whole Unicode"),
    (a_passage(text="a\ud800b"), "passages[0].text", "half a character (\\ud800)", "whole Unicode"),
    (
        a_passage(metadata={"a\udfff": 1}),
        "passages[0].metadata",
        "half a character",
        "whole Unicode",
    ),
    (
        {"question": "q", "passages": ["a\ud800"]},
        "passages[0]",
        "half a character",
        "whole Unicode",
    ),
    (
        {"question": "q", "passages": ["a"], "answer_bearing": ["p9"]},
        "answer_bearing[0]",
        "'p9'",
        "the id of one of the passages",
    ),
    (
        {"question": "q", "passages": ["a"], "answer_bearing": ["rank-1", "rank-1"]},
        "answer_bearing[1]",
        "'rank-1' again",
        "each passage once",
    ),
    (
        {"question": "q", "passages": [{"id": "p", "text": "a"}, {"id": "p", "text": "b"}]},
        "passages[1].id",
        "'p', which an earlier passage has as well",
        "an id that no other passage",
    ),
    (
        {
            "question": "q",
            "passages": [{"text": "a", "embedding": [1, 2]}, {"text": "b", "embedding": [1]}],
        },
        "passages[1].embedding",
        "a list of 1",
        "a list of 2",
    ),
    (
        {"question": "q", "passages": [{"text": "a", "embedding": [1]}], "query_embedding": [1, 2]},
        "passages[0].embedding",
        "a list of 1",
        "a list of 2",
    ),
    (a_fact(weight=-1), "facts[0].weight", "the number -1", "a finite number of 0 or more"),
    (a_fact(text=1), "facts[0].text", "the number 1", "a text"),
    (a_fact(alternatives=[1]), "facts[0].alternatives[0]", "the number 1", "a text"),
    ({"question": "q", "passages": [], "facts": ["f"]}, "facts[0]", "the text 'f'", "an object"),
    ({"question": "q", "passages": [], "facts": [{"text": "a"}]}, "facts[0].id", "only", "a text"),
    (
        {"question": "q", "passages": [], "facts": [{"id": "f"}, {"id": "f"}]},
        "facts[1].id",
        "'f' again",
        "each fact once",
    ),
    (an_arm(run=0), "arms[0].run", "the number 0", "a whole number from 1"),
    (an_arm(correct=1), "arms[0].correct", "the number 1", "true or false"),
    (an_arm(cited="yes"), "arms[0].cited", "the text 'yes'", "true or false"),
    (an_arm(answer=5), "arms[0].answer", "the number 5", "a text"),
    (an_arm(sent="p1"), "arms[0].sent", "the text 'p1'", "a list"),
    (an_arm(name=None), "arms[0].name", "null", "a text of 1 to 500"),
    (
        {"question": "q", "passages": [], "arms": [{"name": "a"}, {"name": "a", "run": 1}]},
        "arms[1].name",
        "'a, run 1' again",
        "each arm and run once",
    ),
]


@pytest.mark.parametrize(("record", "field", "found", "accepted"), WRONG_FIELDS)
def test_a_wrong_field_is_named_with_its_line_what_was_found_and_what_is_accepted(
    read: Callable, record: dict[str, Any], field: str, found: str, accepted: str
) -> None:
    records, report = read("jsonl", GOOD + "\n" + json.dumps(record))
    assert len(records) == 1
    (problem,) = report.problems
    assert (problem.file, problem.line, problem.record) == ("file1.jsonl", 2, 2)
    assert problem.field == field
    assert found in problem.found
    assert accepted in problem.accepted
    str(problem).encode()


def test_an_unknown_degree_is_refused_by_naming_the_three(read_one: Callable) -> None:
    _, report = read_one(
        "jsonl",
        question="q",
        facts=[{"id": "f"}],
        passages=[{"text": "a", "supports": [{"fact": "f", "degree": "yes"}]}],
    )
    (problem,) = report.problems
    assert problem.field == "passages[0].supports[0].degree"
    assert problem.accepted == "'full' or 'partial' or 'contradicts'"


def test_all_problems_are_listed_and_good_records_go_on(read: Callable) -> None:
    rows = [
        GOOD,
        '{"question": 1, "passages": [2, {"text": 3, "tokens": -4}]}',
        "nonsense",
        GOOD,
        '{"question": "q", "passages": [{"text": "a", "score": NaN}]}',
    ]
    records, report = read("jsonl", "\n".join(rows))
    assert len(records) == 2
    assert [(problem.line, problem.field) for problem in report.problems] == [
        (2, "question"),
        (2, "passages[0]"),
        (2, "passages[1].text"),
        (2, "passages[1].tokens"),
        (3, ""),
        (5, "passages[0].score"),
    ]
    assert (report.rows_read, report.rows_usable) == (5, 2)


def test_the_same_question_id_twice_names_the_place_of_the_first(read: Callable) -> None:
    row = '{"id": "q1", "question": "a", "passages": []}'
    records, report = read("jsonl", row, f"{GOOD}\n{row}")
    assert len(records) == 2
    assert [str(problem) for problem in report.problems] == [
        "file2.jsonl, line 2, id: found 'q1', which file1.jsonl, line 1 has as well; "
        "an id that no other question has is accepted."
    ]


BROKEN_TEXTS = [
    ("", None, "an empty file"),
    ("\n \n", None, "no question"),
    ("[]", None, "no question"),
    (GOOD + "\n" + GOOD[:-9], 2, "a value that is cut off before its end"),
    (GOOD + "\n" + GOOD[:-2], 2, "a value that is cut off before its end"),
    (f"[{GOOD},\n{GOOD[:-9]}", 2, "a value that is cut off before its end"),
    (f"[{GOOD},\n{GOOD}", 2, "the end of the file after record 2"),
    (f"[{GOOD}\n{GOOD}]", 2, "'{' after record 1"),
    (f"[{GOOD}] x", 1, "more text after the end of the array"),
    (f"{GOOD},\n{GOOD}", 1, "more text after the end of the object: ','"),
    (GOOD + GOOD, 1, "more text after the end of the object"),
    (f"{GOOD}\n[1]", 2, "a list of 1"),
    (f'{GOOD}\n"text"', 2, "the text 'text'"),
    (f"{GOOD}\n{{'question': 'q'}}", 2, "text that is no JSON"),
    ("question;passages\na;b", 1, "a file that starts with 'question;passages'"),
    ('{"question": "q", "question": "r", "passages": []}', 1, "a name that stands twice"),
    ('{"question": "q", "passages": [], "x": ' + "[" * 100_000, 1, "nested too deeply"),
    ("[" * 100_000, 1, "nested too deeply"),
    (
        '{"question": "q", "passages": [], "x": ' + "[" * 40 + "]" * 40 + "}",
        1,
        "more than 32 levels",
    ),
    (
        '{"question": "q", "passages": [], "x": ' + "9" * 5000 + "}",
        1,
        "more digits than can be read",
    ),
    ('{"question": "q\x00", "passages": []}', 1, "text that is no JSON"),
    (GOOD.encode("utf-16"), None, "text in UTF-16"),
    (GOOD.encode("utf-16-le"), None, "bytes that are no text"),
    (f"{GOOD}\n".encode() + GOOD.replace("W", "Ü").encode("latin-1"), 2, "the byte 0xDC"),
    (b"[" + GOOD.encode() + b",\n" + GOOD.replace("W", "Ü").encode("latin-1"), 2, "the byte 0xDC"),
    (gzip.compress(GOOD.encode() * 50, mtime=0)[:-20], None, "a packed file that is damaged"),
    (b"\x1f\x8bnothing", None, "a packed file that is damaged"),
    (b"PK\x03\x04....", None, "a ZIP archive or a spreadsheet workbook"),
    (b"PAR1....", None, "a Parquet file"),
]


@pytest.mark.parametrize(("content", "line", "found"), BROKEN_TEXTS)
def test_a_broken_file_is_explained(
    read: Callable, content: str | bytes, line: int | None, found: str
) -> None:
    _, report = read("jsonl", content)
    problem = report.problems[0]
    assert report.total == 1
    assert problem.line == line
    assert found in problem.found
    assert problem.accepted
    assert "\n" not in str(problem)


def test_every_line_with_bad_bytes_is_listed_and_the_others_are_read(read: Callable) -> None:
    bad = GOOD.replace("W", "é").encode("latin-1")
    records, report = read("jsonl", b"\n".join([bad, GOOD.encode(), bad]))
    assert len(records) == 1
    assert [problem.line for problem in report.problems] == [1, 3]
    assert "UTF-8" in report.problems[0].accepted


def test_a_file_that_is_not_there_or_is_a_folder_is_explained(tmp_path: Path) -> None:
    from storage.formats import format_of
    from storage.report import Report

    report = Report()
    assert list(format_of("jsonl").read([tmp_path / "none.jsonl", tmp_path], report)) == []
    assert [problem.file for problem in report.problems] == ["none.jsonl", tmp_path.name]
    assert "No such file" in report.problems[0].found


def test_what_a_problem_quotes_is_short_and_holds_nothing_that_a_terminal_obeys(
    read_one: Callable,
) -> None:
    hostile = "\x1b[31m\u202e" + "x" * 10_000
    _, report = read_one("jsonl", question="q", passages=[], answer_bearing=[hostile[:400]])
    said = str(report.problems[0])
    assert len(said) < 300
    assert said.isprintable()
