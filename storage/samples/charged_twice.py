"""Charged twice: twenty passages on the topic, six facts, and one exception at rank 13."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from storage.records import ArmOutcome, Claim, Fact, PassageRecord, QuestionRecord, Support
from storage.samples import Sample
from storage.samples._writing import read_marks, written

NEEDED = ("HC-1041", "HC-1093")
"""What the hold is and how long it usually stays, and the exception of some issuers."""


def records() -> Iterator[QuestionRecord]:
    """The one question, with claims and facts at exact places."""
    source = written("charged_twice")
    wording: dict[str, str] = source["claims"]
    passages = tuple(_passage(entry, wording) for entry in source["passage"])
    ids = tuple(passage.id for passage in passages)
    answers: dict[str, str] = source["answers"]
    yield QuestionRecord(
        id="charged-twice",
        question=source["question"],
        passages=passages,
        facts=tuple(Fact(id=key, text=text) for key, text in wording.items()),
        answer_bearing=NEEDED,
        arms=(
            _arm("k=8", sent=ids[:8], correct=True, answer=answers["k=8"]),
            _arm("k=20", sent=ids[:20], correct=False, answer=answers["k=20"]),
        ),
        metadata={"locale": "en-US", "topic": "payments", "remark": source["remark"]},
    )


def _passage(entry: Mapping[str, Any], wording: Mapping[str, str]) -> PassageRecord:
    text, marks = read_marks(entry["text"])
    return PassageRecord(
        id=entry["id"],
        text=text,
        tokens=entry["tokens"],
        score=entry["score"],
        rerank_score=entry["rerank"],
        claims=tuple(
            Claim(key=mark.key, text=wording[mark.key], start=mark.start, end=mark.end)
            for mark in marks
        ),
        supports=tuple(Support(fact=mark.key, start=mark.start, end=mark.end) for mark in marks),
        metadata={"title": entry["title"], "locale": entry["locale"]},
    )


def _arm(name: str, *, sent: tuple[str, ...], correct: bool, answer: str) -> ArmOutcome:
    return ArmOutcome(
        name=name,
        correct=correct,
        cited="[HC-" in answer,
        answer=answer,
        setting=f"top_k(k={len(sent)})",
        sent=sent,
    )


SAMPLE = Sample(
    name="Charged twice",
    note=(
        "Made up: one question to a help centre, twenty passages that are all on the topic, and "
        "only six facts among them; token counts are those of the worked example, not counted from "
        "the texts. Look at rank 13, the only passage with the 30-day exception: the first eight "
        "never reach it, all twenty repeat the usual window seven times beside it."
    ),
    order=10,
    seed=None,
    records=records,
)
