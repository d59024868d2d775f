"""Document frequencies of a collection, kept for TF-IDF."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence

from sqlalchemy import Connection, select

from selection.text.tfidf import DocumentFrequencies, document_frequencies
from storage import tables as t
from storage import writes
from storage.engine import Database

SAMPLE = 5_000
"""Texts read at most. Taken in the order of their hashes, which is as good as at random and the
same at every run; beyond this many, frequencies hardly move and an import would wait."""


def store_frequencies(database: Database, collection: int) -> None:
    """Count in how many of a collection's texts each term stands, and keep that.

    Counting takes seconds, so it happens before the writing starts.
    """
    with database.read() as connection:
        texts = _texts(connection, collection)
    found = document_frequencies(texts)
    packed = zlib.compress(json.dumps(dict(found.counts)).encode())
    with database.write() as connection:
        writes.store_terms(connection, collection, documents=found.documents, terms=packed)


def _texts(connection: Connection, collection: int) -> Sequence[str]:
    p, k, q = t.passages.c, t.candidates.c, t.questions.c
    mine = (
        select(k.passage_id)
        .join(t.questions, q.id == k.question_id)
        .where(q.collection_id == collection)
    )
    return connection.scalars(
        select(p.text).where(p.id.in_(mine)).order_by(p.content_hash).limit(SAMPLE)
    ).all()


def read_frequencies(connection: Connection, collection: int) -> DocumentFrequencies:
    """What `store_frequencies` kept; of a collection without texts it is empty."""
    table = t.term_statistics
    row = connection.execute(
        select(table.c.documents, table.c.terms).where(table.c.collection_id == collection)
    ).first()
    if row is None:
        return DocumentFrequencies(documents=0, counts={})
    return DocumentFrequencies(documents=row[0], counts=json.loads(zlib.decompress(row[1])))
