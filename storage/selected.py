"""Questions with no more passages than a selector would send, in the order of admission."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from selection.model import Budget
from selection.registry import Selector
from storage import queries
from storage.engine import Database
from storage.pools import build_pool
from storage.records import QuestionRecord
from storage.stored import read_questions

CHUNK = 100


def selected_records(
    database: Database,
    collection: str,
    selector: Selector,
    *,
    budget: Budget,
    relevance: str | None = None,
) -> Iterator[QuestionRecord]:
    """The questions of a collection, each with the passages that a selector sends.

    Facts, evidence and arms stay whole, so that what was left out still counts as missed.

    :raises NotStored: for an unknown collection. :raises ValueError: where the selector needs what
        a question lacks.
    """
    home = queries.collection(database, collection)
    frequencies = queries.frequencies(database, home)
    with database.read() as connection:
        keys = queries.question_keys(connection, home.id)
    for start in range(0, len(keys), CHUNK):
        with database.read() as connection:
            chunk = read_questions(connection, keys[start : start + CHUNK])
        for one in chunk:
            pool = build_pool(one, relevance=relevance, frequencies=frequencies).pool
            ranks = selector.select(pool, budget).ranks
            sent = tuple(one.passages[rank - 1].record for rank in ranks)
            yield replace(one.record, passages=sent, ranked=None)
