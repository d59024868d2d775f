"""The plainest file: a table of questions and passages."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest

from storage.formats import format_of
from storage.records import PassageRecord

TWO = "question,passage\nWhy?,Because.\nWhy?,So.\nHow?,Like this.\n"


@pytest.mark.parametrize(
    "content",
    [
        TWO,
        TWO.replace(",", ";"),
        TWO.replace(",", "\t"),
        TWO.replace("\n", "\r\n"),
        "\n" + TWO.replace("\nHow", "\n\n,\nHow"),
        TWO.replace("question,passage", "Query,Text"),
        TWO.replace("question,passage", " user input ,passage-text"),
        b"\xef\xbb\xbf" + TWO.encode(),
        gzip.compress(TWO.encode(), mtime=0),
    ],
)
def test_questions_and_texts_are_enough(read: Callable, content: str | bytes) -> None:
    (why, how), report = read("table", content)
    report.raise_if_any()
    assert why.question == "Why?"
    assert why.passages == (
        PassageRecord(id="rank-1", text="Because."),
        PassageRecord(id="rank-2", text="So."),
    )
    assert [p.text for p in how.passages] == ["Like this."]
    assert why.answer_bearing is None
    assert (report.rows_read, report.rows_usable) == (3, 3)


def test_rows_of_a_question_may_stand_apart_and_their_order_is_the_ranking(read: Callable) -> None:
    table = "id,question,passage\n2,b,first\n1,a,x\n2,b,second\n1,,y\n"
    (b, a), report = read("table", table)
    report.raise_if_any()
    assert (b.id, [p.text for p in b.passages]) == ("2", ["first", "second"])
    assert (a.id, [p.text for p in a.passages]) == ("1", ["x", "y"])


def test_all_columns_are_read_and_blank_cells_are_missing(read: Callable) -> None:
    (record,), report = read(
        "table",
        "qid,query,doc_id,text,score,tokens,answer,url\n"
        "7,q,d1,one,0.5,410,yes,https://example.org\n"
        "7,q,d2,two,-1e2,410.0,,\n"
        "7,q,,three,,,yes,\n",
    )
    report.raise_if_any()
    assert record.id == "7"
    assert record.passages == (
        PassageRecord(
            id="d1", text="one", tokens=410, score=0.5, metadata={"url": "https://example.org"}
        ),
        PassageRecord(id="d2", text="two", tokens=410, score=-100.0),
        PassageRecord(id="rank-3", text="three"),
    )
    assert record.metadata == {"answer": "yes"}


def test_separators_around_a_number_are_space_like_any_other(read: Callable) -> None:
    (record,), report = read("table", "question,passage,tokens\nq,one,\x1c5\x1d\n")
    report.raise_if_any()
    assert record.passages[0].tokens == 5


def test_what_was_assumed_is_said(read: Callable) -> None:
    _, report = read("table", "query;passage;url\nq;a;u\n")
    assert report.guesses == (
        "Cells of file1.csv are taken to be apart by semicolon.",
        "The column 'query' of file1.csv is read as 'question'.",
        "Columns of file1.csv without a known name are kept as metadata of the passages: 'url'.",
    )


def test_columns_without_a_name_are_called_by_their_place(read: Callable) -> None:
    (record,), report = read("table", ",question,passage,\n0,q,a,\n1,q,b,x\n")
    report.raise_if_any()
    assert [p.metadata for p in record.passages] == [
        {"column 1": "0"},
        {"column 1": "1", "column 4": "x"},
    ]


def test_quoted_cells_hold_line_breaks_quotes_and_delimiters(read: Callable) -> None:
    (record,), report = read("table", 'question,passage\nq,"a\n""b"", c"\nq,it\'s 5" wide\n')
    report.raise_if_any()
    assert [p.text for p in record.passages] == ['a\n"b", c', "it's 5\" wide"]


def test_the_line_of_a_problem_counts_line_breaks_inside_cells(read: Callable) -> None:
    _, report = read("table", 'question,passage,tokens\nq,"a\nb\nc",1\nq,d,x\n')
    assert [(problem.line, problem.field) for problem in report.problems] == [(5, "tokens")]


def test_a_question_without_an_id_gets_one_from_its_text(read: Callable) -> None:
    (why, _), _ = read("table", TWO)
    (same,), _ = read("jsonl", '{"question": "Why?", "passages": []}')
    assert why.id == same.id


def test_a_pool_of_one_passage_each_is_pointed_out(read: Callable) -> None:
    _, report = read("table", "id,question,passage\n1,a,x\n2,a,y\n")
    assert "is its id one of passages?" in report.warnings[0]


def test_a_huge_cell_is_read(read: Callable) -> None:
    (record,), report = read("table", f"question,passage\nq,{'x' * 1_000_000}\n")
    report.raise_if_any()
    assert len(record.passages[0].text) == 1_000_000


WRONG = [
    (
        "question|passage\na|b\n",
        1,
        "",
        "the first row 'question|passage'",
        "comma, semicolon or tab",
    ),
    ("Why?,Because.\n", 1, "", "the first row 'Why?,Because.'", "'question' and 'passage'"),
    ("question,answer\na,b\n", 1, "", "the first row", "'question' and 'passage'"),
    ("question,passage,url,url\na,b,c,d\n", 1, "", "the column 'url' twice", "each column once"),
    ("question,passage\na,b,c\n", 2, "", "3 cells", "2, as in the first row"),
    ("question,passage\na\n", 2, "", "1 cells", "2, as in the first row"),
    ("question,passage\na,\n", 2, "passage", "an empty cell", "a cell with text"),
    ("question,passage\n,b\n", 2, "question", "an empty cell", "a cell with text"),
    ("id,question,passage\n,a,b\n", 2, "id", "an empty cell", "a cell with text"),
    (
        "id,question,passage\n1,a,b\n1,c,d\n",
        3,
        "question",
        "'c', where '1' asked 'a'",
        "one question",
    ),
    ('question,passage,score\na,b,"0,5"\n', 2, "score", "the text '0,5'", "a finite number"),
    ("question,passage,score\na,b,nan\n", 2, "score", "the text 'nan'", "a finite number"),
    ("question,passage,score\na,b,1e999\n", 2, "score", "the number inf", "a finite number"),
    ("question,passage,tokens\na,b,1.5\n", 2, "tokens", "the number 1.5", "a whole number"),
    ("question,passage,tokens\na,b,-1\n", 2, "tokens", "the number -1.0", "a whole number"),
    ("question,passage,tokens\na,b,1_0\n", 2, "tokens", "the text '1_0'", "a whole number"),
    ("question,passage,doc_id\na,b,1\na,c,1\n", 3, "doc_id", "'1', which an earlier", "no other"),
    ('question,passage\na,"b\nc,d\n', 2, "", "a row that cannot be read", "quotes that are closed"),
    ('question,passage\na,"b" c\n', 2, "", "a row that cannot be read", "quotes that are closed"),
    ("question,passage\na,b\x00\n", 2, "passage", "a NUL character", "whole Unicode"),
    ("question,passage,url\na,b,c\x00\n", 2, "url", "a NUL character", "whole Unicode"),
    ("question,passage\n", None, "", "no question", "'question' and 'passage'"),
    ("", None, "", "an empty file", "at least one question"),
]


@pytest.mark.parametrize(("content", "line", "field", "found", "accepted"), WRONG)
def test_what_is_wrong_is_said_with_line_and_column(
    read: Callable, content: str, line: int | None, field: str, found: str, accepted: str
) -> None:
    _, report = read("table", content)
    (problem,) = report.problems
    assert (problem.line, problem.field) == (line, field)
    assert found in problem.found
    assert accepted in problem.accepted


def test_bad_bytes_are_listed_by_line_and_sound_questions_go_on(read: Callable) -> None:
    content = "question,passage\na,x\nb,Größe\nc,y\nd,für\n".encode("latin-1")
    records, report = read("table", content)
    assert [problem.line for problem in report.problems] == [3, 5]
    assert "CSV UTF-8" in report.problems[0].accepted
    assert [record.question for record in records] == ["a", "c"]


def test_a_question_with_a_broken_row_is_left_out_and_the_others_go_on(read: Callable) -> None:
    records, report = read("table", "question,passage,tokens\na,x,1\na,y,z\nb,x,1\n")
    assert report.total == 1
    assert [record.question for record in records] == ["b"]
    assert (report.rows_read, report.rows_usable) == (3, 1)


def test_an_id_in_two_files_is_a_problem(read: Callable) -> None:
    table = "id,question,passage\n1,a,x\n"
    records, report = read("table", table, table)
    assert len(records) == 1
    assert report.problems[0].found == "'1', which file1.csv, line 2 has as well"


def test_a_table_is_read_not_written() -> None:
    assert not format_of("table").writes
