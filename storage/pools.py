"""From a stored question to the pool that selectors see, and where each part of it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from selection.model import Passage, Pool
from selection.text.tfidf import DocumentFrequencies, collection_similarity
from selection.text.tokens import COUNTER
from storage.records import PassageRecord
from storage.relevance import rescale
from storage.stored import StoredPassage, StoredQuestion
from storage.views import Sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A pool and its sources. raw_scores: as given, else as computed, in rank order.

    facts: id of a gold fact -> what it says; the id itself where nobody has said more.
    """

    pool: Pool
    sources: Sources
    raw_scores: tuple[float, ...]
    facts: Mapping[str, str]


def build_pool(
    question: StoredQuestion,
    *,
    relevance: str | None,
    frequencies: DocumentFrequencies | None,
) -> Built:
    """Build the pool of a question.

    relevance: how scores are rescaled, see `rescale`. frequencies: for TF-IDF where embeddings are
    missing; None leaves similarity out.
    """
    members = question.passages
    given = all(p.computed_score is None for p in members)
    raw = np.array(
        [p.record.score if p.computed_score is None else p.computed_score for p in members],
        dtype=np.float64,
    )
    scores, used = rescale(raw, relevance)
    embedded = bool(members) and all(p.record.embedding is not None for p in members)
    record = question.record
    facts = {name: fact.id for fact in record.facts for name in (fact.id, *fact.alternatives)}
    carried = [supported(p.record, facts) for p in members]
    judged = any(one is not None for one in carried)
    pool = Pool(
        [
            Passage(
                id=p.record.id,
                tokens=p.tokens,
                score=float(scores[at]),
                claims=question.claims.row(at),
                text=p.record.text,
                embedding=np.asarray(p.record.embedding) if embedded else None,
                rerank_score=p.record.rerank_score,
                supports=carried[at],
                metadata=p.record.metadata,
            )
            for at, p in enumerate(members)
        ],
        # Facts that nobody has looked for in any passage are unlinked: not known, not missed.
        gold={fact.id: fact.weight for fact in record.facts} if judged else {},
        query_embedding=record.query_embedding,
        question=record.question,
        id=record.id,
        answer_bearing=record.answer_bearing or (),
        sent={arm.name: arm.sent for arm in record.arms if arm.sent is not None},
        similarity=None
        if embedded or frequencies is None
        else collection_similarity([p.record.text for p in members], frequencies),
    )
    sources = Sources(
        claims="given" if question.claims_given else "statements, computed",
        tokens=_tokens_source(members),
        scores="given" if given else "BM25, computed",
        similarity="embeddings, given" if embedded else "TF-IDF, computed",
        relevance=used,
        reordered=record.ranked is False,
    )
    return Built(
        pool=pool,
        sources=sources,
        raw_scores=tuple(raw.tolist()),
        facts={fact.id: fact.text or fact.id for fact in record.facts},
    )


def supported(passage: PassageRecord, facts: dict[str, str]) -> frozenset[str] | None:
    """Facts that a passage carries: as judged, else those that its given claims name; else unknown.

    facts: fact id or alternative -> fact id. A partial support counts, a contradiction does not.
    """
    if passage.supports is not None:
        return frozenset(s.fact for s in passage.supports if s.degree != "contradicts")
    if passage.claims is not None:
        return frozenset(facts[claim.key] for claim in passage.claims if claim.key in facts)
    return None


def _tokens_source(members: Sequence[StoredPassage]) -> str:
    if any(p.tokens is None for p in members):
        return "not known (no text)"
    known = {p.tokens_given for p in members}
    if known == {True, False}:
        return f"part given, part counted ({COUNTER})"
    return f"counted ({COUNTER})" if False in known else "given"
