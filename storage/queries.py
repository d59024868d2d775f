"""Everything that pages and the command line ask: one function a question, plain data back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import Connection, Row, Select, case, false, func, or_, select

from selection.model import Pool
from selection.text.tfidf import DocumentFrequencies
from storage import tables as t
from storage.conflicts import conflicts
from storage.engine import Database
from storage.equivalence.marking import marked
from storage.fingerprint import combined
from storage.pools import build_pool
from storage.records import PassageRecord
from storage.results import saved_results
from storage.stored import StoredQuestion, read_questions
from storage.terms import read_frequencies
from storage.texts import claim_texts, places
from storage.views import (
    CandidateView,
    CollectionView,
    FactView,
    Page,
    QuestionRow,
    QuestionView,
)

Sort = Literal[
    "position", "question", "candidates", "tokens", "redundancy", "facts", "evidence", "outcome"
]
_SORTS = {
    "position": t.questions.c.position,
    "question": t.questions.c.text,
    "candidates": t.questions.c.candidates,
    "tokens": t.questions.c.pool_tokens,
    "redundancy": t.questions.c.redundancy,
    "facts": t.questions.c.facts,
    "evidence": t.questions.c.evidence_rank,
    "outcome": t.questions.c.outcome,
}
SORTS: tuple[str, ...] = tuple(_SORTS)
OUTCOMES = ("worse", "better", "right", "wrong")


class NotStored(KeyError):
    """Something that was asked for by name is not there; the text says what is."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else "not stored"


def collections(database: Database) -> tuple[CollectionView, ...]:
    """Every visible collection: those brought in first, then the built-in ones, each by age."""
    with database.read() as connection:
        rows = connection.execute(_collection_query()).all()
    return tuple(_collection(row) for row in rows)


def collection(database: Database, name: str) -> CollectionView:
    """One collection.

    :raises NotStored: listing the names that exist.
    """
    with database.read() as connection:
        return _named(connection, name)


def _named(connection: Connection, name: str) -> CollectionView:
    row = connection.execute(_collection_query().where(t.collections.c.name == name)).first()
    if row is None:
        c = t.collections.c
        names = connection.scalars(select(c.name).where(c.visible).order_by(c.name)).all()
        listed = ", ".join(repr(one) for one in names) or "none yet"
        raise NotStored(f"There is no collection {name!r}; stored are {listed}.")
    return _collection(row)


def _collection_query() -> Select[Any]:
    c, q, m = t.collections.c, t.questions.c, t.comparisons.c

    def many(condition: Any) -> Any:
        return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)

    counted = (
        select(
            q.collection_id,
            func.count().label("questions"),
            func.coalesce(func.sum(q.candidates), 0).label("candidates"),
            many(q.facts > 0).label("with_facts"),
            many(q.evidence_known).label("with_evidence"),
            many(q.outcome != "").label("with_outcomes"),
            many(q.has_sent).label("with_sent"),
            many(q.claims_given).label("with_claims"),
        )
        .group_by(q.collection_id)
        .subquery()
    )
    saved = (
        select(func.count())
        .select_from(t.comparisons)
        .where(m.collection_id == c.id)
        .scalar_subquery()
    )
    return (
        select(t.collections, counted, saved.label("comparisons"))
        .outerjoin(counted, counted.c.collection_id == c.id)
        .where(c.visible)
        .order_by(c.made_up, c.id)
    )


def _collection(row: Row[Any]) -> CollectionView:
    return CollectionView(
        id=row.id,
        name=row.name,
        note=row.note,
        made_up=row.made_up,
        format=row.format,
        imported_at=row.imported_at,
        questions=row.questions or 0,
        candidates=row.candidates or 0,
        with_facts=row.with_facts or 0,
        with_evidence=row.with_evidence or 0,
        with_outcomes=row.with_outcomes or 0,
        with_sent=row.with_sent or 0,
        with_claims=row.with_claims or 0,
        comparisons=row.comparisons,
    )


MOST_NAMES = 4
MOST_VALUES = 30
LOOKED_AT = 200


