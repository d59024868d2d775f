"""What queries answer with: plain frozen data for pages, exports and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from selection.model import Pool
from storage.records import ArmOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionView:
    """One collection. made_up: its data are invented, and every screen says so.

    questions, facts, ...: counts over the collection. step: rung of the ladder it stands on:
    0 texts only, 1 outcomes of arms, 2 what was sent, 3 answer-bearing passages, 4 gold facts.
    """

    id: int
    name: str
    note: str
    made_up: bool
    format: str
    imported_at: datetime
    questions: int
    candidates: int
    with_facts: int
    with_evidence: int
    with_outcomes: int
    with_sent: int
    with_claims: int
    comparisons: int

    @property
    def step(self) -> int:
        reached = (self.with_outcomes, self.with_sent, self.with_evidence, self.with_facts)
        return max((at for at, count in enumerate(reached, start=1) if count), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRow:
    """One line of the Questions page. None is not known.

    candidates, tokens: of the whole pool. redundancy: 1 - distinct/total claims of the pool.
    worse, better: outcome of the last arm against the first.
    """

    id: str
    question: str
    candidates: int
    tokens: int | None
    redundancy: float | None
    facts: int | None
    evidence_rank: int | None
    outcome: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of rows, and how many there are in all under the same filter."""

    rows: tuple[QuestionRow, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where what was prepared came from, in words for the screen.

    claims: "given" or "statements, computed"; tokens: "given", "counted (o200k)", part of each
    or not known; scores: "given" or "BM25, computed"; similarity: "embeddings, given" or "TF-IDF,
    computed"; relevance: "given", "minmax" or "rank", how scores were rescaled for selectors.
    reordered: True where the file's order is no ranking and the pool was ranked by score.
    """

    claims: str
    tokens: str
    scores: str
    similarity: str
    relevance: str
    reordered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a passage states a claim: characters start to end (exclusive) of its text, if known."""

    claim: str
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateView:
    """One passage as a person reads it. rank is its 1-based place in the pool."""

    rank: int
    id: str
    title: str
    text: str
    raw_score: float | None
    file_position: int
    places: tuple[Place, ...]
    metadata: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactView:
    """A gold fact. linked: at least one place in some passage is known to support it."""

    id: str
    text: str
    weight: float
    linked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two passages whose statements differ only in a number or a unit, with the scope of each."""

    first_rank: int
    second_rank: int
    first_text: str
    second_text: str
    first_scope: str
    second_scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedResult:
    """What one saved comparison says of one question and selector, next to its baseline."""

    comparison: str
    selector: str
    baseline: bool
    measures: Mapping[str, float | None]
    differences: Mapping[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """Everything the Question page draws, in one answer.

    pool: ready for selectors. claim_texts: claim -> wording for people. conflicts: over the pool.
    position: 1-based place in the collection; previous, next: ids of the neighbours.
    """

    collection: CollectionView
    id: str
    question: str
    answer: str | None
    metadata: Mapping[str, Any]
    pool: Pool
    sources: Sources
    candidates: tuple[CandidateView, ...]
    claim_texts: Mapping[str, str]
    facts: tuple[FactView, ...]
    arms: tuple[ArmOutcome, ...]
    conflicts: tuple[Conflict, ...]
    saved: tuple[SavedResult, ...]
    position: int
    total: int
    previous: str | None
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonView:
    """A saved comparison without its rows. stale: the collection has changed since."""

    name: str
    collection: str
    note: str
    author: str
    saved_at: datetime
    code_version: str
    selectors: tuple[str, ...]
    budget_tokens: int | None
    budget_passages: int | None
    relevance: str
    questions: int
    means: Mapping[str, Mapping[str, tuple[float | None, int]]]
    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """One question of a saved comparison under one measure: baseline, selector, difference."""

    question: str
    text: str | None
    baseline: float | None
    value: float | None
    difference: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """Some rows of a saved comparison, how many there are, and how the pairs fell.

    better, worse, equal: by the measure's own direction, over the pairs where both are defined.
    undefined: pairs where either is not.
    """

    rows: tuple[ResultRow, ...]
    total: int
    better: int
    worse: int
    equal: int
    undefined: int
