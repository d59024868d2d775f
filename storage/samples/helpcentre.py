"""Help-centre regressions: 240 questions, answered from eight passages and from twenty.

How each question went, and where its evidence stands, is decided first; then a pool is put together
that shows it: what got worse drowns in copies of the general rule, what stayed right does not.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from storage.records import ArmOutcome, Fact, PassageRecord, QuestionRecord, Support
from storage.samples import Sample
from storage.samples._helpcentre import (
    COUNTRIES,
    CURRENT,
    Article,
    Case,
    HelpCentre,
    Topic,
    help_centre,
)
from storage.samples._writing import descending_scores

SEED = 13
NEAR, FAR = 8, 20
"""Passages that the two arms send: the first eight, the first twenty."""

Outcome = Literal["worse", "better", "right", "wrong"]
Where = Literal["near", "far", "nowhere"]
"""Where the evidence stands: ranks 1 to 8, further down, or not in the pool."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many questions go one way. crowd: least and most competing passages after rank 8."""

    outcome: Outcome
    where: Where
    count: int
    crowd: tuple[int, int]


SHARES = (
    Share("worse", "near", 54, (6, 9)),
    Share("worse", "near", 9, (1, 3)),
    Share("worse", "nowhere", 8, (4, 7)),
    Share("better", "far", 20, (1, 4)),
    Share("better", "near", 4, (2, 4)),
    Share("right", "near", 90, (0, 3)),
    Share("right", "near", 14, (5, 7)),
    Share("right", "nowhere", 4, (1, 4)),
    Share("wrong", "near", 12, (4, 8)),
    Share("wrong", "far", 12, (2, 6)),
    Share("wrong", "nowhere", 13, (2, 6)),
)

