"""Claims of a stored question as a person reads them: their wording and their places."""

from __future__ import annotations

from functools import lru_cache

from selection.text.statements import Statement, statements
from storage.stored import StoredQuestion
from storage.views import Place


@lru_cache(maxsize=20_000)
def statements_of(text: str) -> tuple[Statement, ...]:
    """The statements of a text, kept: a question is opened more than once."""
    return tuple(statements(text))


def places(stored: StoredQuestion, at: int) -> tuple[Place, ...]:
    """Where one passage (0-based place in the pool) states each of its claims."""
    record = stored.passages[at].record
    if stored.claims_given:
        return tuple(
            Place(claim=claim.key, start=claim.start, end=claim.end)
            for claim in record.claims or ()
        )
    return tuple(
        Place(claim=one.key, start=one.start, end=one.end) for one in statements_of(record.text)
    )


def claim_texts(stored: StoredQuestion) -> dict[str, str]:
    """Claim -> its wording: as given, else the first sentence in rank order that states it."""
    found: dict[str, str] = {}
    for passage in stored.passages:
        if stored.claims_given:
            for claim in passage.record.claims or ():
                found.setdefault(claim.key, claim.text or claim.key)
        else:
            text = passage.record.text
            for one in statements_of(text):
                found.setdefault(one.key, text[one.start : one.end])
    return found
