"""Refund window in Berlin: policies that are all but equal, and the one number that matters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from storage.records import Claim, Fact, PassageRecord, QuestionRecord, Support
from storage.samples import Sample
from storage.samples._writing import Mark, descending_scores, read_marks, written

NEEDED = "eu"
"""The edition in which a customer in Berlin finds the answer."""


def records() -> Iterator[QuestionRecord]:
    """One question for each policy; its pool holds every edition and some other articles."""
    source = written("berlin")
    others = {entry["key"]: entry for entry in source["other"]}
    editions = {entry["key"]: entry for entry in source["edition"]}
    for number, policy in enumerate(source["policy"]):
        yield _question(policy, editions, others, number=number)


def _question(
    policy: Mapping[str, Any],
    editions: Mapping[str, Mapping[str, Any]],
    others: Mapping[str, Mapping[str, Any]],
    *,
    number: int,
) -> QuestionRecord:
    ranking: list[str] = policy["ranking"]
    scores = descending_scores(
        0.9 - 0.013 * number, [0.011 + 0.002 * i for i in range(1, len(ranking))]
    )
    return QuestionRecord(
        id=f"berlin-{policy['key'].replace('_', '-')}",
        question=policy["question"],
        passages=tuple(
            _edition(policy, editions[key], score=score)
            if key in editions
            else _article(others[key], score=score)
            for key, score in zip(ranking, scores, strict=True)
        ),
        facts=(Fact(id=_fact(policy), text=policy["fact"]),),
        answer_bearing=(_edition_id(policy, editions[NEEDED]),),
        metadata={"locale": "en-DE", "region": "EU", "topic": policy["title"]},
    )


def _edition(
    policy: Mapping[str, Any], edition: Mapping[str, Any], *, score: float
) -> PassageRecord:
    """One edition of a policy. Its window is a claim of its own for each number of days."""
    days: int = edition["days"]
    text, marks = read_marks(policy["text"].format(place=edition["place"], days=days))
    window = f"{policy['key']}_window"
    claims = tuple(
        Claim(
            key=f"{window}_{days}_days",
            text=policy["window"].format(days=days),
            start=mark.start,
            end=mark.end,
        )
        if mark.key == window
        else _claim(mark, text)
        for mark in marks
    )
    place = next(mark for mark in marks if mark.key == window)
    needed = Support(fact=_fact(policy), start=place.start, end=place.end)
    return PassageRecord(
        id=_edition_id(policy, edition),
        text=text,
        score=score,
        claims=claims,
        supports=(needed,) if edition["key"] == NEEDED else (),
        metadata={
            "title": f"{policy['title']} ({edition['region']})",
            "locale": edition["locale"],
            "region": edition["region"],
            "scope": edition["place"],
        },
    )


def _article(entry: Mapping[str, Any], *, score: float) -> PassageRecord:
    text, marks = read_marks(entry["text"])
    return PassageRecord(
        id=entry["key"].replace("_", "-"),
        text=text,
        score=score,
        claims=tuple(_claim(mark, text) for mark in marks),
        supports=(),
        metadata={"title": entry["title"], "locale": "en", "region": "all", "scope": "everywhere"},
    )


def _claim(mark: Mark, text: str) -> Claim:
    return Claim(key=mark.key, text=text[mark.start : mark.end], start=mark.start, end=mark.end)


def _edition_id(policy: Mapping[str, Any], edition: Mapping[str, Any]) -> str:
    return f"{policy['key'].replace('_', '-')}-{edition['key']}"


def _fact(policy: Mapping[str, Any]) -> str:
    return f"{policy['key']}_window_eu"


SAMPLE = Sample(
    name="Refund window in Berlin",
    note=(
        "Made up: questions from a customer in Berlin, answered by the European edition of a "
        "policy (14 days), which is all but equal to the American one (7 days) that stands above "
        "it. Look at what near-duplicate removal deletes and what selection by claims keeps, and "
        "at the scope of each edition: both numbers are right, each in its own region."
    ),
    order=20,
    seed=None,
    records=records,
)
