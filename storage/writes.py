"""Everything that changes the database, in short transactions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Table, bindparam, delete, func, insert, select, update

from storage import tables as t
from storage.prepare import Prepared
from storage.records import ArmOutcome, PassageRecord


def new_collection(
    connection: Connection,
    *,
    name: str,
    note: str,
    made_up: bool,
    seed: int | None,
    format: str,
    importer: str,
) -> int:
    """A hidden collection to import into; returns its id."""
    return _inserted(
        connection,
        t.collections,
        name=name,
        note=note,
        made_up=made_up,
        seed=seed,
        format=format,
        visible=False,
        importer=importer,
        imported_at=datetime.now(UTC),
    )


def store_questions(
    connection: Connection, collection: int, prepared: Sequence[Prepared], *, first_position: int
) -> None:
    """Write a chunk of questions with all that belongs to them."""
    sets = _claim_sets(connection, collection, {_set_name(one) for one in prepared})
    texts = {
        candidate.content_hash: (one.record.passages[candidate.index], candidate.counted_tokens)
        for one in prepared
        for candidate in one.candidates
    }
    passage_ids = _passages(connection, texts)
    _vectors(connection, collection, prepared, passage_ids)
    for at, one in enumerate(prepared):
        question = _question(connection, collection, one, position=first_position + at)
        candidates = _candidates(connection, question, one, passage_ids)
        claim_set = sets[_set_name(one)]
        _claims(connection, claim_set, one, candidates)
        connection.execute(
            insert(t.packs).values(
                question_id=question,
                claim_set_id=claim_set,
                names=list(one.claims.names),
                words=one.claims.words.astype("<u8").tobytes(),
            )
        )
        _facts(connection, question, one, passage_ids)
        store_outcomes(connection, question, one.record.arms)


def _set_name(one: Prepared) -> str:
    return "given" if one.claims_given else "statements"


def _claim_sets(connection: Connection, collection: int, names: Iterable[str]) -> dict[str, int]:
    table = t.claim_sets
    found = select(table.c.name, table.c.id).where(table.c.collection_id == collection)
    ids = {name: id for name, id in connection.execute(found)}
    for name in sorted(set(names) - set(ids)):
        ids[name] = _inserted(
            connection, table, collection_id=collection, name=name, version=1, kind=name
        )
    return ids


def _passages(
    connection: Connection, texts: Mapping[str, tuple[PassageRecord, int | None]]
) -> dict[str, int]:
    """Ids of passage versions by content hash; those that are new are written."""
    known = _passage_ids(connection, texts)
    fresh = [
        {"content_hash": name, "text": passage.text, "counted_tokens": tokens}
        for name, (passage, tokens) in texts.items()
        if name not in known
    ]
    if fresh:
        connection.execute(insert(t.passages), fresh)
        known |= _passage_ids(connection, set(texts) - set(known))
    counted = [
        {"id_": known[name], "n": tokens}
        for name, (_, tokens) in texts.items()
        if tokens is not None
    ]
    if counted and len(fresh) < len(texts):
        table = t.passages
        fill = update(table).where(table.c.id == bindparam("id_"), table.c.counted_tokens.is_(None))
        connection.execute(fill.values(counted_tokens=bindparam("n")), counted)
    return known


def _passage_ids(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    table, found = t.passages, {}
    wanted = list(names)
    for start in range(0, len(wanted), 500):
        some = wanted[start : start + 500]
        query = select(table.c.content_hash, table.c.id).where(table.c.content_hash.in_(some))
        found.update({name: id for name, id in connection.execute(query)})
    return found


def _vectors(
    connection: Connection, collection: int, prepared: Sequence[Prepared], ids: Mapping[str, int]
) -> None:
    rows = {
        ids[candidate.content_hash]: passage.embedding
        for one in prepared
        for candidate in one.candidates
        for passage in (one.record.passages[candidate.index],)
        if passage.embedding is not None
    }
    table = t.embeddings
    stored = set(
        connection.scalars(
            select(table.c.passage_id).where(
                table.c.collection_id == collection, table.c.passage_id.in_(rows)
            )
        )
    )
    fresh = [
        {
            "passage_id": id,
            "collection_id": collection,
            "source": "given",
            "vector": vector_bytes(vector),
        }
        for id, vector in rows.items()
        if id not in stored
    ]
    if fresh:
        connection.execute(insert(table), fresh)


def vector_bytes(vector: Sequence[float]) -> bytes:
    """A vector as little-endian float64: what came in goes out again to the last bit."""
    return np.asarray(vector, dtype="<f8").tobytes()


def _question(connection: Connection, collection: int, one: Prepared, *, position: int) -> int:
    record = one.record
    embedding = record.query_embedding
    return _inserted(
        connection,
        t.questions,
        collection_id=collection,
        external_id=record.id,
        position=position,
        text=record.question,
        metadata=dict(record.metadata),
        query_embedding=None if embedding is None else vector_bytes(embedding),
        ranked=record.ranked is not False,
        evidence_known=record.answer_bearing is not None,
        fingerprint=one.fingerprint,
        candidates=len(one.candidates),
        pool_tokens=one.pool_tokens,
        redundancy=one.redundancy,
        facts=len(record.facts),
        evidence_rank=one.evidence_rank,
        outcome=one.outcome,
        has_sent=any(arm.sent is not None for arm in record.arms),
        claims_given=one.claims_given,
    )


def _candidates(
    connection: Connection, question: int, one: Prepared, passage_ids: Mapping[str, int]
) -> dict[int, int]:
    """Write the pool; returns record index -> candidate id."""
    rows = []
    for rank, candidate in enumerate(one.candidates, start=1):
        passage = one.record.passages[candidate.index]
        rows.append(
            {
                "question_id": question,
                "passage_id": passage_ids[candidate.content_hash],
                "external_id": passage.id,
                "rank": rank,
                "file_position": candidate.index,
                "score": passage.score,
                "rerank_score": passage.rerank_score,
                "computed_score": candidate.computed_score,
                "tokens": passage.tokens,
                "judged": passage.supports is not None,
                "claims_given": passage.claims is not None,
                "metadata": dict(passage.metadata),
            }
        )
    if not rows:
        return {}
    connection.execute(insert(t.candidates), rows)
    table = t.candidates
    query = select(table.c.file_position, table.c.id).where(table.c.question_id == question)
    return {position: id for position, id in connection.execute(query)}


def _claims(
    connection: Connection, claim_set: int, one: Prepared, candidates: Mapping[int, int]
) -> None:
    """Claims as given, with their places. Statements are worked out again from the text instead."""
    rows = [
        {
            "claim_set_id": claim_set,
            "candidate_id": candidates[index],
            "key": claim.key,
            "text": claim.text,
            "start": claim.start,
            "end": claim.end,
        }
        for index, passage in enumerate(one.record.passages)
        for claim in passage.claims or ()
    ]
    if rows:
        connection.execute(insert(t.claims), rows)


def _facts(
    connection: Connection, question: int, one: Prepared, passage_ids: Mapping[str, int]
) -> None:
    ids = {
        fact.id: _inserted(
            connection,
            t.facts,
            question_id=question,
            external_id=fact.id,
            position=position,
            text=fact.text,
            weight=fact.weight,
            alternatives=list(fact.alternatives),
        )
        for position, fact in enumerate(one.record.facts)
    }
    hashes = {candidate.index: candidate.content_hash for candidate in one.candidates}
    rows = [
        {
            "fact_id": ids[support.fact],
            "passage_id": passage_ids[hashes[index]],
            "candidate": passage.id,
            "position": position,
            "degree": support.degree,
            "start": support.start,
            "end": support.end,
        }
        for index, passage in enumerate(one.record.passages)
        for position, support in enumerate(passage.supports or ())
    ]
    if rows:
        connection.execute(insert(t.supports), rows)
    bearing = [
        {"question_id": question, "candidate": name}
        for name in dict.fromkeys(one.record.answer_bearing or ())
    ]
    if bearing:
        connection.execute(insert(t.answer_bearing), bearing)


def store_outcomes(connection: Connection, question: int, arms: Sequence[ArmOutcome]) -> None:
    """Write what the arms of one question did, in their order."""
    rows = [
        {
            "question_id": question,
            "arm": arm.name,
            "run": arm.run,
            "position": position,
            "correct": arm.correct,
            "score": arm.score,
            "cited": arm.cited,
            "answer": arm.answer,
            "setting": arm.setting,
            "sent": None if arm.sent is None else list(arm.sent),
        }
        for position, arm in enumerate(arms)
    ]
    if rows:
        connection.execute(insert(t.outcomes), rows)


def reveal(connection: Connection, collection: int, *, name: str) -> None:
    """Make an imported collection visible under its name."""
    table = t.collections
    connection.execute(
        update(table)
        .where(table.c.id == collection)
        .values(name=name, visible=True, importer="", imported_at=datetime.now(UTC))
    )


def move_questions(
    connection: Connection, *, source: int, target: int, replace: bool
) -> tuple[int, int]:
    """Move a hidden collection's questions into a visible one; returns (added, replaced).

    replace: questions whose id is there already give way; else those of the source are dropped.
    """
    table = t.questions
    there = select(table.c.external_id).where(table.c.collection_id == target)
    both = table.c.collection_id == (target if replace else source)
    known = connection.scalar(
        select(func.count()).where(table.c.collection_id == source, table.c.external_id.in_(there))
    )
    here = select(table.c.external_id).where(table.c.collection_id == source)
    connection.execute(
        delete(table).where(both, table.c.external_id.in_(here if replace else there))
    )
    end = connection.scalar(
        select(func.coalesce(func.max(table.c.position), -1)).where(table.c.collection_id == target)
    )
    moved = connection.scalar(select(func.count()).where(table.c.collection_id == source))
    _rehome(connection, t.embeddings, source=source, target=target)
    _merge_claim_sets(connection, source=source, target=target)
    connection.execute(
        update(table)
        .where(table.c.collection_id == source)
        .values(collection_id=target, position=table.c.position + (end or 0) + 1)
    )
    collections = t.collections
    connection.execute(
        update(collections)
        .where(collections.c.id == target)
        .values(imported_at=datetime.now(UTC), made_up=False)
    )
    delete_collection(connection, source)
    replaced = int(known or 0) if replace else 0
    return int(moved or 0) - replaced, replaced


def _rehome(connection: Connection, table: Table, *, source: int, target: int) -> None:
    """Move vectors; where the target has one for the same passage, the newer one stays."""
    mine = select(table.c.passage_id).where(table.c.collection_id == source)
    connection.execute(
        delete(table).where(table.c.collection_id == target, table.c.passage_id.in_(mine))
    )
    connection.execute(
        update(table).where(table.c.collection_id == source).values(collection_id=target)
    )


def _merge_claim_sets(connection: Connection, *, source: int, target: int) -> None:
    sets = t.claim_sets
    mine = select(sets.c.name, sets.c.id).where(sets.c.collection_id == source)
    for name, id in connection.execute(mine).all():
        into = _claim_sets(connection, target, {name})[name]
        for table in (t.claims, t.packs):
            connection.execute(
                update(table).where(table.c.claim_set_id == id).values(claim_set_id=into)
            )


def delete_collection(connection: Connection, collection: int) -> None:
    """Delete a collection, all that hangs on it, and the texts that nothing else uses."""
    connection.execute(delete(t.collections).where(t.collections.c.id == collection))
    drop_unused(connection, collection)


def drop_unused(connection: Connection, collection: int) -> None:
    """Delete texts that nothing uses any more, and vectors that a collection does not use."""
    mine = (
        select(t.candidates.c.passage_id)
        .join(t.questions, t.questions.c.id == t.candidates.c.question_id)
        .where(
            t.questions.c.collection_id == collection,
            t.candidates.c.passage_id == t.embeddings.c.passage_id,
        )
    )
    connection.execute(
        delete(t.embeddings).where(t.embeddings.c.collection_id == collection, ~mine.exists())
    )
    used = select(t.candidates.c.passage_id).where(t.candidates.c.passage_id == t.passages.c.id)
    connection.execute(delete(t.passages).where(~used.exists()))


def store_terms(connection: Connection, collection: int, *, documents: int, terms: bytes) -> None:
    """Keep the document frequencies of a collection, replacing earlier ones."""
    table = t.term_statistics
    connection.execute(delete(table).where(table.c.collection_id == collection))
    connection.execute(
        insert(table).values(collection_id=collection, documents=documents, terms=terms)
    )


def _inserted(connection: Connection, table: Table, **values: Any) -> int:
    key = connection.execute(insert(table).values(**values)).inserted_primary_key
    if key is None:
        raise AssertionError("an inserted row has a key")
    return int(key[0])
