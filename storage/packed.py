"""Pools of many questions at once, without their texts: what a sweep over a collection reads.

A question's texts, vectors and objects cost a hundred times what its numbers do. The pools are
those of `build_pool`, light (see selection/travel.py); tests hold the two against each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, func, select

from selection.claims import Bits
from selection.claims import pack as packed
from selection.model import Pool
from storage import tables as t
from storage.equivalence.merging import Merged, merge_bits, merged_claims
from storage.relevance import rescale

CAN = frozenset({"claims", "score", "rerank_score", "tokens"})
"""What selectors may need for a pool that is read this way."""

Facts = Sequence[Row[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """The rows of one question."""

    head: Any
    candidates: list[Row[Any]]
    pack: Row[Any]
    facts: Facts
    supports: list[Row[Any]]
    bearing: list[str]
    sent: list[Row[Any]]


def packed_pools(
    connection: Connection, keys: Sequence[int], *, relevance: str | None
) -> dict[int, Pool]:
    """Pools by their question's key. Questions that cannot be read this way are left out: those
    where facts are named by the claims of some passages only."""
    q = t.questions.c
    heads = connection.execute(
        select(q.id, q.external_id, q.claims_given, q.collection_id).where(q.id.in_(keys))
    ).all()
    merged = merged_claims(connection, {head.collection_id for head in heads})
    groups = _Groups(connection, keys)
    return {
        head.id: pool
        for head in heads
        if (pool := _pool(groups.of(head), merged.get(head.collection_id, {}), relevance=relevance))
        is not None
    }


class _Groups:
    """The rows of some questions, one query a table."""

    def __init__(self, connection: Connection, keys: Sequence[int]) -> None:
        k, p, f, s = t.candidates.c, t.passages.c, t.facts.c, t.supports.c
        o, b = t.outcomes.c, t.answer_bearing.c
        self.candidates = _grouped(
            connection.execute(
                select(
                    k.question_id,
                    k.external_id,
                    func.coalesce(k.tokens, p.counted_tokens).label("tokens"),
                    func.coalesce(k.computed_score, k.score).label("score"),
                    k.rerank_score,
                    k.judged,
                    k.claims_given,
                )
                .join(t.passages, p.id == k.passage_id)
                .where(k.question_id.in_(keys))
                .order_by(k.question_id, k.rank)
            )
        )
        self.packs = _grouped(
            connection.execute(select(t.packs).where(t.packs.c.question_id.in_(keys)))
        )
        self.facts = _grouped(
            connection.execute(
                select(f.question_id, f.external_id, f.weight, f.alternatives)
                .where(f.question_id.in_(keys))
                .order_by(f.position)
            )
        )
        self.supports = _grouped(
            connection.execute(
                select(f.question_id, f.external_id, s.candidate)
                .join(t.facts, f.id == s.fact_id)
                .where(f.question_id.in_(keys), s.degree != "contradicts")
            )
        )
        self.bearing = _grouped(
            connection.execute(select(b.question_id, b.candidate).where(b.question_id.in_(keys)))
        )
        self.sent = _grouped(
            connection.execute(
                select(o.question_id, o.arm, o.sent)
                .where(o.question_id.in_(keys), o.sent.is_not(None))
                .order_by(o.position)
            )
        )

    def of(self, head: Any) -> _Parts:
        key = head.id
        return _Parts(
            head=head,
            candidates=self.candidates[key],
            pack=self.packs[key][0],
            facts=self.facts[key],
            supports=self.supports[key],
            bearing=[row.candidate for row in self.bearing[key]],
            sent=self.sent[key],
        )


def _grouped(found: Any) -> defaultdict[int, list[Row[Any]]]:
    """Rows of a result by their first column, the question's key."""
    groups: defaultdict[int, list[Row[Any]]] = defaultdict(list)
    # All at once: asking the driver row by row takes twice as long.
    for row in found.all():
        groups[row[0]].append(row)
    return groups


def _pool(parts: _Parts, merged: Merged, *, relevance: str | None) -> Pool | None:
    columns: list[tuple[Any, ...]] = list(zip(*parts.candidates, strict=True)) or [()] * 7
    _, ids, tokens, raw, rerank, judged, given = columns
    if not parts.head.claims_given and any(
        claims and not known for claims, known in zip(given, judged, strict=True)
    ):
        return None
    names = tuple(parts.pack.names)
    words = np.frombuffer(parts.pack.words, "<u8").reshape(len(ids), max(1, -(-len(names) // 64)))
    claims = merge_bits(Bits.from_words(words, names=names, rows=len(ids)), merged)
    is_judged = any(judged) or any(given)
    pool = Pool.from_arrays(
        ids,
        tokens=None if None in tokens else tokens,
        scores=rescale(np.array(raw, dtype=np.float64), relevance)[0],
        rerank_scores=None if None in rerank else np.array(rerank, dtype=np.float64),
        claim_words=claims.words,
        claim_names=claims.names,
        gold={fact.external_id: fact.weight for fact in parts.facts} if is_judged else {},
        id=parts.head.external_id,
        answer_bearing=parts.bearing,
        sent={row.arm: row.sent for row in parts.sent},
    )
    pool.__dict__["support_bits"] = _supports(parts, pool, judged)
    return pool


def _supports(parts: _Parts, pool: Pool, judged: Sequence[bool]) -> Bits:
    """Which passage supports which fact, as `supported` in storage/pools.py says it."""
    facts = tuple(pool.gold)
    if all(judged):
        return _by_place(parts, pool, facts)
    named = {
        name: fact.external_id
        for fact in parts.facts
        for name in (fact.external_id, *fact.alternatives)
    }
    carried: dict[str, set[str]] = defaultdict(set)
    for row in parts.supports:
        carried[row.candidate].add(row.external_id)
    sets = []
    for at, (id, known) in enumerate(zip(pool.ids, judged, strict=True)):
        stated = pool.claim_bits.row(at) or frozenset()
        if known:
            sets.append(carried[id])
        elif parts.head.claims_given:
            sets.append({named[name] for name in stated if name in named})
        else:
            sets.append({name for name in stated if name in pool.gold})
    return packed([one & set(facts) for one in sets], names=facts)


def _by_place(parts: _Parts, pool: Pool, facts: tuple[str, ...]) -> Bits:
    """The usual case, quickly: every passage was judged."""
    bit = {name: at for at, name in enumerate(facts)}
    words = np.zeros((len(pool), max(1, -(-len(facts) // 64))), np.uint64)
    for row in parts.supports:
        at, place = pool.position.get(row.candidate), bit.get(row.external_id)
        if at is not None and place is not None:
            words[at, place >> 6] |= np.uint64(1 << (place & 63))
    return Bits.from_words(words, names=facts, rows=len(pool))