PRONE_TOPICS = 8
"""Topics that were translated first and have most of what got worse."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One way of asking for one case."""

    topic: Topic
    case: Case
    turn: int

    @property
    def words(self) -> str:
        return self.case.asked[self.turn]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What the answer needs: the exception, and where it takes two, the second fact."""
        first = Fact(id=f"{self.topic.name}-{_slug(self.case.title)}", text=self.case.fact)
        if self.case.also is None:
            return (first,)
        return (first, Fact(id=f"{self.topic.name}-{_slug(self.case.also)}", text=self.second))

    @property
    def second(self) -> str:
        """The sentence of the second fact."""
        also = self.case.also
        return self.topic.rule if also in (None, "rule") else self.topic.plans[str(also)]

    @property
    def competing(self) -> str:
        """The sentence that speaks for the wrong answer."""
        return self.topic.former if self.case.against == "former" else self.topic.rule

    def is_evidence(self, article: Article) -> bool:
        """Whether the answer needs this article: the exception, or a rule of one plan."""
        own_plan = self.case.also not in (None, "rule") and article.says(self.second)
        return article.says(self.case.fact) or own_plan


def records() -> Iterator[QuestionRecord]:
    """All questions in a mixed order, made from one stream of random numbers."""
    rng = random.Random(SEED)
    centre = help_centre(rng)
    dealt = _deal(centre, rng)
    rng.shuffle(dealt)
    for number, (asked, share) in enumerate(dealt, start=1):
        yield _question(centre, asked, share, number=number, rng=rng)


def _deal(centre: HelpCentre, rng: random.Random) -> list[tuple[Asked, Share]]:
    """Give every question its way. Topics that are prone come first, and so get what is worse."""
    prone = {topic.name for topic in rng.sample(centre.topics, PRONE_TOPICS)}
    left = sorted(
        (
            Asked(topic, case, turn)
            for topic in centre.topics
            for case in topic.cases
            for turn in range(len(case.asked))
        ),
        key=lambda asked: rng.random() * (0.4 if asked.topic.name in prone else 1.0),
    )
    dealt = []
    # Without evidence early: it has to be absent altogether, so only one fact may be asked for.
    for share in sorted(SHARES, key=lambda s: (s.outcome != "worse", s.where != "nowhere")):
        fitting = [a for a in left if share.where != "nowhere" or a.case.also is None]
        for asked in fitting[: share.count]:
            dealt.append((asked, share))
            left.remove(asked)
    return dealt


def _question(
    centre: HelpCentre, asked: Asked, share: Share, *, number: int, rng: random.Random
) -> QuestionRecord:
    case = asked.case
    locale = case.locales[asked.turn] if case.locales else rng.choice(tuple(COUNTRIES))
    pool = _pool(centre, asked, share, locale=locale, rng=rng)
    ids = tuple(article.id for article in pool)
    evidence = tuple(a.id for a in pool if share.where != "nowhere" and asked.is_evidence(a))
    scores = descending_scores(
        rng.uniform(0.8, 0.92), [rng.uniform(0.002, 0.024) for _ in pool[1:]]
    )
    tags = [case.tag, "two facts" if case.also else "one fact"]
    return QuestionRecord(
        id=f"hc-{number:03d}",
        question=asked.words,
        passages=tuple(
            _passage(article, asked, score=score)
            for article, score in zip(pool, scores, strict=True)
        ),
        facts=asked.facts,
        answer_bearing=evidence,
        arms=_arms(asked, share, ids=ids, evidence=evidence, rng=rng),
        metadata={"locale": locale, "topic": asked.topic.title, "tags": tags, **_product(asked)},
    )


def _pool(
    centre: HelpCentre, asked: Asked, share: Share, *, locale: str, rng: random.Random
) -> list[Article]:
    """The ranked candidates: evidence where the share wants it, copies of the rule after rank 8."""
    needed = _evidence(centre, asked, share, rng) if share.where != "nowhere" else []
    crowd = _crowd(centre, asked, locale=locale, rng=rng)
    quiet = _quiet(centre, asked, rng=rng)
    far = needed[:1] if share.where == "far" else []
    near = needed[len(far) :]
    opening = crowd[:2]
    if asked.case.against == "former":
        opening.append(_overview(centre, asked.topic, locale))
    filling = NEAR - len(opening) - len(near)
    head = _head(opening + quiet[:filling], near, rng)
    size = rng.randint(18, 22)
    tail = _competing(crowd[2:], share, rng)
    tail += quiet[filling : filling + size - NEAR - len(tail) - len(far)]
    rng.shuffle(tail)
    for article in far:
        tail.insert(rng.randrange(8), article)
    return head + tail


def _head(others: list[Article], near: Sequence[Article], rng: random.Random) -> list[Article]:
    """The first eight: the customer's overview on top, evidence mostly below it."""
    top, rest = others[0], others[1:]
    rng.shuffle(rest)
    head = [top, *rest]
    for article in near:
        # Below the overview it adds the exception and nothing else.
        head.insert(rng.choice((0, 1, 2, 2, 3, 4, 5, 6, 7)), article)
    return head


def _competing(crowd: Sequence[Article], share: Share, rng: random.Random) -> list[Article]:
    """Copies of what speaks for the wrong answer. The summaries of a group mostly harm."""
    summaries = sorted((a for a in crowd if a.kind == "glance"), key=lambda a: a.id)
    copies = [a for a in crowd if a.kind != "glance"]
    harmful = rng.random() < (0.85 if share.outcome == "worse" else 0.1)
    order = summaries[:1] + copies + summaries[1:] if harmful else copies
    return order[: rng.randint(*share.crowd)]


def _evidence(centre: HelpCentre, asked: Asked, share: Share, rng: random.Random) -> list[Article]:
    """The article with the exception, then the one on the plan where that is needed as well."""
    found = [a for a in centre.about(asked.topic) if asked.is_evidence(a)]
    exceptions = [a for a in found if a.says(asked.case.fact)]
    others = [a for a in found if not a.says(asked.case.fact)]
    # A second copy of the exception helps a question to stay right.
    twice = share.outcome == "right" and rng.random() < 0.25
    return exceptions[: 2 if twice else 1] + others


def _overview(centre: HelpCentre, topic: Topic, locale: str) -> Article:
    """Today's overview of a topic for one country."""
    return next(
        a
        for a in centre.about(topic)
        if a.kind == "overview" and a.locale == locale and a.says(topic.rule)
    )


