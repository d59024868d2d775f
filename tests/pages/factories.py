"""Views made by hand for page tests: the worked example, and a few hostile or bare ones."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from selection.model import Passage, Pool
from storage.records import ArmOutcome
from storage.views import (
    CandidateView,
    CollectionView,
    Conflict,
    FactView,
    Place,
    QuestionView,
    SavedResult,
    Sources,
)

EXAMPLE = Path(__file__).resolve().parents[1] / "data" / "worked_example.json"


def collection(**changes: Any) -> CollectionView:
    """A collection of one question on the last step of the ladder."""
    made = CollectionView(
        id=1,
        name="Charged twice",
        note="",
        made_up=True,
        format="jsonl",
        imported_at=datetime(2026, 1, 2, tzinfo=UTC),
        questions=1,
        candidates=20,
        with_facts=1,
        with_evidence=1,
        with_outcomes=1,
        with_sent=1,
        with_claims=1,
        comparisons=0,
    )
    return replace(made, **changes)


def sources(**changes: str) -> Sources:
    made = Sources(
        claims="given",
        tokens="given",
        scores="given",
        similarity="TF-IDF, computed",
        relevance="given",
        reordered=False,
    )
    return replace(made, **changes)


def worked_example(**changes: Any) -> QuestionView:
    """The twenty passages of the worked example; each claim is a sentence of its passage."""
    entries = json.loads(EXAMPLE.read_text(encoding="utf-8"))["passages"]
    names = sorted({claim for entry in entries for claim in entry["claims"]})
    wording = {name: f"{name.replace('_', ' ').capitalize()}." for name in names}
    ids = [f"HC-{1000 + entry['rank']}" for entry in entries]
    texts = [" ".join(wording[claim] for claim in entry["claims"]) for entry in entries]
    pool = Pool(
        [
            Passage(
                id=ids[at],
                tokens=entry["tokens"],
                score=0.95 - 0.01 * at,
                claims=frozenset(entry["claims"]),
                text=texts[at],
            )
            for at, entry in enumerate(entries)
        ],
        gold=dict.fromkeys(names, 1.0),
        question="Why was I charged twice for the same order?",
        id="charged-twice",
        answer_bearing={ids[0], ids[12]},
        similarity=_overlap([set(entry["claims"]) for entry in entries]),
        sent={"k=8": ids[:8], "k=20": ids},
    )
    made = QuestionView(
        collection=collection(),
        id="charged-twice",
        question="Why was I charged twice for the same order?",
        answer=None,
        metadata={"locale": "en-US"},
        pool=pool,
        sources=sources(),
        candidates=tuple(
            CandidateView(
                rank=at + 1,
                id=ids[at],
                title=f"Article {at + 1}",
                text=texts[at],
                raw_score=0.95 - 0.01 * at,
                file_position=at + 1,
                places=_places(entry["claims"], wording, texts[at]),
                metadata={"title": f"Article {at + 1}"},
            )
            for at, entry in enumerate(entries)
        ),
        claim_texts=wording,
        facts=tuple(FactView(id=n, text=wording[n], weight=1.0, linked=True) for n in names),
        arms=(
            ArmOutcome(
                name="k=8", correct=True, answer="You were charged once.", sent=tuple(ids[:8])
            ),
            ArmOutcome(name="k=20", correct=False, answer="It will be refunded.", sent=tuple(ids)),
        ),
        conflicts=(),
        saved=(),
        position=1,
        total=3,
        previous=None,
        next="second",
    )
    return replace(made, **changes)


def _overlap(sets: list[set[str]]) -> list[list[float]]:
    """Shared claims over all claims of each pair: a similarity that can be checked by hand."""
    return [[len(a & b) / len(a | b) for b in sets] for a in sets]


def _places(claims: list[str], wording: dict[str, str], text: str) -> tuple[Place, ...]:
    return tuple(
        Place(
            claim=claim,
            start=text.index(wording[claim]),
            end=text.index(wording[claim]) + len(wording[claim]),
        )
        for claim in claims
    )


def texts_only() -> QuestionView:
    """Two passages with nothing but texts: statements stand in for claims, and there is no gold."""
    texts = ("Refunds take 14 days. Ask the shop.", "Refunds take 7 days. Ask the shop.")
    claims = ({"refunds take 14 days", "ask the shop"}, {"refunds take 7 days", "ask the shop"})
    pool = Pool(
        [
            Passage(
                id=f"rank-{at + 1}",
                tokens=9,
                score=1.0 - at,
                claims=frozenset(claims[at]),
                text=texts[at],
            )
            for at in range(2)
        ],
        question="How long does a refund take?",
        id="q1",
    )
    bare = collection(
        name="Plain",
        made_up=False,
        with_facts=0,
        with_evidence=0,
        with_outcomes=0,
        with_sent=0,
        with_claims=0,
    )
    return QuestionView(
        collection=bare,
        id="q1",
        question="How long does a refund take?",
        answer=None,
        metadata={},
        pool=pool,
        sources=sources(
            claims="statements, computed", tokens="counted (o200k)", scores="BM25, computed"
        ),
        candidates=tuple(
            CandidateView(
                rank=at + 1,
                id=f"rank-{at + 1}",
                title="",
                text=texts[at],
                raw_score=None,
                file_position=at + 1,
                places=(
                    Place(claim=f"refunds take {(14, 7)[at]} days", start=0, end=21 - at),
                    Place(claim="ask the shop", start=22 - at, end=35 - at),
                ),
                metadata={},
            )
            for at in range(2)
        ),
        claim_texts={},
        facts=(),
        arms=(),
        conflicts=(
            Conflict(
                first_rank=1,
                second_rank=2,
                first_text="Refunds take 14 days.",
                second_text="Refunds take 7 days.",
                first_scope="EU",
                second_scope="US",
            ),
        ),
        saved=(),
        position=1,
        total=1,
        previous=None,
        next=None,
    )


def hostile(words: str) -> QuestionView:
    """The worked example with the same words wherever a text comes from outside."""
    base = worked_example()
    first = base.candidates[0]
    poisoned = replace(
        first,
        title=words,
        text=words,
        places=(Place(claim="window_3_5_days", start=0, end=max(1, len(words) // 2)),),
        metadata={words: words},
    )
    return replace(
        base,
        collection=collection(name=words or "x"),
        question=words,
        answer=words,
        candidates=(poisoned, *base.candidates[1:]),
        claim_texts=dict.fromkeys(base.claim_texts, words),
        facts=tuple(replace(fact, text=words) for fact in base.facts),
        arms=(ArmOutcome(name=words or "x", correct=True, answer=words),),
        conflicts=(
            Conflict(
                first_rank=1,
                second_rank=2,
                first_text=words,
                second_text=f"{words} 7",
                first_scope=words,
                second_scope=words,
            ),
        ),
        saved=(
            SavedResult(
                comparison=words,
                selector=words,
                baseline=False,
                measures={"claim_recall": 0.5, "tokens": 10.0},
                differences={"claim_recall": -0.5, "tokens": -3.0},
            ),
        ),
        sources=sources(claims="given", tokens=words),
    )


def empty_pool() -> QuestionView:
    """A question for which nothing was retrieved."""
    return worked_example(
        pool=Pool(question="Anything?", id="charged-twice"),
        candidates=(),
        facts=(),
        arms=(),
        claim_texts={},
    )
