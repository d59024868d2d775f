"""Outcomes that come after their questions: added to what is stored, all of them or none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, delete, select, update

from storage import deeds, queries, writes
from storage import tables as t
from storage.engine import Database
from storage.fingerprint import fingerprint
from storage.formats._outcome_rows import read_outcomes
from storage.prepare import outcome
from storage.records import ArmOutcome, QuestionRecord
from storage.report import Report
from storage.stored import read_questions

CHUNK = 200
Progress = Callable[[int], None]
Given = Mapping[str, Sequence[ArmOutcome]]
"""Question id -> outcomes that a file has of it, in the file's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What an import of outcomes did. unknown: questions that the collection does not hold."""

    collection: str
    outcomes: int
    questions: int
    replaced: int
    unknown: int
    report: Report

    def __str__(self) -> str:
        replaced = (
            f", {self.replaced:,} of them in the place of earlier ones" if self.replaced else ""
        )
        left = f" {self.unknown:,} questions are not in this collection." if self.unknown else ""
        return (
            f"{self.collection}: {self.outcomes:,} outcomes on {self.questions:,} questions"
            f"{replaced}.{left}"
        )


def import_outcomes(
    database: Database,
    paths: Sequence[Path],
    *,
    collection: str,
    right_from: float | None = None,
    replace_known: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Added:
    """Add outcomes of arms to stored questions, in one transaction.

    right_from: a row with a score alone counts as right from this score on; None leaves it open.
    replace_known: whether a stored outcome of the same arm and run gives way; else a refusal.

    :raises NotStored: for an unknown collection. :raises ImportRefused: listing every problem.
    :raises ValueError: where no question of the file is stored, or an outcome is known already.
    """
    home = queries.collection(database, collection)
    report = Report()
    given: dict[str, list[ArmOutcome]] = defaultdict(list)
    for question, arm, _ in read_outcomes(paths, report):
        given[question].append(_judged(arm, right_from))
    report.raise_if_any()
    keys = _keys(database, home.id, given)
    if not keys:
        raise ValueError(_nothing(given, collection))
    unknown = len(given) - len(keys)
    merged, replaced = _merged(
        database, keys, given, replace_known=replace_known, progress=progress
    )
    if not dry_run:
        with database.write() as connection:
            for key, record in merged.items():
                _store(connection, key, record)
            connection.execute(
                update(t.collections)
                .where(t.collections.c.id == home.id)
                .values(imported_at=datetime.now(UTC))
            )
            deeds.record(
                connection,
                who=database.who,
                deed="added outcomes",
                collection=collection,
                what=deeds.counted(len(merged), "question"),
            )
    return Added(
        collection=collection,
        outcomes=sum(len(given[name]) for name in keys),
        questions=len(keys),
        replaced=replaced,
        unknown=unknown,
        report=report,
    )


def _judged(arm: ArmOutcome, right_from: float | None) -> ArmOutcome:
    if arm.correct is not None or arm.score is None or right_from is None:
        return arm
    return replace(arm, correct=arm.score >= right_from)


def _nothing(given: Given, collection: str) -> str:
    first = next(iter(given), None)
    if first is None:
        return "There is no outcome in what was given. Nothing was stored."
    return (
        f"None of the {len(given):,} questions of the file is in collection {collection!r}; the "
        f"first is {first!r}. Questions are found by their id. Nothing was stored."
    )


def _keys(database: Database, collection: int, given: Iterable[str]) -> dict[str, int]:
    """Question id -> database key, of those that are stored, in the order given."""
    q = t.questions.c
    found: dict[str, int] = {}
    names = list(given)
    with database.read() as connection:
        for start in range(0, len(names), CHUNK):
            some = names[start : start + CHUNK]
            rows = connection.execute(
                select(q.external_id, q.id).where(
                    q.collection_id == collection, q.external_id.in_(some)
                )
            )
            found.update({name: key for name, key in rows})
    return {name: found[name] for name in names if name in found}


def _merged(
    database: Database,
    keys: Mapping[str, int],
    given: Given,
    *,
    replace_known: bool,
    progress: Progress | None,
) -> tuple[dict[int, QuestionRecord], int]:
    """The records as they will be, and how many outcomes give way; read before anything is locked.

    :raises ValueError: where an outcome is known already and must not give way.
    """
    merged: dict[int, QuestionRecord] = {}
    replaced = 0
    names = list(keys)
    for start in range(0, len(names), CHUNK):
        with database.read() as connection:
            chunk = read_questions(connection, [keys[n] for n in names[start : start + CHUNK]])
        for stored in chunk:
            record = stored.record
            fresh = {(arm.name, arm.run): arm for arm in given[record.id]}
            known = {(arm.name, arm.run) for arm in record.arms} & set(fresh)
            if known and not replace_known:
                arm, run = min(known)
                raise ValueError(
                    f"Question {record.id!r} has an outcome of arm {arm!r}, run {run} already; "
                    "replace what is stored (--replace), or give it another run. "
                    "Nothing was stored."
                )
            replaced += len(known)
            kept = [fresh.pop((arm.name, arm.run), arm) for arm in record.arms]
            merged[stored.key] = replace(record, arms=(*kept, *fresh.values()))
        if progress:
            progress(min(len(names), start + CHUNK))
    return merged, replaced


def _store(connection: Connection, key: int, record: QuestionRecord) -> None:
    connection.execute(delete(t.outcomes).where(t.outcomes.c.question_id == key))
    writes.store_outcomes(connection, key, record.arms)
    connection.execute(
        update(t.questions)
        .where(t.questions.c.id == key)
        .values(
            outcome=outcome(record.arms),
            has_sent=any(arm.sent is not None for arm in record.arms),
            fingerprint=fingerprint(record),
        )
    )
