"""The review as one file: what it says, what it holds, and that it is only ever read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from pages.ui import handover
from pages.ui.regressing_list import Listed
from storage import queries
from storage.case_texts import case_texts
from storage.diagnose import regressions
from storage.engine import Database
from storage.imports import import_records
from storage.opening import open_database
from storage.records import QuestionRecord
from storage.reviews import add_review, reviews
from tests.pages import reading, rooms
from tests.pages.test_regressions import EVERYTHING, record

MOMENT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path / 'test.sqlite'}", samples=False)
    yield opened
    opened.close()


def stored(database: Database, records: Sequence[QuestionRecord]) -> None:
    import_records(database, records, collection="mine", format="jsonl", ranked=True)


def file(database: Database, *, only: str = "", filters: tuple[str, ...] = ()) -> str:
    """The file of the collection, of one question or of all."""
    found = regressions(database, "mine")
    kept = tuple(case for case in found.cases if only in ("", case.question))
    one = handover.Reviewed(
        collection=queries.collection(database, "mine"),
        found=found,
        listed=Listed(cases=kept, all=found.cases),
        reviews=reviews(database, "mine"),
        filters=filters,
    )
    texts = partial(case_texts, database, "mine")
    return handover.review_file(one, texts=texts, saved_at=MOMENT).decode()


def test_it_says_how_many_got_worse_why_and_what_people_decided(empty: Database) -> None:
    stored(empty, [record("q1", after=EVERYTHING), record("q3", after=("a",))])
    add_review(empty, "mine", ["q3"], verdict="never retrieved", note="see 14", reviewer="Ada")
    words = reading.words(file(empty))
    for said in (
        "mine: from k=1 to k=3",
        "2 of 2 questions got worse",
        "1 + 1 = 2",
        "1 of 2 questions reviewed, by Ada",
        "2 of 2 that got worse",
        "2026-01-02 03:04 UTC",
    ):
        assert said in words
    assert ["never retrieved", "1"] in reading.rows(file(empty))


def test_every_question_opens_with_its_answers_its_evidence_and_its_history(
    empty: Database,
) -> None:
    stored(empty, [record("q3", after=("a",))])
    add_review(empty, "mine", ["q3"], verdict="never retrieved", note="see 14", reviewer="Ada")
    html = file(empty)
    words = reading.words(html)
    assert html.count('<details class="q">') == 1
    for said in ("30 days", "14 days", "It is 30 days.", "sent before, not after", "see 14"):
        assert said in words
    assert "rank 1 is out" in words


def test_a_filtered_list_says_how_it_was_filtered(empty: Database) -> None:
    stored(empty, [record("q1", after=EVERYTHING), record("q3", after=("a",))])
    words = reading.words(file(empty, only="q1", filters=("diagnosis: Crowded",)))
    assert "1 of 2 that got worse: diagnosis: Crowded" in words
    assert "Question q1?" in words
    assert "Question q3?" not in words


def test_without_a_verdict_it_says_that_nobody_has_reviewed(empty: Database) -> None:
    stored(empty, [record("q1", after=EVERYTHING)])
    assert "0 of 1 questions reviewed: nobody has given a verdict" in reading.words(file(empty))


def test_more_questions_than_a_file_should_hold_are_counted(
    empty: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(empty, [record("q1", after=EVERYTHING), record("q2", after=EVERYTHING)])
    monkeypatch.setattr(handover, "MOST_WHOLE", 1)
    html = file(empty)
    assert html.count('<details class="q">') == 1
    assert "and 1 question more" in reading.words(html)


def test_it_loads_and_runs_nothing_whatever_the_texts_say(empty: Database) -> None:
    stored(empty, [record("q1", after=EVERYTHING, text=rooms.HOSTILE)])
    add_review(empty, "mine", ["q1"], verdict=rooms.PRINTABLE[:90], reviewer="<b>", note="</style>")
    html = file(empty, filters=(f"text: {rooms.HOSTILE}",))
    names = {name for name, _ in reading.elements(html)}
    assert not names & {"script", "img", "a", "iframe", "link", "s"}
    assert "default-src 'none'" in html
    assert "url(" not in html
