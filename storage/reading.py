"""Reading the pools of a collection for work on many of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection

from selection.model import Pool
from selection.text.tfidf import DocumentFrequencies
from storage import queries
from storage.engine import Database
from storage.packed import CAN, packed_pools
from storage.pools import build_pool
from storage.stored import read_questions


def pools_of(
    database: Database,
    collection: int,
    keys: Sequence[int],
    *,
    needs: Collection[str],
    relevance: str | None,
) -> list[Pool]:
    """The pools of some questions, by their database keys, in the order given.

    needs: what will be read of them, as selectors declare it; the rest may be left out.
    """
    frequencies = None
    if "similarity" in needs:
        frequencies = queries.frequencies_of(database, collection)
    with database.read() as connection:
        found = packed_pools(connection, keys, relevance=relevance) if set(needs) <= CAN else {}
        others = [key for key in keys if key not in found]
        found |= _whole(connection, others, relevance=relevance, frequencies=frequencies)
    return [found[key] for key in keys]


def _whole(
    connection: Connection,
    keys: Sequence[int],
    *,
    relevance: str | None,
    frequencies: DocumentFrequencies | None,
) -> dict[int, Pool]:
    return {
        one.key: build_pool(one, relevance=relevance, frequencies=frequencies).pool
        for one in (read_questions(connection, keys) if keys else ())
    }
