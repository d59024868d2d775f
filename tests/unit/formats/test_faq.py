"""FAQ tables, with pairs that say which entry a question is asking."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from storage.formats import format_of, guess
from storage.records import PassageRecord
from storage.report import Report

HEADER = "question,answer,answer_html,link,source,last_update\n"
FAQ = HEADER + (
    'How long?,"30\ndays",<p>30</p>,"\nhttps://example.org",CDC,2020/03/17\nHow much?,,,,WHO,\n'
)
PAIRS = "question_1,question_2,similar\nHow long?,How many days?,1\nHow long?,Why?,0\n"
FOLDER = "covid_faq"


@pytest.mark.parametrize("contents", [(FAQ, PAIRS), (PAIRS, FAQ)])
def test_each_way_to_ask_is_a_question_with_the_whole_faq_as_its_pool(
    read: Callable, contents: tuple[str, str]
) -> None:
    (record,), report = read("table", *contents)
    report.raise_if_any()
    assert record.question == "How many days?"
    assert record.ranked is False
    file = f"file{contents.index(FAQ) + 1}"
    assert record.passages == (
        PassageRecord(
            id=f"{file} 1",
            text="How long?\n30\ndays",
            metadata={
                "title": "How long?",
                "link": "https://example.org",
                "source": "CDC",
                "last_update": "2020/03/17",
            },
        ),
        PassageRecord(
            id=f"{file} 2", text="How much?", metadata={"title": "How much?", "source": "WHO"}
        ),
    )
    assert record.answer_bearing == (f"{file} 1",)
    assert "An entry has no answer" in report.warnings[0]


def test_the_same_question_at_two_sources_is_two_candidates_that_hold_the_answer(
    read: Callable,
) -> None:
    again = FAQ.replace("CDC", "WHO").replace("30\ndays", "a month")
    (record,), _ = read("table", FAQ, again, PAIRS)
    assert record.answer_bearing == ("file1 1", "file2 1")


def test_a_pair_of_an_entry_that_is_not_there_says_nothing_of_the_answer(read: Callable) -> None:
    (record,), report = read("table", FAQ, PAIRS.replace("How long?,How", "Gone?,How"))
    assert record.answer_bearing is None
    assert any("does not have" in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("contents", "found"),
    [
        ((FAQ,), "an FAQ: entries with their answers, but nobody's questions"),
        ((PAIRS,), "pairs of questions without the FAQ itself: there is no pool"),
        ((FAQ, PAIRS.replace(",1", ",yes")), "'yes'"),
        ((FAQ, PAIRS, "question,passage\na,b\n"), "neither an FAQ nor its pairs"),
        ((FAQ + "a,b\n", PAIRS), "2 cells"),
        ((FAQ, PAIRS, PAIRS), "which file2.csv, line 2 has as well"),
    ],
)
def test_what_is_wrong_is_said(read: Callable, contents: tuple[str, ...], found: str) -> None:
    _, report = read("table", *contents)
    assert found in report.problems[0].found


def test_the_published_faq_is_read_with_its_pairs(shared_data: Path) -> None:
    files = ("faq_covidbert.csv", "eval_question_similarity_en.csv")
    paths = [shared_data / FOLDER / file for file in files]
    assert {guess(path) for path in paths} == {"table"}
    report = Report()
    records = list(format_of("table").read(paths, report))
    report.raise_if_any()
    assert {len(record.passages) for record in records} == {213}
    assert all(record.answer_bearing for record in records)
    texts = {p.text.strip() for p in records[0].passages}
    assert "" not in texts


def test_the_published_faq_of_the_later_date_has_nobody_s_questions(shared_data: Path) -> None:
    path, report = shared_data / FOLDER / "faq_200322_16.tsv", Report()
    assert guess(path) == "table"
    assert list(format_of("table").read([path], report)) == []
    assert report.rows_read == 506
    assert [problem.found[:6] for problem in report.problems] == ["an FAQ"]
