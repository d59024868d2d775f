"""What people say of two claims: the same, or not. Rows are only ever added; the newest counts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from sqlalchemy import Connection, insert, select, update

from storage import deeds, queries
from storage import tables as t
from storage.engine import Database


def decide(
    database: Database,
    collection: str,
    pairs: Iterable[tuple[str, str]],
    *,
    together: bool,
    reviewer: str = "",
) -> int:
    """Merge pairs of claims (kept, other), or keep them apart again; returns how many.

    :raises NotStored: for an unknown collection.
    :raises ValueError: for a claim that names a fact or is merged with itself; nothing is stored.
    """
    home = queries.collection(database, collection)
    wanted = list(dict.fromkeys(pairs))
    with database.write() as connection:
        named = fact_names(connection, home.id)
        for kept, other in wanted:
            if kept == other:
                raise ValueError(f"{kept!r} is one claim already. Nothing was stored.")
            if together and not named.isdisjoint((kept, other)):
                raise ValueError(
                    f"{kept!r} or {other!r} names a fact, and facts are merged by their "
                    "alternatives. Nothing was stored."
                )
        now = datetime.now(UTC)
        rows = [
            {
                "collection_id": home.id,
                "kept": kept,
                "other": other,
                "together": together,
                "reviewer": reviewer.strip()[:200] or database.who or "unknown",
                "decided_at": now,
            }
            for kept, other in wanted
        ]
        if rows:
            connection.execute(insert(t.claim_decisions), rows)
            # What was worked out from the claims before is worked out again.
            connection.execute(
                update(t.collections).where(t.collections.c.id == home.id).values(imported_at=now)
            )
            deeds.record(
                connection,
                who=database.who or reviewer.strip(),
                deed="merged claims" if together else "kept claims apart",
                collection=collection,
                what=deeds.counted(len(rows), "pair"),
            )
    return len(rows)


def fact_names(connection: Connection, collection: int) -> set[str]:
    """Every name under which a passage of a collection may carry a fact."""
    f, q = t.facts.c, t.questions.c
    rows = connection.execute(
        select(f.external_id, f.alternatives)
        .join(t.questions, q.id == f.question_id)
        .where(q.collection_id == collection)
    )
    return {name for id, others in rows for name in (id, *others)}
