"""open-rag-eval's table of retrieved passages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from storage.records import ArmOutcome, PassageRecord

HEADER = "query_id,query,query_run,passage_id,passage,generated_answer\n"
GOOD = HEADER + "q1,How long?,1,[1],30 days.,A month [1]\nq1,How long?,1,[2],Shipping.,\n"


@pytest.mark.parametrize("content", [GOOD, b"\xef\xbb\xbf" + GOOD.encode()])
def test_rows_are_passages_and_the_answer_stands_in_the_first(
    read: Callable, content: str | bytes
) -> None:
    (record,), report = read("open-rag-eval", content)
    report.raise_if_any()
    assert (record.id, record.question) == ("q1", "How long?")
    assert record.passages == (
        PassageRecord(id="[1]", text="30 days."),
        PassageRecord(id="[2]", text="Shipping."),
    )
    assert record.arms == (
        ArmOutcome(name="generated answer", answer="A month [1]", sent=("[1]", "[2]")),
    )


def test_ids_and_runs_of_questions_are_optional(read: Callable) -> None:
    content = "query,passage_id,passage,generated_answer\nq,[1],a,x\nq,[2],b,\nr,[1],a,y\n"
    (first, second), report = read("open-rag-eval", content)
    report.raise_if_any()
    assert first.id.startswith("q-")
    assert [p.id for p in first.passages] == ["[1]", "[2]"]
    assert second.question == "r"


def test_each_run_of_a_question_is_a_run_of_the_arm(read: Callable) -> None:
    content = GOOD + "q1,How long?,2,[1],30 days.,30 days\nq1,How long?,2,[2],Lamps.,\n"
    (record,), report = read("open-rag-eval", content)
    report.raise_if_any()
    assert [p.id for p in record.passages] == ["[1]", "[2]", "[2] run 2"]
    assert [(arm.run, arm.answer, arm.sent) for arm in record.arms] == [
        (1, "A month [1]", ("[1]", "[2]")),
        (2, "30 days", ("[1]", "[2] run 2")),
    ]
    assert "retrieved different passages" in report.warnings[0]


@pytest.mark.parametrize("word", ["NO_ANSWER", "API_ERROR"])
def test_what_its_loader_drops_is_listed_and_kept(read: Callable, word: str) -> None:
    (record,), report = read("open-rag-eval", HEADER + f"q1,How long?,1,[1],30 days.,{word}\n")
    report.raise_if_any()
    assert record.arms[0].answer is None
    assert f"({word})" in report.warnings[0]


WRONG = [
    ("q1,How long?,1,[1],30 days.\n", 2, "", "5 cells"),
    ("q1,,1,[1],30 days.,a\n", 2, "query", "only 'query_id'"),
    ("q1,q,1,,30 days.,a\n", 2, "passage_id", "only"),
    ("q1,q,1,[1],,a\n", 2, "passage", "only"),
    ("q1,q,x,[1],a,a\n", 2, "query_run", "the text 'x'"),
    ("q1,q,0,[1],a,a\n", 2, "query_run", "the number 0"),
    ("q1,q,1,[1],a,a\nq1,q,1,[1],b,\n", 3, "passage_id", "'[1]', which an earlier"),
    ("q1,q,1,[1],a,a\nq1,q,1,[2],b,c\n", 3, "generated_answer", "another answer"),
    ("q1,q,1,[1],a,a\nq1,r,1,[2],b,\n", 3, "query", "'r', where 'q1' asked 'q'"),
    ('q1,q,1,[1],"a,a\n', 2, "", "a row that cannot be read"),
]


@pytest.mark.parametrize(("content", "line", "field", "found"), WRONG)
def test_a_wrong_cell_is_named(
    read: Callable, content: str, line: int, field: str, found: str
) -> None:
    records, report = read("open-rag-eval", HEADER + content)
    assert records == ()
    assert (report.problems[0].line, report.problems[0].field) == (line, field)
    assert found in report.problems[0].found


def test_a_question_with_a_bad_byte_is_left_out_whole(read: Callable) -> None:
    content = GOOD.encode().replace(b"Shipping", b"Gr\xf6\xdfe") + b"q2,q,1,[1],a,b\n"
    records, report = read("open-rag-eval", content)
    assert [record.id for record in records] == ["q2"]
    assert report.problems[0].line == 3


def test_the_plain_table_leaves_it_to_its_own_format(read: Callable) -> None:
    _, report = read("table", GOOD)
    assert "open-rag-eval" in report.problems[0].accepted
