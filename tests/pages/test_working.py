"""Jobs on the Comparisons page: how far they are, what can be done, and what long runs become."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update
from streamlit.testing.v1 import AppTest

from pages.ui import saving, working
from storage import jobs
from storage import tables as t
from storage.engine import Database
from storage.jobs.__main__ import carry_out
from storage.jobs.queue import claim
from storage.jobs.worker import this_worker
from storage.results import comparisons
from tests.integration.working import ask, fill
from tests.pages import rooms


@pytest.fixture
def mine(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """A collection of 40 questions; no process is started by a page."""
    monkeypatch.setattr(jobs, "start", lambda _: False)
    fill(database, 40)
    return database


def run(database: Database) -> None:
    taken = claim(database, this_worker())
    assert taken is not None
    carry_out(database, taken, "serial")


def opened(**address: str) -> AppTest:
    page = rooms.open_page("comparisons", **address)
    assert not page.exception
    return page


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def set_row(database: Database, **values: object) -> None:
    with database.write() as connection:
        connection.execute(update(t.jobs).values(**values))


def test_a_waiting_job_is_shown_and_can_be_cancelled(mine: Database) -> None:
    ask(mine, name="k=2 or the loop")
    page = opened()
    assert "k=2 or the loop on mine: waits for its turn, 40 questions" in rooms.said(page)
    page.button(key="job-cancel-1").click().run()
    assert not page.exception
    assert "cancelled after 0 questions" in rooms.said(page)
    page.button(key="job-again-1").click().run()
    assert "waits for its turn" in rooms.said(page)


def test_a_running_job_says_how_far_it_is_and_how_long_it_will_take(mine: Database) -> None:
    ask(mine)
    claim(mine, this_worker())
    set_row(mine, done=10, started_at=datetime.now(UTC) - timedelta(seconds=50))
    page = opened()
    assert "10 of 40 questions, about 3 minutes left" in rooms.said(page)
    assert [bar.proto.value for bar in page.get("progress")] == [25]


def test_a_job_whose_process_is_gone_says_so(mine: Database) -> None:
    ask(mine)
    claim(mine, this_worker())
    set_row(mine, done=10, beat_at=datetime.now(UTC) - timedelta(hours=1))
    assert "10 of 40 questions; its process is gone" in rooms.said(opened())


def test_a_failed_job_says_why_and_can_be_taken_away(mine: Database) -> None:
    ask(mine, ("rerank",))
    run(mine)
    page = opened()
    assert "failed after 0 questions" in rooms.said(page)
    assert "Question 'q0': rerank" in rooms.said(page)
    page.button(key="job-remove-1").click().run()
    assert not page.exception
    assert jobs.jobs(mine) == ()
    assert "Remove" not in labels(page)


def test_a_job_that_is_done_is_a_comparison_and_no_job_any_more(mine: Database) -> None:
    ask(mine, name="done")
    run(mine)
    page = opened()
    assert "done" in rooms.said(page)
    assert "Cancel" not in labels(page)


def test_a_comparison_runs_again_with_the_same_settings(mine: Database) -> None:
    ask(mine, name="once")
    run(mine)
    page = opened(name="once")
    next(one for one in page.button if one.label == "Run").click().run()
    assert not page.exception
    assert "once, run 2 on mine: waits for its turn" in rooms.said(page)
    run(mine)
    second, first = comparisons(mine)
    assert (second.name, first.name) == ("once, run 2", "once")
    assert second.means == first.means
    assert (second.selectors, second.budget_tokens) == (first.selectors, first.budget_tokens)


def test_what_takes_long_becomes_a_job(
    mine: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(saving, "SOON", 0.0)
    monkeypatch.setattr(saving, "GLANCE", 0.0)
    page = rooms.open_page("question", c="mine")
    page.text_input[0].set_value("a long one")
    page.button(key="FormSubmitter:w-save-Save").click().run()
    assert not page.exception
    assert "a long one takes a while, so it runs by itself" in rooms.said(page)
    assert comparisons(mine) == ()
    (job,) = jobs.jobs(mine)
    assert (job.title, job.state) == ("a long one", "queued")
    run(mine)
    assert [one.name for one in comparisons(mine)] == ["a long one"]


def test_hostile_titles_stay_texts(mine: Database) -> None:
    ask(mine, name=rooms.PRINTABLE)
    page = opened()
    assert rooms.PRINTABLE in rooms.said(page)
    rooms.assert_nothing_runs(page)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "about 1 second"),
        (7, "about 7 seconds"),
        (47, "about 50 seconds"),
        (200, "about 3 minutes"),
        (9000, "about 2 hours"),
    ],
)
def test_a_time_is_said_as_closely_as_it_is_known(seconds: float, words: str) -> None:
    assert working.duration(timedelta(seconds=seconds)) == words
