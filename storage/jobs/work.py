"""Working on one job: chunk by chunk, each kept as soon as it is finished."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, insert, select, update

from selection.model import Pool
from selection.travel import light
from storage import queries
from storage import tables as t
from storage.engine import Database
from storage.fingerprint import combined
from storage.jobs.beat import Beat
from storage.jobs.kinds import Finished, Work, kind_of
from storage.jobs.queue import Claimed, is_mine
from storage.reading import pools_of

CHUNK = 100
"""Questions of one chunk: fewer cost more on the way to a worker than they take there."""
RESTARTS = 3
"""How often a job begins anew because its data changed while it ran."""


class Lost(Exception):
    """The job is not this worker's any more: cancelled, taken over, or gone with its collection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The questions of a job as they are now. keys: of the database, in order."""

    collection: str
    keys: tuple[int, ...]
    fingerprints: Mapping[str, str]

    @property
    def fingerprint(self) -> str:
        return combined(self.fingerprints.values())

    @property
    def chunks(self) -> Mapping[int, Sequence[int]]:
        """Chunk number -> keys."""
        starts = range(0, len(self.keys), CHUNK)
        return {at: self.keys[start : start + CHUNK] for at, start in enumerate(starts)}


def work_on(database: Database, job: Claimed, executor: Executor | None) -> None:
    """Bring a claimed job to its end.

    :raises Lost: where it was taken away meanwhile; nothing more is written then.
    :raises ValueError: in a sentence, where it cannot be done.
    """
    with Beat(database, job) as beat:
        for _ in range(1 + RESTARTS):
            plan = _plan(database, job)
            job = replace(job, fingerprint=plan.fingerprint)
            for position, count, payload in _run(database, job, plan, executor, beat):
                _keep(database, job, position, questions=count, payload=payload)
            if _finish(database, job):
                return
    raise ValueError(
        f"The collection changed {1 + RESTARTS} times while this ran; run it when nobody imports."
    )


def _plan(database: Database, job: Claimed) -> Plan:
    """What there is to do; what was finished on other data is thrown away."""
    c, j = t.collections.c, t.jobs.c
    with database.write() as connection:
        name = connection.scalar(select(c.name).where(c.id == job.collection_id))
        if name is None or not is_mine(connection, job):
            raise Lost
        plan = Plan(
            collection=name,
            keys=tuple(queries.question_keys(connection, job.collection_id)),
            fingerprints=queries.fingerprints(connection, job.collection_id),
        )
        values: dict[str, Any] = {"total": len(plan.keys), "fingerprint": plan.fingerprint}
        if job.fingerprint != plan.fingerprint:
            connection.execute(delete(t.job_chunks).where(t.job_chunks.c.job_id == job.id))
            values |= {"done": 0, "resumed_at": 0, "started_at": datetime.now(UTC)}
        connection.execute(update(t.jobs).where(j.id == job.id).values(**values))
    return plan


def _run(
    database: Database, job: Claimed, plan: Plan, executor: Executor | None, beat: Beat
) -> Iterator[tuple[int, int, bytes]]:
    """What is still to do, as it gets finished: chunk number, its questions, and its bytes."""
    kind = kind_of(job.kind)
    work: Work = kind.work(job.request)
    with database.read() as connection:
        kept = set(
            connection.scalars(
                select(t.job_chunks.c.position).where(t.job_chunks.c.job_id == job.id)
            )
        )
    chunks = {at: keys for at, keys in plan.chunks.items() if at not in kept}
    beat.begin(sum(len(keys) for at, keys in plan.chunks.items() if at in kept))
    reading = (
        (
            at,
            pools_of(database, job.collection_id, keys, needs=work.needs, relevance=work.relevance),
        )
        for at, keys in chunks.items()
    )
    finished = (
        _here(reading, work, beat) if executor is None else _there(reading, work, beat, executor)
    )
    for at, results in finished:
        yield at, len(chunks[at]), kind.packed(results)


Read = Iterator[tuple[int, Sequence[Pool]]]
Results = Iterator[tuple[int, list[Any]]]


def _here(reading: Read, work: Work, beat: Beat) -> Results:
    """In this process, a slice at a time, so that cancelling never waits for a whole chunk."""
    for at, pools in reading:
        results = []
        for start in range(0, len(pools), work.slice):
            some = pools[start : start + work.slice]
            results.append(work.task(some))
            beat.did(len(some))
            _still_wanted(beat)
        yield at, results


def _there(reading: Read, work: Work, beat: Beat, executor: Executor) -> Results:
    """On an executor: a few chunks ahead of its workers, so that memory stays bounded."""
    waiting: dict[Future[Any], tuple[int, int]] = {}
    more = True
    try:
        while more or waiting:
            while more and len(waiting) < AHEAD:
                one = next(reading, None)
                if one is None:
                    more = False
                    break
                at, pools = one
                work.check(pools)
                task = executor.submit(work.task, [light(pool, work.needs) for pool in pools])
                waiting[task] = (at, len(pools))
                _still_wanted(beat)
            done, _ = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)
            _still_wanted(beat)
            for task in done:
                at, count = waiting.pop(task)
                beat.did(count)
                yield at, [task.result()]
    finally:
        for task in waiting:
            task.cancel()


AHEAD = 8
"""Chunks that are with the workers at a time."""


def _still_wanted(beat: Beat) -> None:
    if beat.lost.is_set():
        raise Lost


def _keep(
    database: Database, job: Claimed, position: int, *, questions: int, payload: bytes
) -> None:
    """Keep a finished chunk, if the job is still this worker's."""
    with database.write() as connection:
        if not is_mine(connection, job):
            raise Lost
        connection.execute(
            insert(t.job_chunks).values(
                job_id=job.id, position=position, questions=questions, payload=payload
            )
        )
        connection.execute(update(t.jobs).where(t.jobs.c.id == job.id).values(attempts=0))


def _finish(database: Database, job: Claimed) -> bool:
    """Turn the chunks into the result, in one transaction; False where the data have changed."""
    kind = kind_of(job.kind)
    k, c, j = t.job_chunks.c, t.collections.c, t.jobs.c
    with database.read() as connection:
        payloads = connection.scalars(
            select(k.payload).where(k.job_id == job.id).order_by(k.position)
        ).all()
    with database.write() as connection:
        name = connection.scalar(select(c.name).where(c.id == job.collection_id))
        if name is None or not is_mine(connection, job):
            raise Lost
        fingerprints = queries.fingerprints(connection, job.collection_id)
        if combined(fingerprints.values()) != job.fingerprint:
            return False
        result = kind.finish(
            connection,
            Finished(
                job=job.id,
                collection_id=job.collection_id,
                collection=name,
                request=job.request,
                author=job.author,
                fingerprint=job.fingerprint,
                fingerprints=fingerprints,
                payloads=payloads,
            ),
        )
        if not kind.KEEPS:
            connection.execute(delete(t.job_chunks).where(k.job_id == job.id))
        connection.execute(
            update(t.jobs)
            .where(j.id == job.id)
            .values(
                state="done",
                result=result,
                done=len(fingerprints),
                total=len(fingerprints),
                worker="",
                ended_at=datetime.now(UTC),
            )
        )
    return True
