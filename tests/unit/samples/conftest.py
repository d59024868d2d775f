"""Turning records into pools the plain way, and repeated reads of one sample."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from selection import Passage, Pool
from storage.records import PassageRecord, QuestionRecord
from storage.samples import all_samples

DATA = Path(__file__).resolve().parents[2] / "data"


@pytest.fixture(scope="session")
def questions() -> Callable[[str], tuple[QuestionRecord, ...]]:
    """The questions of a sample by its name, made once."""
    made = {sample.name: tuple(sample.records()) for sample in all_samples()}
    return made.__getitem__


@pytest.fixture(scope="session")
def golden() -> Callable[[str], Any]:
    """A file of stored expected values, by name."""
    return lambda name: json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def pool_of(question: QuestionRecord) -> Pool:
    """The pool of a question with what the record gives and nothing computed."""
    return Pool(
        [_passage(record) for record in question.passages],
        gold={fact.id: fact.weight for fact in question.facts},
        query_embedding=question.query_embedding,
        question=question.question,
        id=question.id,
        answer_bearing=question.answer_bearing or (),
        sent={arm.name: arm.sent for arm in question.arms if arm.sent is not None},
    )


def _passage(record: PassageRecord) -> Passage:
    full = [s.fact for s in record.supports or () if s.degree == "full"]
    return Passage(
        record.id,
        tokens=record.tokens,
        score=record.score,
        rerank_score=record.rerank_score,
        claims=None if record.claims is None else frozenset(c.key for c in record.claims),
        text=record.text,
        embedding=None if record.embedding is None else np.array(record.embedding),
        supports=None if record.supports is None else frozenset(full),
    )


@pytest.fixture(scope="session")
def as_pool() -> Callable[[QuestionRecord], Pool]:
    return pool_of
