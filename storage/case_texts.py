"""What a file about many questions quotes of each, read without building any pool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from storage import queries
from storage import tables as t
from storage.engine import Database
from storage.stored import StoredQuestion, read_questions
from storage.views import CandidateView, FactView

CHUNK = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseTexts:
    """The wording of one question's reference answer, facts and passages, as the pages show it."""

    answer: str | None
    facts: tuple[FactView, ...]
    candidates: tuple[CandidateView, ...]


def case_texts(
    database: Database, collection: str, questions: Sequence[str]
) -> Mapping[str, CaseTexts]:
    """Question id -> its texts; a question that is not stored any more is left out.

    :raises NotStored: for an unknown collection.
    """
    return {id: texts for id, texts in _read(database, collection, questions)}


def _read(
    database: Database, collection: str, questions: Sequence[str]
) -> Iterator[tuple[str, CaseTexts]]:
    home = queries.collection(database, collection)
    q = t.questions.c
    for start in range(0, len(questions), CHUNK):
        with database.read() as connection:
            wanted = q.external_id.in_(questions[start : start + CHUNK])
            keys = connection.scalars(
                select(q.id).where(q.collection_id == home.id, wanted).order_by(q.position)
            ).all()
            found = read_questions(connection, keys)
        yield from ((one.record.id, _texts(one)) for one in found)


def _texts(one: StoredQuestion) -> CaseTexts:
    answer = one.record.metadata.get("answer")
    return CaseTexts(
        answer=answer if isinstance(answer, str) else None,
        facts=tuple(
            FactView(id=fact.id, text=fact.text or fact.id, weight=fact.weight, linked=True)
            for fact in one.record.facts
        ),
        candidates=tuple(
            CandidateView(
                rank=passage.rank,
                id=passage.record.id,
                title=queries.passage_title(passage.record),
                text=passage.record.text,
                raw_score=passage.record.score,
                file_position=passage.file_position,
                places=(),
                metadata=passage.record.metadata,
            )
            for passage in one.passages
        ),
    )
