"""Applying merges when questions are read: what is stored stays, so that each can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, select

from selection.claims import Bits, pack
from storage import tables as t

Merged = Mapping[str, str]
"""Claim -> the claim that stands for it; claims that stand for themselves are left out."""


def merged_claims(connection: Connection, collections: Iterable[int]) -> dict[int, Merged]:
    """What people merged in some collections, by the collection's key."""
    d = t.claim_decisions.c
    query = select(t.claim_decisions).where(d.collection_id.in_(set(collections))).order_by(d.id)
    newest: dict[tuple[int, frozenset[str]], tuple[str, str, bool]] = {}
    for row in connection.execute(query):
        pair = row.collection_id, frozenset((row.kept, row.other))
        newest.pop(pair, None)
        newest[pair] = (row.kept, row.other, row.together)
    together: dict[int, list[tuple[str, str]]] = {}
    for (collection, _), (kept, other, one) in newest.items():
        if one:
            together.setdefault(collection, []).append((kept, other))
    return {collection: joined(pairs) for collection, pairs in together.items()}


def joined(pairs: Iterable[tuple[str, str]]) -> Merged:
    """Follow pairs (kept, other) to one claim for each group, the one that was kept last."""
    stands: dict[str, str] = {}

    def root(name: str) -> str:
        while name in stands:
            name = stands[name]
        return name

    for kept, other in pairs:
        first, second = root(kept), root(other)
        if first != second:
            stands[second] = first
    return {name: root(name) for name in stands}


def merge_bits(bits: Bits, merged: Merged) -> Bits:
    """The same sets with merged claims under one name; the same object where none is merged."""
    if merged.keys().isdisjoint(bits.names):
        return bits
    names = tuple(dict.fromkeys(merged.get(name, name) for name in bits.names))
    sets = [bits.row(at) for at in range(len(bits.words))]
    moved = [None if one is None else {merged.get(name, name) for name in one} for one in sets]
    return pack(moved, names=names)