def _crowd(centre: HelpCentre, asked: Asked, *, locale: str, rng: random.Random) -> list[Article]:
    """Articles that state what speaks for the wrong answer; the customer's own overview first."""
    stating = [
        a
        for a in centre.about(asked.topic)
        if a.says(asked.competing) and not asked.is_evidence(a) and a.kind != "case"
    ]
    rng.shuffle(stating)
    first = ("overview", locale)
    return sorted(stating, key=lambda a: ((a.kind, a.locale) != first, a.kind == "glance"))


def _quiet(centre: HelpCentre, asked: Asked, *, rng: random.Random) -> list[Article]:
    """Articles that do not: the topic's own tend to come first, those of other groups last."""
    topic = asked.topic
    silent = [
        a
        for a in centre.articles
        if not (a.says(asked.competing) or a.says(topic.rule) or asked.is_evidence(a))
    ]
    rng.shuffle(silent)
    own = [a for a in silent if a.topic == topic.title and a.version == CURRENT]
    steps = [a for a in own if a.kind == "steps"]
    own = rng.sample(steps, 2) + _one_copy([a for a in own if a.kind != "steps"])
    group = [a for a in silent if a.topic != topic.title and a.group == topic.group]
    other = [a for a in silent if a.group != topic.group]
    placed = [(rng.random() * 0.6, a) for a in own]
    placed += [(0.3 + rng.random() * 0.7, a) for a in rng.sample(_one_copy(group), 16)]
    placed += [(0.6 + rng.random() * 0.4, a) for a in rng.sample(_one_copy(other), 3)]
    return [article for _, article in sorted(placed, key=lambda place: place[0])]


def _one_copy(articles: Sequence[Article]) -> list[Article]:
    """One country's copy of each article."""
    return list({a.number: a for a in articles}.values())


def _passage(article: Article, asked: Asked, *, score: float) -> PassageRecord:
    return PassageRecord(
        id=article.id,
        text=article.text,
        score=score,
        supports=tuple(_supports(article, asked)),
        metadata=article.metadata,
    )


def _supports(article: Article, asked: Asked) -> Iterator[Support]:
    """The places that carry a fact, and the one that speaks against the exception."""
    for fact in asked.facts:
        if article.says(fact.text):
            start = article.text.index(fact.text)
            yield Support(fact=fact.id, start=start, end=start + len(fact.text))
    if article.says(asked.competing):
        start = article.text.index(asked.competing)
        end = start + len(asked.competing)
        yield Support(fact=asked.facts[0].id, degree="contradicts", start=start, end=end)


def _arms(
    asked: Asked,
    share: Share,
    *,
    ids: Sequence[str],
    evidence: Sequence[str],
    rng: random.Random,
) -> tuple[ArmOutcome, ...]:
    before, after = share.outcome in ("worse", "right"), share.outcome in ("better", "right")
    arms = []
    for k, correct, citing in ((NEAR, before, 0.94), (FAR, after, 0.82)):
        sent = tuple(ids[:k])
        seen = [name for name in evidence if name in sent]
        source = seen[0] if correct and seen else rng.choice(sent[:4])
        cited = rng.random() < citing
        answer = asked.case.right if correct else asked.case.wrong
        arms.append(
            ArmOutcome(
                name=f"k={k}",
                correct=correct,
                cited=cited,
                answer=f"{answer} [{source}]" if cited else answer,
                setting=f"top_k(k={k})",
                sent=sent,
            )
        )
    return tuple(arms)


def _product(asked: Asked) -> dict[str, str]:
    """The device that is meant, where its name is mentioned."""
    mentioned = f"{asked.words} {asked.case.fact}"
    for device in ("Tern", "Alder", "Kestrel", "Moss", "Plover", "Finch"):
        if device in mentioned:
            return {"product": device}
    return {}


def _slug(title: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", title.lower()))


SAMPLE = Sample(
    name="Help-centre regressions",
    note=(
        "Made up: 240 questions to the help centre of an invented maker of devices, answered once "
        "from the first 8 passages and once from the first 20; 71 answers got worse. Look at "
        "what is repeated after rank 8: copies for other countries and pages of former years, "
        "against one sentence with the exception that the question needs."
    ),
    order=40,
    seed=SEED,
    records=records,
)
