"""Claims of a stored question as a person reads them: their wording and their places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from selection.text.statements import Statement, statements
from storage.records import PassageRecord
from storage.stored import StoredQuestion
from storage.views import Place


@lru_cache(maxsize=20_000)
def statements_of(text: str) -> tuple[Statement, ...]:
    """The statements of a text, kept: a question is opened more than once."""
    return tuple(statements(text))


def places(stored: StoredQuestion, at: int) -> tuple[Place, ...]:
    """Where one passage (0-based place in the pool) states each claim, and supports each fact."""
    record = stored.passages[at].record
    supported = tuple(
        Place(claim=support.fact, start=support.start, end=support.end)
        for support in record.supports or ()
        if support.degree != "contradicts" and support.start is not None
    )
    return (*_claims(stored, record), *supported)


def _claims(stored: StoredQuestion, record: PassageRecord) -> Iterator[Place]:
    if stored.claims_given:
        for claim in record.claims or ():
            yield Place(
                claim=stored.merged.get(claim.key, claim.key), start=claim.start, end=claim.end
            )
    else:
        for one in statements_of(record.text):
            yield Place(claim=stored.merged.get(one.key, one.key), start=one.start, end=one.end)


def claim_texts(stored: StoredQuestion) -> dict[str, str]:
    """Claim -> its wording: as given, else the first sentence in rank order that states it."""
    found: dict[str, str] = {}
    for passage in stored.passages:
        for key, said in _worded(stored, passage.record):
            found.setdefault(key, said)
            found.setdefault(stored.merged.get(key, key), said)
    return found


def _worded(stored: StoredQuestion, record: PassageRecord) -> Iterator[tuple[str, str]]:
    """Claims of one passage under their own names, with their wording."""
    if stored.claims_given:
        for claim in record.claims or ():
            yield claim.key, claim.text or claim.key
    else:
        for one in statements_of(record.text):
            yield one.key, record.text[one.start : one.end]
