"""Jobs: the same result as in one go, queued, cancelled, and gone on with after a kill."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from selection import registry
from storage import jobs
from storage import tables as t
from storage.engine import Database
from storage.imports import import_records
from storage.jobs import starting, work
from storage.jobs.__main__ import carry_out, main
from storage.jobs.queue import ATTEMPTS, claim
from storage.jobs.worker import SILENCE, this_worker
from storage.removal import remove_collection
from storage.results import comparisons
from storage.saved import NameTaken
from tests.integration.working import (
    QUICK,
    ask,
    expected_rows,
    fill,
    kept_rows,
    process,
    wait_for,
)


@pytest.fixture
def mine(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """A collection of 25 questions, and chunks of 10."""
    monkeypatch.setattr(work, "CHUNK", 10)
    fill(database, 25)
    return database


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A selector that takes its time, known to this process for the length of a test."""
    from tests.integration.slow_selector import Slow

    registry._selectors.pop("slow", None)
    monkeypatch.setitem(registry._selectors, "slow", Slow)


def work_off(url: str) -> None:
    assert main(["--database", url, "--executor", "serial"]) == 0


def test_a_job_gives_what_one_go_gives(mine: Database, url: str):
    id = ask(mine)
    work_off(url)
    view = jobs.job(mine, id)
    assert view is not None
    assert (view.state, view.done, view.total, view.result) == ("done", 25, 25, "kept")
    assert kept_rows(mine) == expected_rows(mine)
    (saved,) = comparisons(mine)
    assert (saved.author, saved.budget_tokens, saved.stale) == ("a tester", 20, False)
    with mine.read() as connection:
        assert connection.scalar(select(func.count()).select_from(t.job_chunks)) == 0


def test_the_same_request_is_queued_once(mine: Database):
    assert ask(mine) == ask(mine)


def test_a_name_that_is_taken_or_planned_is_refused_before_anything_runs(mine: Database, url: str):
    ask(mine)
    with pytest.raises(NameTaken, match="being run already"):
        ask(mine, ("top_k(k=1)",))
    work_off(url)
    with pytest.raises(NameTaken, match="already"):
        ask(mine)


@pytest.mark.parametrize(
    ("selectors", "said"),
    [((), "No selector"), (("nonsense",), "no selector 'nonsense'"), (("top_k",) * 2, "twice")],
)
def test_what_cannot_be_run_is_refused_at_once(mine: Database, selectors, said: str):
    with pytest.raises(ValueError, match=said):
        ask(mine, selectors)


def test_a_question_that_cannot_be_run_fails_the_job_in_a_sentence(mine: Database, url: str):
    id = ask(mine, ("rerank",))
    work_off(url)
    view = jobs.job(mine, id)
    assert view is not None
    assert view.state == "failed"
    assert "Question 'q0': rerank" in view.problem
    assert comparisons(mine) == ()


def test_a_waiting_job_is_cancelled_at_once_and_may_go_on(mine: Database, url: str):
    id = ask(mine)
    assert jobs.cancel(mine, id)
    work_off(url)
    assert comparisons(mine) == ()
    assert jobs.go_on(mine, id)
    work_off(url)
    assert kept_rows(mine) == expected_rows(mine)
    assert not jobs.cancel(mine, id)
    assert jobs.forget(mine, id)
    assert jobs.jobs(mine) == ()
    assert len(comparisons(mine)) == 1


def test_two_run_at_once_and_further_ones_wait(mine: Database):
    ids = [ask(mine, name=name) for name in ("one", "two", "three")]
    first, second, third = (claim(mine, this_worker()) for _ in range(3))
    assert (first and first.id, second and second.id, third) == (*ids[:2], None)
    assert [one.state for one in jobs.jobs(mine)] == ["queued", "running", "running"]
    carry_out(mine, second, "serial")
    fourth = claim(mine, this_worker())
    assert fourth is not None
    assert fourth.id == ids[2]
    carry_out(mine, fourth, "serial")
    carry_out(mine, first, "serial")
    rows = [kept_rows(mine, name) for name in ("one", "two", "three")]
    assert rows[0] == rows[1] == rows[2] == expected_rows(mine)


def silent(database: Database, id: int) -> None:
    """Let the process of a job say nothing for too long."""
    long_ago = datetime.now(UTC) - 2 * SILENCE
    with database.write() as connection:
        connection.execute(update(t.jobs).where(t.jobs.c.id == id).values(beat_at=long_ago))


def test_a_job_that_was_taken_over_is_written_by_the_new_worker_only(mine: Database):
    id = ask(mine)
    first = claim(mine, this_worker())
    assert first is not None
    silent(mine, id)
    assert jobs.job(mine, id).state == "stopped"
    second = claim(mine, this_worker())
    assert second is not None
    assert second.id == id
    carry_out(mine, first, "serial")
    assert comparisons(mine) == ()
    carry_out(mine, second, "serial")
    assert kept_rows(mine) == expected_rows(mine)


