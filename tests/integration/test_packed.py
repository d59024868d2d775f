"""Pools read packed are the pools read whole, in all that selectors and measures see of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from selection import Budget, make_selector
from selection.model import Pool
from selection.trial import trial
from storage import queries
from storage.engine import Database
from storage.imports import import_records
from storage.packed import CAN, packed_pools
from storage.pools import build_pool
from storage.reading import pools_of
from storage.records import Claim
from storage.stored import read_questions

SELECTORS = [
    make_selector("top_k", k=3),
    make_selector("marginal_gain"),
    make_selector("claim_coverage"),
    make_selector("rerank"),
]


def assert_same(packed: Pool, whole: Pool) -> None:
    assert packed.ids == whole.ids
    assert packed.id == whole.id
    for name in ("tokens", "scores", "rerank_scores"):
        one, other = getattr(packed, name), getattr(whole, name)
        assert (one is None and other is None) or one.tolist() == other.tolist()
    assert packed.gold == whole.gold
    assert packed.answer_bearing == whole.answer_bearing
    assert packed.sent == whole.sent
    for name in ("claim_bits", "support_bits"):
        one, other = getattr(packed, name), getattr(whole, name)
        rows = range(len(packed))
        assert [one.row(at) for at in rows] == [other.row(at) for at in rows]
        assert one.known.tolist() == other.known.tolist()
    able = [one for one in SELECTORS if one.name != "rerank" or whole.rerank_scores is not None]
    budget = Budget(tokens=1500) if whole.tokens is not None else Budget(passages=3)
    assert trial([packed], able, budget) == trial([whole], able, budget)


def compared(database: Database, home: int) -> int:
    """Hold both ways against each other; how many questions were read packed."""
    with database.read() as connection:
        keys = queries.question_keys(connection, home)[:60]
        found = packed_pools(connection, keys, relevance=None)
        for one in read_questions(connection, keys):
            if one.key in found:
                whole = build_pool(one, relevance=None, frequencies=None).pool
                assert_same(found[one.key], whole)
    return len(found)


def test_every_built_in_collection_reads_alike(built_in: Database):
    for home in queries.collections(built_in):
        assert compared(built_in, home.id)


@pytest.mark.parametrize("given", [(), (0,), (0, 1, 2)])
@pytest.mark.parametrize("judged", [(), (1,), (0, 1, 2)])
def test_claims_and_judgements_of_some_passages_read_alike(
    database: Database, refund, given: tuple[int, ...], judged: tuple[int, ...]
):
    passages = tuple(
        replace(
            one,
            claims=(Claim(key="window"), Claim(key=f"c{at}")) if at in given else None,
            supports=(one.supports or ()) if at in judged else None,
        )
        for at, one in enumerate(refund.passages)
    )
    record = replace(refund, passages=passages)
    import_records(database, [record], collection="mine", format="jsonl", ranked=True)
    home = queries.collection(database, "mine")
    compared(database, home.id)
    with database.read() as connection:
        keys = queries.question_keys(connection, home.id)
        (stored,) = read_questions(connection, keys)
    (read,) = pools_of(database, home.id, keys, needs=CAN, relevance=None)
    assert_same(read, build_pool(stored, relevance=None, frequencies=None).pool)


def test_an_empty_pool_reads_alike(database: Database, refund):
    empty = replace(refund, passages=(), answer_bearing=None, arms=())
    import_records(database, [empty], collection="mine", format="jsonl", ranked=True)
    assert compared(database, queries.collection(database, "mine").id) == 1
