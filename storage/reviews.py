"""Verdicts of people on questions: a history that only grows, so that nobody overwrites anybody.

The newest verdict that stands counts. Taking one back adds a row without a verdict, which takes
back the newest standing one of the same person; what stood before it then counts again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import insert, select

from storage import deeds, queries
from storage import tables as t
from storage.engine import Database

LONGEST_VERDICT, LONGEST_NOTE, LONGEST_NAME = 100, 4_000, 200
CHUNK = 500
VERDICTS = (
    "crowded out",
    "left out by selection",
    "never retrieved",
    "model's own mistake",
    "label or gold is wrong",
    "articles contradict",
)
"""What a reviewer is offered first; any other short text is a verdict as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One row of the history. verdict: empty where it takes an earlier one back.

    group: what the verdict was given for together, empty for a single question; the rows of one
    group verdict share their moment.
    """

    question: str
    verdict: str
    note: str
    reviewer: str
    reviewed_at: datetime
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What counts of one question's history. current: None where every verdict was taken back."""

    current: Review | None
    history: tuple[Review, ...]


def add_review(
    database: Database,
    collection: str,
    questions: Sequence[str],
    *,
    verdict: str,
    note: str = "",
    reviewer: str,
    group: str = "",
) -> int:
    """Give one verdict on some questions, in one transaction; returns on how many.

    :raises NotStored: for an unknown collection.
    :raises ValueError: for a verdict that is empty or a text that is too long, or for a question
        that the collection does not hold; nothing is stored then.
    """
    said = _short(verdict, "The verdict", LONGEST_VERDICT)
    if not said:
        raise ValueError("The verdict is empty; write a word or two. Nothing was stored.")
    return _append(
        database, collection, questions, verdict=said, note=note, reviewer=reviewer, group=group
    )


def take_back(
    database: Database,
    collection: str,
    questions: Sequence[str],
    *,
    reviewer: str,
    group: str = "",
) -> int:
    """Take back this person's newest standing verdict on some questions; returns on how many.

    A row is added, none is removed. Where this person has none that stands, nothing happens.

    :raises NotStored: for an unknown collection.
    """
    standing = reviews(database, collection)
    mine = [
        one for one in questions if one in standing and _has_own(standing[one].history, reviewer)
    ]
    return _append(database, collection, mine, verdict="", note="", reviewer=reviewer, group=group)


def reviews(database: Database, collection: str) -> Mapping[str, Standing]:
    """Question id -> what counts, and its whole history, the oldest first.

    :raises NotStored: for an unknown collection.
    """
    home = queries.collection(database, collection)
    r = t.reviews.c
    with database.read() as connection:
        rows = connection.execute(
            select(t.reviews).where(r.collection_id == home.id).order_by(r.id)
        ).all()
    histories: dict[str, list[Review]] = defaultdict(list)
    for row in rows:
        histories[row.question].append(
            Review(
                question=row.question,
                verdict=row.verdict,
                note=row.note,
                reviewer=row.reviewer,
                reviewed_at=row.reviewed_at,
                group=row.group,
            )
        )
    return {
        question: Standing(current=next(reversed(standing(rows)), None), history=tuple(rows))
        for question, rows in histories.items()
    }


def standing(history: Iterable[Review]) -> list[Review]:
    """The verdicts of a history that nobody took back, the oldest first."""
    left: list[Review] = []
    for row in history:
        if row.verdict:
            left.append(row)
            continue
        mine = [at for at, one in enumerate(left) if one.reviewer == row.reviewer]
        if mine:
            left.pop(mine[-1])
    return left


def _has_own(history: Sequence[Review], reviewer: str) -> bool:
    return any(one.reviewer == reviewer for one in standing(history))


def _append(
    database: Database,
    collection: str,
    questions: Sequence[str],
    *,
    verdict: str,
    note: str,
    reviewer: str,
    group: str,
) -> int:
    home = queries.collection(database, collection)
    who = _short(reviewer, "The name of the reviewer", LONGEST_NAME)
    moment = datetime.now(UTC)
    rows = [
        {
            "collection_id": home.id,
            "question": question,
            "verdict": verdict,
            "note": _short(note, "The note", LONGEST_NOTE),
            "reviewer": who or "unknown",
            "reviewed_at": moment,
            "group": group[:500],
        }
        for question in dict.fromkeys(questions)
    ]
    with database.write() as connection:
        for start in range(0, len(rows), CHUNK):
            chunk = rows[start : start + CHUNK]
            q = t.questions.c
            names = [row["question"] for row in chunk]
            known = set(
                connection.scalars(
                    select(q.external_id).where(
                        q.collection_id == home.id, q.external_id.in_(names)
                    )
                )
            )
            missing = next((name for name in names if name not in known), None)
            if missing is not None:
                raise ValueError(
                    f"Collection {collection!r} has no question {missing!r}. Nothing was stored."
                )
            connection.execute(insert(t.reviews), chunk)
        if rows:
            deeds.record(
                connection,
                who=who,
                deed="gave a verdict" if verdict else "took a verdict back",
                collection=collection,
                what=deeds.counted(len(rows), "question"),
            )
    return len(rows)


def _short(text: str, what: str, longest: int) -> str:
    """A text without blanks around it.

    :raises ValueError: where it is too long.
    """
    stripped = text.strip()
    if len(stripped) > longest:
        raise ValueError(
            f"{what} has {len(stripped):,} characters; up to {longest:,} are accepted. "
            "Nothing was stored."
        )
    return stripped
