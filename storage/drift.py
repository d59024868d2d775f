"""Has the data of a saved comparison changed since, and on which questions?"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from storage import queries
from storage import tables as t
from storage.engine import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Questions of a collection now, against a saved comparison: what differs.

    changed: None where it was not kept what each question was.
    """

    changed: tuple[str, ...] | None
    gone: tuple[str, ...]
    new: tuple[str, ...]


def drift(database: Database, name: str) -> Drift:
    """What differs between a collection and a comparison of it; all empty for an unknown name."""
    c, r = t.comparisons.c, t.results.c
    with database.read() as connection:
        head = connection.execute(
            select(c.id, c.collection_id, c.selectors).where(c.name == name)
        ).first()
        if head is None or not head.selectors:
            return Drift(changed=(), gone=(), new=())
        kept = connection.execute(
            select(r.question, r.fingerprint)
            .where(r.comparison_id == head.id, r.position == 0)
            .order_by(r.id)
        )
        then = {question: fingerprint for question, fingerprint in kept}
        now = queries.fingerprints(connection, head.collection_id)
    both = [question for question in then if question in now]
    known = all(then[question] is not None for question in both)
    return Drift(
        changed=tuple(one for one in both if then[one] != now[one]) if known else None,
        gone=tuple(question for question in then if question not in now),
        new=tuple(question for question in now if question not in then),
    )
