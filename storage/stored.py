"""Reading stored questions whole: the rows of each table, joined into one object a question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, select

from selection.claims import Bits
from storage import tables as t
from storage.equivalence.merging import Merged, merge_bits, merged_claims
from storage.records import (
    ArmOutcome,
    Claim,
    Fact,
    PassageRecord,
    QuestionRecord,
    Support,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPassage:
    """One candidate as stored, in rank order. record: what the file said of it."""

    record: PassageRecord
    rank: int
    file_position: int
    tokens: int | None
    tokens_given: bool
    computed_score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredQuestion:
    """One question as stored. record: what the file said; claims: what selectors see.

    merged: claim of the file -> the claim that stands for it, where people merged some.
    """

    key: int
    collection: int
    position: int
    record: QuestionRecord
    passages: tuple[StoredPassage, ...]
    claims: Bits
    claims_given: bool
    merged: Mapping[str, str] = field(default_factory=dict)


Rows = Mapping[int, list[Row[Any]]]


def read_questions(connection: Connection, keys: Sequence[int]) -> list[StoredQuestion]:
    """Read some questions by their database keys, in the order given; one query a table."""
    q = t.questions.c
    heads = {row.id: row for row in connection.execute(select(t.questions).where(q.id.in_(keys)))}
    candidates = _grouped(connection, _candidate_query(keys))
    facts = _grouped(connection, _by_question(t.facts, keys, t.facts.c.position))
    outcomes = _grouped(connection, _by_question(t.outcomes, keys, t.outcomes.c.position))
    bearing = _grouped(connection, _by_question(t.answer_bearing, keys))
    packs = _grouped(connection, _by_question(t.packs, keys))
    claims = _grouped(connection, _claim_query(keys), by="candidate_id")
    supports = _grouped(connection, _support_query(keys))
    merged = merged_claims(connection, {heads[key].collection_id for key in keys})
    vectors = _vectors(connection, {heads[key].collection_id for key in keys}, candidates)
    return [
        _question(
            heads[key],
            candidates=candidates[key],
            facts=facts[key],
            outcomes=outcomes[key],
            bearing=bearing[key],
            pack=packs[key][0],
            claims=claims,
            supports=supports[key],
            vectors=vectors,
            merged=merged.get(heads[key].collection_id, {}),
        )
        for key in keys
    ]


def _grouped(connection: Connection, query: Any, *, by: str = "question_id") -> Rows:
    groups: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(query):
        groups[getattr(row, by)].append(row)
    return groups


def _by_question(table: Any, keys: Sequence[int], *order: Any) -> Any:
    return select(table).where(table.c.question_id.in_(keys)).order_by(*order)


def _candidate_query(keys: Sequence[int]) -> Any:
    k, p = t.candidates.c, t.passages.c
    return (
        select(t.candidates, p.text, p.counted_tokens)
        .join(t.passages, p.id == k.passage_id)
        .where(k.question_id.in_(keys))
        .order_by(k.question_id, k.rank)
    )


def _claim_query(keys: Sequence[int]) -> Any:
    k, c = t.candidates.c, t.claims.c
    return (
        select(t.claims)
        .join(t.candidates, k.id == c.candidate_id)
        .where(k.question_id.in_(keys))
        .order_by(c.id)
    )


def _support_query(keys: Sequence[int]) -> Any:
    f, s = t.facts.c, t.supports.c
    return (
        select(t.supports, f.external_id, f.question_id)
        .join(t.facts, f.id == s.fact_id)
        .where(f.question_id.in_(keys))
        .order_by(s.position, s.id)
    )


def _vectors(
    connection: Connection, collections: set[int], candidates: Rows
) -> dict[tuple[int, int], tuple[float, ...]]:
    wanted = {row.passage_id for rows in candidates.values() for row in rows}
    e = t.embeddings.c
    found = connection.execute(
        select(e.collection_id, e.passage_id, e.vector).where(
            e.collection_id.in_(collections), e.passage_id.in_(wanted)
        )
    )
    return {(row[0], row[1]): tuple(np.frombuffer(row[2], "<f8").tolist()) for row in found}


def _question(
    head: Row[Any],
    *,
    candidates: list[Row[Any]],
    facts: list[Row[Any]],
    outcomes: list[Row[Any]],
    bearing: list[Row[Any]],
    pack: Row[Any],
    claims: Rows,
    supports: list[Row[Any]],
    vectors: Mapping[tuple[int, int], tuple[float, ...]],
    merged: Merged,
) -> StoredQuestion:
    supported: dict[str, list[Support]] = defaultdict(list)
    for row in supports:
        supported[row.candidate].append(
            Support(fact=row.external_id, degree=row.degree, start=row.start, end=row.end)
        )
    passages = tuple(
        StoredPassage(
            record=_passage(
                row,
                claims=claims.get(row.id, []),
                supports=supported[row.external_id],
                embedding=vectors.get((head.collection_id, row.passage_id)),
            ),
            rank=row.rank,
            file_position=row.file_position,
            tokens=row.counted_tokens if row.tokens is None else row.tokens,
            tokens_given=row.tokens is not None,
            computed_score=row.computed_score,
        )
        for row in candidates
    )
    record = QuestionRecord(
        id=head.external_id,
        question=head.text,
        passages=tuple(p.record for p in sorted(passages, key=lambda p: p.file_position)),
        facts=tuple(
            Fact(
                id=row.external_id,
                text=row.text,
                weight=row.weight,
                alternatives=tuple(row.alternatives),
            )
            for row in facts
        ),
        answer_bearing=_bearing(bearing, passages) if head.evidence_known else None,
        arms=tuple(arm_of(row) for row in outcomes),
        query_embedding=_floats(head.query_embedding),
        ranked=head.ranked,
        metadata=head.metadata,
    )
    return StoredQuestion(
        key=head.id,
        collection=head.collection_id,
        position=head.position,
        record=record,
        passages=passages,
        claims=merge_bits(_unpacked(pack, rows=len(passages)), merged),
        claims_given=head.claims_given,
        merged=merged,
    )


def _unpacked(pack: Row[Any], *, rows: int) -> Bits:
    width = max(1, -(-len(pack.names) // 64))
    words = np.frombuffer(pack.words, "<u8").reshape(rows, width)
    return Bits.from_words(words, names=tuple(pack.names), rows=rows)


def _bearing(rows: list[Row[Any]], passages: Sequence[StoredPassage]) -> tuple[str, ...]:
    """Answer-bearing ids in the file's order; ids outside the pool come last."""
    place = {p.record.id: p.file_position for p in passages}
    names = [row.candidate for row in rows]
    return tuple(sorted(names, key=lambda name: (place.get(name, len(place)), name)))


def _passage(
    row: Row[Any],
    *,
    claims: Sequence[Row[Any]],
    supports: Sequence[Support],
    embedding: tuple[float, ...] | None,
) -> PassageRecord:
    return PassageRecord(
        id=row.external_id,
        text=row.text,
        tokens=row.tokens,
        score=row.score,
        rerank_score=row.rerank_score,
        claims=tuple(
            Claim(key=claim.key, text=claim.text, start=claim.start, end=claim.end)
            for claim in claims
        )
        if row.claims_given
        else None,
        supports=tuple(supports) if row.judged else None,
        embedding=embedding,
        metadata=row.metadata,
    )


def arm_of(row: Row[Any]) -> ArmOutcome:
    return ArmOutcome(
        name=row.arm,
        run=row.run,
        correct=row.correct,
        score=row.score,
        cited=row.cited,
        answer=row.answer,
        setting=row.setting,
        sent=None if row.sent is None else tuple(row.sent),
    )


def _floats(blob: bytes | None) -> tuple[float, ...] | None:
    return None if blob is None else tuple(np.frombuffer(blob, "<f8").tolist())
