"""The articles of the invented help centre: what is written, and the copies made of it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from storage.samples._writing import written

FILES = ("orders", "payments", "membership", "devices")
HOME = "en-US"
COUNTRIES = {
    HOME: "United States",
    "en-GB": "United Kingdom",
    "en-IE": "Ireland",
    "en-AU": "Australia",
    "en-CA": "Canada",
}
CURRENT, ARCHIVED = "2025", "2023"


@dataclass(frozen=True, slots=True)
class Case:
    """Something that goes against what holds in general, three ways of asking for it, and answers.

    against: the sentence that speaks for the wrong answer, "rule" or "former". also: the second
    fact that the answer needs, "rule" or the name of a plan; None where one fact is enough.
    """

    title: str
    tag: str
    fact: str
    right: str
    wrong: str
    asked: tuple[str, ...]
    against: str = "rule"
    also: str | None = None
    locales: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic: what holds in general, what held before, and everything else that is said of it.

    group: index of its group. plans, products: name -> the sentence that holds only there.
    """

    name: str
    title: str
    group: int
    rule: str
    former: str
    core: tuple[str, ...]
    more: tuple[str, ...]
    plans: Mapping[str, str]
    products: Mapping[str, str]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One passage of the help centre. kind: overview, steps, faq, plan, product, case or glance."""

    id: str
    title: str
    text: str
    kind: str
    group: int
    topic: str | None
    locale: str = HOME
    version: str = CURRENT
    product: str | None = None
    case: str | None = None

    def says(self, sentence: str) -> bool:
        return sentence in self.text

    @property
    def number(self) -> str:
        """The same for all countries' copies."""
        return self.id.removesuffix(f"-{self.locale}")

    @property
    def metadata(self) -> dict[str, Any]:
        known = {
            "title": self.title,
            "locale": self.locale,
            "topic": self.topic,
            "product": self.product,
            "version": self.version,
            "tags": [self.kind] + (["archived"] if self.version == ARCHIVED else []),
        }
        return {key: value for key, value in known.items() if value is not None}


@dataclass(frozen=True, slots=True)
class HelpCentre:
    """All topics and articles."""

    topics: tuple[Topic, ...]
    articles: tuple[Article, ...]
    by_topic: Mapping[str, tuple[Article, ...]] = field(repr=False)
    glances: tuple[tuple[Article, ...], ...] = field(repr=False)

    def about(self, topic: Topic) -> tuple[Article, ...]:
        """Articles on one topic, and the summaries that mention it."""
        return self.by_topic[topic.name] + self.glances[topic.group]


def help_centre(rng: random.Random) -> HelpCentre:
    """Read the topics and write their articles; the same state of `rng` gives the same articles."""
    sources = [written(f"helpcentre_{name}") for name in FILES]
    topics = tuple(
        _topic(entry, group=group)
        for group, source in enumerate(sources)
        for entry in source["topic"]
    )
    by_topic = {
        topic.name: tuple(_articles(topic, number=number, rng=rng))
        for number, topic in enumerate(topics, start=1)
    }
    glances = tuple(
        tuple(_glances([t for t in topics if t.group == group], source["glance"], group=group))
        for group, source in enumerate(sources)
    )
    every = tuple(a for articles in (*by_topic.values(), *glances) for a in articles)
    return HelpCentre(topics, every, by_topic, glances)


def _topic(entry: Mapping[str, Any], *, group: int) -> Topic:
    return Topic(
        name=entry["name"],
        title=entry["title"],
        group=group,
        rule=entry["rule"],
        former=entry["former"],
        core=tuple(entry["core"]),
        more=tuple(entry["more"]),
        plans=dict(entry["plans"]),
        products=dict(entry["products"]),
        cases=tuple(_case(case) for case in entry["case"]),
    )


def _case(entry: Mapping[str, Any]) -> Case:
    return Case(
        title=entry["title"],
        tag=entry["tag"],
        fact=entry["fact"],
        right=entry["right"],
        wrong=entry["wrong"],
        asked=tuple(entry["asked"]),
        against=entry.get("against", "rule"),
        also=entry.get("also"),
        locales=tuple(entry.get("locales", ())),
    )


