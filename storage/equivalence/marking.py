"""Fingerprints of questions as they are read: another one where people merged what is stated."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from sqlalchemy import Connection, select

from storage import tables as t
from storage.equivalence.merging import merged_claims


def marked(
    connection: Connection, collection: int, fingerprints: Mapping[str, str]
) -> dict[str, str]:
    """Fingerprints by question id, changed for each question that states a merged claim.

    So a saved comparison is out of date after a merge, and in date again after it is undone.
    """
    merged = merged_claims(connection, [collection]).get(collection)
    if not merged:
        return dict(fingerprints)
    q, p = t.questions.c, t.packs.c
    stated = connection.execute(
        select(q.external_id, p.names)
        .join(t.packs, p.question_id == q.id)
        .where(q.collection_id == collection)
    )
    changes = {id: sorted((n, merged[n]) for n in names if n in merged) for id, names in stated}
    return {
        id: _with(one, changes[id]) if changes.get(id) else one for id, one in fingerprints.items()
    }


def _with(fingerprint: str, changes: list[tuple[str, str]]) -> str:
    return hashlib.sha256((fingerprint + json.dumps(changes)).encode()).hexdigest()