def test_a_job_whose_process_ends_again_and_again_is_given_up(mine: Database):
    id = ask(mine)
    for _ in range(ATTEMPTS):
        assert claim(mine, this_worker()) is not None
        silent(mine, id)
    assert claim(mine, this_worker()) is None
    view = jobs.job(mine, id)
    assert view.state == "failed"
    assert "too little memory" in view.problem


def test_data_that_change_while_it_runs_begin_it_anew(mine: Database, monkeypatch, refund):
    id = ask(mine)
    read, seen = work.pools_of, []

    def pools_of(*arguments, **options):
        if len(seen) == 2:
            more = [replace(refund, id="new", facts=(), arms=(), answer_bearing=None)]
            more[0] = replace(
                more[0], passages=tuple(replace(p, supports=None) for p in more[0].passages)
            )
            import_records(
                mine, more, collection="mine", format="jsonl", ranked=True, on_existing="add"
            )
        seen.append(arguments)
        return read(*arguments, **options)

    monkeypatch.setattr(work, "pools_of", pools_of)
    carry_out(mine, claim(mine, this_worker()), "serial")
    assert jobs.job(mine, id).state == "done"
    assert kept_rows(mine) == expected_rows(mine)
    assert len(kept_rows(mine)) == 26 * len(QUICK)
    assert not comparisons(mine)[0].stale


def test_a_collection_that_is_deleted_takes_its_job_along(mine: Database):
    ask(mine)
    taken = claim(mine, this_worker())
    remove_collection(mine, "mine")
    carry_out(mine, taken, "serial")
    assert jobs.jobs(mine) == ()


def test_the_estimate_is_of_what_this_process_did(mine: Database):
    id = ask(mine)
    claim(mine, this_worker())
    view = jobs.job(mine, id)
    assert view.left() is None
    ahead = replace(view, done=20, total=60, resumed_at=10)
    assert ahead.left(view.started_at + timedelta(seconds=5)) == timedelta(seconds=20)
    assert ahead.share == pytest.approx(1 / 3)


@pytest.mark.parametrize("name", ["dask://nowhere", "threads", "processes:0"])
def test_an_executor_that_means_nothing_fails_the_job_in_a_sentence(mine: Database, name: str):
    id = ask(mine)
    carry_out(mine, claim(mine, this_worker()), name)
    view = jobs.job(mine, id)
    assert view.state == "failed"
    assert "is accepted" in view.problem


def test_a_process_is_started_where_a_job_waits_and_only_then(mine: Database, monkeypatch):
    monkeypatch.setattr(starting, "_started", {})
    assert not jobs.start(mine)
    id = ask(mine)
    assert jobs.start(mine)
    assert not jobs.start(mine)
    wait_for(mine, id, lambda view: view.state == "done")
    assert kept_rows(mine) == expected_rows(mine)


def test_a_killed_job_goes_on_from_its_finished_chunks(database: Database, url: str, slow):
    fill(database, 250)
    selectors = ("slow(pause=0.002)", *QUICK)
    id = ask(database, selectors)
    first = process(url)
    wait_for(database, id, lambda view: view.done >= 100)
    first.kill()
    first.wait()
    view = jobs.job(database, id)
    assert view.state == "stopped"
    with database.read() as connection:
        before = connection.scalars(select(t.job_chunks.c.payload)).all()
    assert 1 <= len(before) < 3
    second = process(url)
    assert second.wait(60) == 0
    assert jobs.job(database, id).state == "done"
    assert jobs.job(database, id).resumed_at == 100 * len(before)
    assert kept_rows(database) == expected_rows(database, selectors)


def test_a_running_job_is_cancelled_within_a_moment(database: Database, url: str, slow):
    fill(database, 100)
    id = ask(database, ("slow(pause=0.5)",))
    running = process(url)
    wait_for(database, id, lambda view: view.state == "running")
    assert jobs.cancel(database, id)
    assert running.wait(20) == 0
    assert jobs.job(database, id).state == "cancelled"
    assert comparisons(database) == ()


@pytest.mark.heavy
@pytest.mark.timeout(600)
def test_twenty_kills_at_random_moments_lose_nothing_and_double_nothing(
    database: Database, url: str, slow
):
    fill(database, 1500)
    selectors = ("slow(pause=0.01)", *QUICK)
    id = ask(database, selectors)
    draw = random.Random(13)
    for at in range(20):
        running = process(url)
        if at % 2:
            # Half of them while it works, the others at any moment, that of starting included.
            wait_for(database, id, lambda view: view.state in ("running", "failed", "done"))
        time.sleep(draw.uniform(0.0, 2.5))
        running.kill()
        running.wait()
        if jobs.job(database, id).state == "failed":
            jobs.go_on(database, id)
    assert process(url).wait(120) == 0
    assert jobs.job(database, id).state == "done"
    assert kept_rows(database) == expected_rows(database, selectors)