def _articles(topic: Topic, *, number: int, rng: random.Random) -> Iterator[Article]:
    for turn, locale in enumerate(COUNTRIES):
        yield from _general(topic, number=number, locale=locale, turn=turn, rng=rng)
    for n, (plan, sentence) in enumerate(topic.plans.items(), start=6):
        sentences = [sentence, *rng.sample(topic.core, 6), *rng.sample(topic.more, 3)]
        title = f"{topic.title} with the {plan} plan"
        yield _article(topic, "plan", number * 100 + n, title, sentences)
    for n, (product, sentence) in enumerate(topic.products.items(), start=11):
        sentences = [topic.rule, *rng.sample(topic.core, 7), sentence, *rng.sample(topic.more, 2)]
        title = f"{topic.title}: {product}"
        yield _article(topic, "product", number * 100 + n, title, sentences, product=product)
    for n, case in enumerate(topic.cases, start=21):
        yield from _exception(topic, case, number=number * 100 + n, rng=rng)


def _general(
    topic: Topic, *, number: int, locale: str, turn: int, rng: random.Random
) -> Iterator[Article]:
    """What every country has: overview, steps and frequent questions, and those of former years.

    The copies say the same in the same words; sections stand in another order and some are cut.
    """
    third = len(topic.core) // 3
    sections = [topic.core[i * third : (i + 1) * third] for i in range(3)]
    order = rng.sample(sections, 3) if turn else sections
    body = [sentence for section in order for sentence in section]
    at = 1 if not turn else rng.randrange(4)
    drafts = (
        ("overview", 1, "", [*body[:at], topic.rule, *body[at:], *_some(topic.more, 2, rng)]),
        ("steps", 2, ": step by step", [*_some(topic.core, 5, rng), *_some(topic.more, 5, rng)]),
        ("faq", 3, ": frequent questions", _faq(topic, topic.rule, rng)),
        (
            "overview",
            4,
            ", as it was",
            [body[0], topic.former, *body[2:], *_some(topic.more, 2, rng)],
        ),
        ("faq", 5, ": frequent questions, as it was", _faq(topic, topic.former, rng)),
    )
    for kind, n, ending, sentences in drafts:
        yield _article(
            topic,
            kind,
            number * 100 + n,
            f"{topic.title}{ending}",
            sentences,
            locale=locale,
            version=ARCHIVED if n > 3 else CURRENT,
        )


def _faq(topic: Topic, rule: str, rng: random.Random) -> list[str]:
    sentences = [*_some(topic.core, 5, rng), *_some(topic.more, 4, rng)]
    sentences.insert(rng.randrange(5), rule)
    return sentences


def _some(sentences: Sequence[str], count: int, rng: random.Random) -> list[str]:
    """A sample in the order in which they are written."""
    return [sentences[i] for i in sorted(rng.sample(range(len(sentences)), count))]


def _exception(topic: Topic, case: Case, *, number: int, rng: random.Random) -> Iterator[Article]:
    """The article on an exception, and its copy for another country.

    But for the exception, all of it stands in the overview as well.
    """
    known = _some(topic.core, 7, rng)
    if case.against == "former" or rng.random() < 0.4:
        known.insert(rng.randrange(1, 4), topic.rule)
    known.insert(rng.randrange(2, 7), case.fact)
    # What holds in one country only is copied for that country, everything else for any.
    abroad = [locale for locale in case.locales or COUNTRIES if locale != HOME]
    copy = rng.choice(abroad)
    for locale, sentences in ((HOME, known), (copy, [known[-1], *known[:-1]])):
        yield _article(topic, "case", number, case.title, sentences, locale=locale, case=case.title)


def _article(
    topic: Topic,
    kind: str,
    number: int,
    title: str,
    sentences: Sequence[str],
    *,
    locale: str = HOME,
    version: str = CURRENT,
    product: str | None = None,
    case: str | None = None,
) -> Article:
    foreign = locale != HOME
    return Article(
        id=f"HC-{number}-{locale}" if foreign else f"HC-{number}",
        title=f"{title} ({COUNTRIES[locale]})" if foreign else title,
        text=" ".join(sentences),
        kind=kind,
        group=topic.group,
        topic=topic.title,
        locale=locale,
        version=version,
        product=product,
        case=case,
    )


def _glances(topics: Sequence[Topic], title: str, *, group: int) -> Iterator[Article]:
    """The rules of a whole group on one page, today's and those of former years."""
    for version, ending in ((CURRENT, ""), (ARCHIVED, ", as it was")):
        for locale in (HOME, "en-GB"):
            rules = [t.rule if version == CURRENT else t.former for t in topics]
            openings = [t.core[2] for t in topics]
            number = 9000 + 10 * group + (1 if version == CURRENT else 2)
            home = locale == HOME
            yield Article(
                id=f"HC-{number}" if home else f"HC-{number}-{locale}",
                title=f"{title}{ending}" + ("" if home else f" ({COUNTRIES[locale]})"),
                text=" ".join(s for pair in zip(rules, openings, strict=True) for s in pair),
                kind="glance",
                group=group,
                topic=None,
                locale=locale,
                version=version,
            )
