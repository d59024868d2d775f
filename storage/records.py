"""What an import hands on: one record a question, whatever file it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Degree = Literal["full", "partial", "contradicts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim of a passage. key: its name; text: its wording where that differs.

    start, end: its place in the passage's text in characters, end exclusive, where known.
    """

    key: str
    text: str | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """A place in a passage that supports a fact; without start and end the whole passage."""

    fact: str
    degree: Degree = "full"
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageRecord:
    """One candidate. None means that the file does not say; an empty tuple says "none"."""

    id: str
    text: str
    tokens: int | None = None
    score: float | None = None
    rerank_score: float | None = None
    claims: tuple[Claim, ...] | None = None
    supports: tuple[Support, ...] | None = None
    embedding: tuple[float, ...] | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What a question needs. alternatives: other names under which a passage may carry it."""

    id: str
    text: str = ""
    weight: float = 1.0
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmOutcome:
    """How one arm answered: name, run (1-based), right or wrong or a score, and what it sent.

    setting: the selector the arm used, as text ('top_k(k=8)'). sent: passage ids in order; they
    need not be in the pool. None means not recorded.
    """

    name: str
    run: int = 1
    correct: bool | None = None
    score: float | None = None
    cited: bool | None = None
    answer: str | None = None
    setting: str | None = None
    sent: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRecord:
    """One question with its candidates in the file's order.

    answer_bearing: ids of candidates that hold the answer; None = not known, empty = none does.
    ranked: whether that order is a ranking; None = as its format has it.
    """

    id: str
    question: str
    passages: tuple[PassageRecord, ...]
    facts: tuple[Fact, ...] = ()
    answer_bearing: tuple[str, ...] | None = None
    arms: tuple[ArmOutcome, ...] = ()
    query_embedding: tuple[float, ...] | None = None
    ranked: bool | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
