"""A question kept as it was: record, pool and the statistics that its similarities rest on.

Whatever is imported later, and whatever becomes of the collection's other texts, the pool that is
built from it stays the same.
"""

from __future__ import annotations

import json
import zlib

from selection.model import Pool
from selection.text.terms import words
from selection.text.tfidf import DocumentFrequencies
from storage.formats.jsonl import document_of, record_of
from storage.pools import build_pool
from storage.prepare import Prepared, prepare
from storage.records import QuestionRecord
from storage.stored import StoredPassage, StoredQuestion


def freeze(record: QuestionRecord, frequencies: DocumentFrequencies) -> bytes:
    """Pack a question. Of the frequencies the words of its own passages are kept."""
    texts = [passage.text for passage in record.passages]
    own = sorted({word for text in texts for word in words(text) or [text.strip()]})
    document = {
        "question": document_of(record),
        "documents": frequencies.documents,
        "words": {word: n for word in own if (n := frequencies.counts.get(word))},
    }
    text = json.dumps(document, ensure_ascii=False, allow_nan=False)
    return zlib.compress(text.encode("utf-8", "surrogatepass"))


class Frozen:
    """What was packed, unpacked. record: the question as it was."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        document = json.loads(zlib.decompress(packed).decode("utf-8", "surrogatepass"))
        self.record = record_of(document["question"])
        self._frequencies = DocumentFrequencies(document["documents"], document["words"])
        self._pools: dict[bool, Pool] = {}

    def pool(self, *, similarity: bool) -> Pool:
        """The pool that selectors see. similarity: whether they compare passages."""
        if similarity not in self._pools:
            frequencies = self._frequencies if similarity else None
            stored = _stored(prepare(self.record, ranked=True))
            built = build_pool(stored, relevance=None, frequencies=frequencies)
            self._pools[similarity] = built.pool
        return self._pools[similarity]


def _stored(one: Prepared) -> StoredQuestion:
    """A prepared question as if it had been stored and read again."""
    passages = tuple(
        StoredPassage(
            record=passage,
            rank=rank,
            file_position=candidate.index,
            tokens=candidate.tokens,
            tokens_given=passage.tokens is not None,
            computed_score=candidate.computed_score,
        )
        for rank, candidate in enumerate(one.candidates, start=1)
        for passage in (one.record.passages[candidate.index],)
    )
    return StoredQuestion(
        key=0,
        collection=0,
        position=0,
        record=one.record,
        passages=passages,
        claims=one.claims,
        claims_given=one.claims_given,
    )