def metadata_values(database: Database, collection: str) -> dict[str, tuple[str, ...]]:
    """What questions can be told apart by: metadata name -> its values, each sorted.

    The first `MOST_NAMES` names, among the first `LOOKED_AT` questions, whose values are words and
    of which there are 2 to `MOST_VALUES` in the whole collection.

    :raises NotStored: for an unknown collection.
    """
    q = t.questions.c
    found: dict[str, tuple[str, ...]] = {}
    with database.read() as connection:
        mine = q.collection_id == _named(connection, collection).id
        seen = connection.scalars(
            select(q.metadata).where(mine).order_by(q.position).limit(LOOKED_AT)
        )
        names = _names_of_words(list(seen))
        for name in names:
            value = q.metadata[name].as_string()
            query = select(value).where(mine, value.is_not(None)).distinct()
            values = connection.scalars(query.limit(MOST_VALUES + 1)).all()
            if 2 <= len(values) <= MOST_VALUES:
                found[name] = tuple(sorted(map(str, values)))
            if len(found) == MOST_NAMES:
                break
    return found


def _names_of_words(seen: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names whose values are words wherever they occur; lists and numbers are none."""
    names = {name for one in seen for name in one if _can_be_asked(name)}
    others = {name for one in seen for name, value in one.items() if not isinstance(value, str)}
    return sorted(names - others)


def _can_be_asked(name: str) -> bool:
    """Whether a name can stand in a path of every database without being quoted."""
    return name.isascii() and name.isidentifier()


def questions(
    database: Database,
    collection: str,
    *,
    search: str = "",
    outcome: str = "",
    where: tuple[str, str] | None = None,
    sort: str = "position",
    descending: bool = False,
    offset: int = 0,
    limit: int = 50,
) -> Page:
    """One page of a collection's questions, filtered, sorted and cut in SQL.

    search: a part of the question or of its id, in any case. outcome: one of `OUTCOMES`, or empty
    for all. where: a name of the metadata and the value that it must have. What is not known sorts
    last in either direction.

    :raises NotStored: for an unknown collection. :raises ValueError: for an unknown sort.
    """
    if sort not in _SORTS:
        raise ValueError(f"sort is {sort!r}; {', '.join(SORTS)} are accepted.")
    q = t.questions.c
    with database.read() as connection:
        key = _named(connection, collection).id
        wanted = [q.collection_id == key]
        if search:
            wanted.append(
                or_(
                    q.text.icontains(search, autoescape=True),
                    q.external_id.icontains(search, autoescape=True),
                )
            )
        if outcome:
            wanted.append(q.outcome == outcome)
        if where is not None:
            name, value = where
            asked = q.metadata[name].as_string() == value
            wanted.append(asked if _can_be_asked(name) else false())
        column = _SORTS[sort]
        order = column.desc() if descending else column.asc()
        rows = connection.execute(
            select(t.questions)
            .where(*wanted)
            .order_by(column.is_(None), order, q.position)
            .offset(max(0, offset))
            .limit(max(0, limit))
        ).all()
        total = connection.scalar(select(func.count()).select_from(t.questions).where(*wanted))
    return Page(rows=tuple(_question_row(row) for row in rows), total=int(total or 0))


def _question_row(row: Row[Any]) -> QuestionRow:
    return QuestionRow(
        id=row.external_id,
        question=row.text,
        candidates=row.candidates,
        tokens=row.pool_tokens,
        redundancy=row.redundancy,
        facts=row.facts or None,
        evidence_rank=row.evidence_rank,
        outcome=row.outcome,
        metadata=row.metadata,
    )


def first_question(database: Database, collection: str) -> str:
    """The id of a collection's first question.

    :raises NotStored: where the collection does not exist or holds no question.
    """
    page = questions(database, collection, limit=1)
    if not page.rows:
        raise NotStored(f"Collection {collection!r} holds no question.")
    return page.rows[0].id


def question(
    database: Database, collection: str, id: str, *, relevance: str | None = None
) -> QuestionView:
    """Everything that the Question page draws.

    relevance: how scores are rescaled (`given`, `minmax`, `rank`; None: as they need it).

    :raises NotStored: naming the collection or question that is not there.
    """
    with database.read() as connection:
        home = _named(connection, collection)
        stored = read_question(connection, home, id)
        frequencies = _frequencies(database.url, home.id, home.imported_at.isoformat(), connection)
        previous, following, position = _neighbours(connection, home.id, stored.position)
        saved = saved_results(connection, home.id, id)
    built = build_pool(stored, relevance=relevance, frequencies=frequencies)
    answer = stored.record.metadata.get("answer")
    return QuestionView(
        collection=home,
        id=id,
        question=stored.record.question,
        answer=answer if isinstance(answer, str) else None,
        metadata=stored.record.metadata,
        pool=built.pool,
        sources=built.sources,
        candidates=_candidates(stored, built.raw_scores),
        claim_texts=claim_texts(stored),
        facts=_facts(stored, built.pool),
        arms=stored.record.arms,
        conflicts=conflicts(stored),
        saved=saved,
        position=position,
        total=home.questions,
        previous=previous,
        next=following,
    )


def read_question(connection: Connection, home: CollectionView, id: str) -> StoredQuestion:
    """One stored question by the id its file gave it.

    :raises NotStored: where the collection has no such question.
    """
    q = t.questions.c
    key = connection.scalar(select(q.id).where(q.collection_id == home.id, q.external_id == id))
    if key is None:
        raise NotStored(f"Collection {home.name!r} has no question {id!r}.")
    return read_questions(connection, [key])[0]


def question_keys(connection: Connection, collection: int) -> list[int]:
    """Database keys of a collection's questions in their order."""
    q = t.questions.c
    found = select(q.id).where(q.collection_id == collection).order_by(q.position)
    return list(connection.scalars(found))


def collection_fingerprint(connection: Connection, collection: int) -> str:
    """One fingerprint over everything that a collection's questions say."""
    return combined(fingerprints(connection, collection).values())


def fingerprints(connection: Connection, collection: int) -> dict[str, str]:
    """The fingerprint of every question of a collection, by the question's id, in their order."""
    q = t.questions.c
    found = connection.execute(
        select(q.external_id, q.fingerprint)
        .where(q.collection_id == collection)
        .order_by(q.position)
    )
    return marked(connection, collection, {name: one for name, one in found})


def frequencies(database: Database, home: CollectionView) -> DocumentFrequencies:
    """Document frequencies of a collection, kept in memory for the next caller."""
    return frequencies_of(database, home.id)


def frequencies_of(database: Database, collection: int) -> DocumentFrequencies:
    """The same by a collection's key."""
    c = t.collections.c
    with database.read() as connection:
        stamp = connection.scalar(select(c.imported_at).where(c.id == collection))
        return _frequencies(database.url, collection, str(stamp), connection)


_kept: dict[tuple[str, int, str], DocumentFrequencies] = {}


def _frequencies(
    url: str, collection: int, stamp: str, connection: Connection
) -> DocumentFrequencies:
    key = (url, collection, stamp)
    if key not in _kept:
        if len(_kept) >= 8:
            _kept.pop(next(iter(_kept)), None)
        _kept[key] = read_frequencies(connection, collection)
    return _kept[key]


def _neighbours(
    connection: Connection, collection: int, position: int
) -> tuple[str | None, str | None, int]:
    q = t.questions.c
    mine = q.collection_id == collection
    before = select(q.external_id).where(mine, q.position < position).order_by(q.position.desc())
    after = select(q.external_id).where(mine, q.position > position).order_by(q.position)
    place = connection.scalar(select(func.count()).where(mine, q.position <= position))
    return (
        connection.scalar(before.limit(1)),
        connection.scalar(after.limit(1)),
        int(place or 0),
    )


def _candidates(stored: StoredQuestion, scores: Sequence[float]) -> tuple[CandidateView, ...]:
    return tuple(
        CandidateView(
            rank=passage.rank,
            id=passage.record.id,
            title=passage_title(passage.record),
            text=passage.record.text,
            raw_score=scores[at],
            file_position=passage.file_position,
            places=places(stored, at),
            metadata=passage.record.metadata,
        )
        for at, passage in enumerate(stored.passages)
    )


TITLE_WORDS = 20
"""How many first words stand for a title; what is too wide for the screen ends in dots there."""


def passage_title(passage: PassageRecord) -> str:
    """What a passage is called in a list: its title, else its first words, else its id."""
    title = passage.metadata.get("title")
    if isinstance(title, str) and title.strip():
        return title.strip()
    words = passage.text.split()
    if len(words) > TITLE_WORDS:
        return f"{' '.join(words[:TITLE_WORDS])}…"
    return " ".join(words) or passage.id


def _facts(stored: StoredQuestion, pool: Pool) -> tuple[FactView, ...]:
    supports = pool.support_bits
    linked = supports.decode(supports.union(range(len(pool))))
    return tuple(
        FactView(
            id=fact.id, text=fact.text or fact.id, weight=fact.weight, linked=fact.id in linked
        )
        for fact in stored.record.facts
    )
