"""Records in any number, from a seed: a help centre large enough to be slow with."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from storage.records import ArmOutcome, Fact, PassageRecord, QuestionRecord, Support

QUESTIONS_OF_A_TOPIC = 25
PASSAGES_OF_A_TOPIC = 60
SENTENCES_OF_A_TOPIC = 40
SUBJECTS = ("refund", "parcel", "invoice", "warranty", "voucher", "subscription", "charger", "app")
WHERE = ("in Germany", "in Ireland", "abroad", "by phone", "in the shop", "online", "on Sundays")
DOES = ("is accepted", "is refused", "is checked", "is repeated", "ends", "starts", "costs more")
LOCALES = ("en-US", "en-GB", "en-IE", "en-AU")


@dataclass(frozen=True, slots=True)
class Topic:
    """What its pages can say, and its pages: places in `sentences`, for each passage."""

    number: int
    subject: str
    sentences: tuple[str, ...]
    pages: tuple[tuple[int, ...], ...]


def records(questions: int, *, candidates: int, seed: int) -> Iterator[QuestionRecord]:
    """Questions whose pools repeat themselves as those of a help centre do.

    No token counts and no claims are given, so an import has everything to compute; outcomes of
    two arms, scores, three gold facts and the evidence are given. candidates: up to 60 a question.
    """
    for number in range(questions):
        place, within = divmod(number, QUESTIONS_OF_A_TOPIC)
        if within == 0:
            topic = _topic(place, random.Random(f"{seed}/{place}"))
        yield _question(topic, number, candidates, random.Random(f"{seed}/{place}/{within}"))


def _topic(number: int, draw: random.Random) -> Topic:
    subject = draw.choice(SUBJECTS)
    return Topic(
        number=number,
        subject=subject,
        sentences=tuple(_sentence(subject, number, draw) for _ in range(SENTENCES_OF_A_TOPIC)),
        pages=tuple(
            tuple(draw.sample(range(SENTENCES_OF_A_TOPIC), k=draw.randint(4, 12)))
            for _ in range(PASSAGES_OF_A_TOPIC)
        ),
    )


def _sentence(subject: str, number: int, draw: random.Random) -> str:
    return (
        f"A {subject} of series {number} {draw.choice(DOES)} {draw.choice(WHERE)} "
        f"after {draw.randint(2, 90)} days, where the order had {draw.randint(1, 9)} parts and "
        f"the customer {draw.choice(('wrote', 'called', 'came by'))} within {draw.randint(1, 48)} "
        "hours."
    )


def _question(topic: Topic, number: int, candidates: int, draw: random.Random) -> QuestionRecord:
    pages = draw.sample(range(PASSAGES_OF_A_TOPIC), k=candidates)
    wanted = draw.sample(range(SENTENCES_OF_A_TOPIC), k=3)
    scores = sorted((draw.random() for _ in pages), reverse=True)
    passages = tuple(
        _passage(topic, page, score, wanted) for page, score in zip(pages, scores, strict=True)
    )
    bearing = tuple(one.id for one in passages if any(s.fact == "f1" for s in one.supports or ()))
    return QuestionRecord(
        id=f"q{number:06d}",
        question=(
            f"When is a {topic.subject} of series {topic.number} handled {draw.choice(WHERE)}, "
            f"case {number:,}?"
        ),
        passages=passages,
        facts=tuple(
            Fact(id=f"f{place}", text=topic.sentences[at]) for place, at in enumerate(wanted, 1)
        ),
        answer_bearing=bearing,
        arms=(
            ArmOutcome(name="k=8", correct=draw.random() < 0.7, setting="top_k(k=8)"),
            ArmOutcome(name="k=20", correct=draw.random() < 0.65, setting="top_k(k=20)"),
        ),
        metadata={"locale": draw.choice(LOCALES), "topic": topic.subject},
    )


def _passage(topic: Topic, page: int, score: float, wanted: list[int]) -> PassageRecord:
    says = topic.pages[page]
    return PassageRecord(
        id=f"HC-{topic.number:04d}-{page:02d}",
        text=" ".join(topic.sentences[at] for at in says),
        score=round(score, 6),
        supports=tuple(
            Support(fact=f"f{place}") for place, at in enumerate(wanted, 1) if at in says
        ),
        metadata={"title": f"{topic.subject.capitalize()} {topic.number}, page {page}"},
    )
