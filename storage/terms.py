"""Document frequencies of a collection, kept for TF-IDF."""

from __future__ import annotations

import json
import zlib

from sqlalchemy import Connection, select

from selection.text.tfidf import DocumentFrequencies, document_frequencies
from storage import tables as t
from storage import writes

SAMPLE = 20_000
"""Texts read at most. Taken in the order of their hashes, which is as good as at random and the
same at every run; beyond this many, frequencies hardly move and an import would wait."""


def store_frequencies(connection: Connection, collection: int) -> None:
    """Count in how many of a collection's texts each term stands, and keep that."""
    p, k, q = t.passages.c, t.candidates.c, t.questions.c
    mine = (
        select(k.passage_id)
        .join(t.questions, q.id == k.question_id)
        .where(q.collection_id == collection)
    )
    texts = connection.scalars(
        select(p.text).where(p.id.in_(mine)).order_by(p.content_hash).limit(SAMPLE)
    ).all()
    found = document_frequencies(texts)
    writes.store_terms(
        connection,
        collection,
        documents=found.documents,
        terms=zlib.compress(json.dumps(dict(found.counts)).encode()),
    )


def read_frequencies(connection: Connection, collection: int) -> DocumentFrequencies:
    """What `store_frequencies` kept; of a collection without texts it is empty."""
    table = t.term_statistics
    row = connection.execute(
        select(table.c.documents, table.c.terms).where(table.c.collection_id == collection)
    ).first()
    if row is None:
        return DocumentFrequencies(documents=0, counts={})
    return DocumentFrequencies(documents=row[0], counts=json.loads(zlib.decompress(row[1])))
