"""Proposed evidence that people confirm: from then on it is gold like any other.

Decisions are kept beside the gold as a history, and applied again after a new import.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Connection, delete, insert, select, update

from storage import deeds, queries
from storage import tables as t
from storage.engine import Database
from storage.fingerprint import fingerprint
from storage.stored import StoredQuestion, read_questions

CHUNK = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One row of the history: what somebody said of one proposed passage."""

    question: str
    passage: str
    confirmed: bool
    rule: str
    reviewer: str
    decided_at: datetime


def decisions(
    database: Database, collection: str, *, question: str | None = None
) -> tuple[Decision, ...]:
    """The whole history, of one question or of all, the oldest first.

    :raises NotStored: for an unknown collection.
    """
    home = queries.collection(database, collection)
    with database.read() as connection:
        return _history(connection, home.id, question)


def standing(history: Iterable[Decision]) -> Mapping[tuple[str, str], Decision]:
    """(question, passage) -> the newest decision, which counts."""
    return {(one.question, one.passage): one for one in history}


def decide(
    database: Database,
    collection: str,
    question: str,
    passage: str,
    *,
    confirmed: bool,
    rule: str,
    reviewer: str,
) -> None:
    """Confirm or reject a proposed passage. A confirmed one is answer-bearing from now on.

    :raises NotStored: for an unknown collection or question.
    :raises ValueError: where the question has no such candidate; nothing is stored then.
    """
    home = queries.collection(database, collection)
    with database.write() as connection:
        stored = queries.read_question(connection, home, question)
        if all(one.record.id != passage for one in stored.passages):
            raise ValueError(
                f"Question {question!r} has no candidate {passage!r}. Nothing was stored."
            )
        connection.execute(
            insert(t.evidence_decisions).values(
                collection_id=home.id,
                question=question,
                candidate=passage,
                confirmed=confirmed,
                rule=rule,
                reviewer=reviewer.strip()[:200] or "unknown",
                decided_at=datetime.now(UTC),
            )
        )
        _apply(connection, stored, _history(connection, home.id, question))
        connection.execute(
            update(t.collections)
            .where(t.collections.c.id == home.id)
            .values(imported_at=datetime.now(UTC))
        )
        deeds.record(
            connection,
            who=database.who or reviewer.strip(),
            deed="confirmed evidence" if confirmed else "rejected evidence",
            collection=collection,
            what=deeds.counted(1, "passage"),
        )


def apply_again(connection: Connection, collection: int) -> None:
    """After an import: what was confirmed before is gold of the new rows as well."""
    history: dict[str, list[Decision]] = defaultdict(list)
    for one in _history(connection, collection, None):
        history[one.question].append(one)
    names = list(history)
    q = t.questions.c
    for start in range(0, len(names), CHUNK):
        some = q.external_id.in_(names[start : start + CHUNK])
        keys = connection.scalars(select(q.id).where(q.collection_id == collection, some)).all()
        for stored in read_questions(connection, keys):
            _apply(connection, stored, history[stored.record.id])


def _history(connection: Connection, collection: int, question: str | None) -> tuple[Decision, ...]:
    d = t.evidence_decisions.c
    query = select(t.evidence_decisions).where(d.collection_id == collection).order_by(d.id)
    if question is not None:
        query = query.where(d.question == question)
    return tuple(
        Decision(
            question=row.question,
            passage=row.candidate,
            confirmed=row.confirmed,
            rule=row.rule,
            reviewer=row.reviewer,
            decided_at=row.decided_at,
        )
        for row in connection.execute(query)
    )


def _apply(connection: Connection, stored: StoredQuestion, history: Iterable[Decision]) -> None:
    """Write what counts of a history into the gold of a question."""
    said = {one.passage: one.confirmed for one in history}
    given = stored.record.answer_bearing or ()
    bearing = {name for name in given if said.get(name) is not False}
    ranks = {one.record.id: one.rank for one in stored.passages}
    bearing |= {name for name, confirmed in said.items() if confirmed and name in ranks}
    if bearing == set(given):
        return
    # Rejecting the last proposal says nothing of the passages that nobody looked at.
    ordered = sorted(bearing, key=lambda name: (_place(stored, name), name))
    record = replace(stored.record, answer_bearing=tuple(ordered) or None)
    table = t.answer_bearing
    connection.execute(delete(table).where(table.c.question_id == stored.key))
    if ordered:
        rows = [{"question_id": stored.key, "candidate": name} for name in ordered]
        connection.execute(insert(table), rows)
    connection.execute(
        update(t.questions)
        .where(t.questions.c.id == stored.key)
        .values(
            evidence_known=bool(ordered),
            evidence_rank=min((ranks[name] for name in bearing if name in ranks), default=None),
            fingerprint=fingerprint(record),
        )
    )


def _place(stored: StoredQuestion, name: str) -> int:
    """Where a candidate stands in the file, as reading it back orders them."""
    places = {one.record.id: one.file_position for one in stored.passages}
    return places.get(name, len(places))
