"""HotpotQA in both published layouts: pairs of title and sentences, or a column for each.

Yang, Qi, Zhang, Bengio, Cohen, Salakhutdinov and Manning, "HotpotQA: A Dataset for Diverse,
Explainable Multi-hop Question Answering", EMNLP 2018.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from storage.formats import Format, Peek, register_format
from storage.formats._fields import Fields, quoted, shown
from storage.formats._records import read_records
from storage.records import Fact, PassageRecord, QuestionRecord, Support
from storage.report import Report

KNOWN = frozenset(("_id", "id", "question", "context", "supporting_facts", "metadata"))
PAIR = "a pair of a title and "

EXAMPLE = """\
[{"_id": "h1", "question": "Which window is longer, that of Northlight or that of Lumen?", \
"answer": "Lumen", "type": "comparison", "level": "easy", \
"supporting_facts": [["Northlight", 0], ["Lumen", 1]], \
"context": [["Northlight", ["Refunds within 30 days.", " Shipping takes 5 days."]], \
["Lumen", ["Lumen sells lamps.", " Refunds within 60 days."]], ["Lamps", ["Lamps give light."]]]}]
"""


@register_format(
    "hotpotqa",
    title="HotpotQA",
    suffixes=(".json", ".jsonl"),
    ranked=False,
    help="The published multi-hop questions, original or column layout; paragraphs are shuffled.",
    example={"hotpotqa.json": EXAMPLE},
)
class HotpotQA(Format):
    """A passage's id is its title, its text the sentences joined without anything between.

    Each supporting sentence is a fact, at its exact place. Where its paragraph or sentence is not
    among the candidates (as in the full-wiki setting), the fact stays without a place.
    """

    def recognises(self, peek: Peek) -> int:
        context = isinstance(peek.record.get("context"), (list, dict))
        signs = peek.keys & {"supporting_facts", "_id"}
        return 2 + len(signs) if context and signs and "question" in peek.keys else 0

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        return read_records(paths, report, _question)


@dataclass(frozen=True, slots=True)
class _Paragraph:
    title: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(self.sentences)

    def place(self, sentence: int) -> tuple[int, int] | None:
        """Start and end of a sentence in the text, without the blanks around it."""
        if not 0 <= sentence < len(self.sentences):
            return None
        said = self.sentences[sentence]
        starts = list(accumulate(map(len, self.sentences), initial=0))
        start = starts[sentence] + len(said) - len(said.lstrip())
        return (start, start + len(said.strip())) if said.strip() else None


def _question(fields: Fields) -> QuestionRecord | None:
    question = fields.text("question", required=True, blank=False)
    paragraphs = tuple(_paragraphs(fields))
    judged = fields.has("supporting_facts")
    needed = tuple(dict.fromkeys(_supporting(fields)))
    facts, places = _facts(fields, needed, {one.title: one for one in paragraphs})
    if "answer" in fields.values:
        fields.text("answer")
    titles = {title for title, _ in needed}
    record = QuestionRecord(
        id=fields.identifier("_id" if fields.has("_id") else "id") or "",
        question=question or "",
        passages=tuple(
            PassageRecord(
                id=one.title,
                text=one.text,
                supports=tuple(places.get(one.title, ())) if judged else None,
                metadata={"title": one.title},
            )
            for one in paragraphs
        ),
        facts=facts,
        answer_bearing=tuple(p.title for p in paragraphs if p.title in titles) if judged else None,
        metadata=fields.metadata(KNOWN),
    )
    return None if question is None else record


def _facts(
    fields: Fields, needed: Sequence[tuple[str, int]], paragraphs: dict[str, _Paragraph]
) -> tuple[tuple[Fact, ...], dict[str, list[Support]]]:
    facts: list[Fact] = []
    places: dict[str, list[Support]] = {}
    for title, number in needed:
        paragraph, id = paragraphs.get(title), f"{title} #{number}"
        place = paragraph.place(number) if paragraph else None
        if paragraph is None or place is None:
            fields.warn("A supporting sentence is not among the candidates: a fact without place.")
            facts.append(Fact(id=id, text=f"{title}, sentence {number + 1}"))
            continue
        start, end = place
        facts.append(Fact(id=id, text=paragraph.text[start:end]))
        places.setdefault(title, []).append(Support(fact=id, start=start, end=end))
    return tuple(facts), places


def _paragraphs(fields: Fields) -> Iterator[_Paragraph]:
    seen: set[str] = set()
    for at, (title, sentences) in _pairs(fields, "context", "sentences", "its sentences"):
        name = f"context[{at}]"
        inner = fields.inner(name, {"title": title, "sentences": sentences})
        title = inner.identifier("title", required=True)
        texts = inner.items("sentences", required=True) or ()
        for number, text in enumerate(texts):
            fields.inner(name, {f"sentences[{number}]": text}).text(
                f"sentences[{number}]", required=True
            )
        if title is None or not all(isinstance(text, str) for text in texts):
            continue
        if title in seen:
            found = f"{quoted(title)}, which an earlier paragraph has as well"
            inner.wrong("title", found, "a title that no other paragraph here has")
        seen.add(title)
        yield _Paragraph(title, tuple(texts))


def _supporting(fields: Fields) -> Iterator[tuple[str, int]]:
    for at, (title, number) in _pairs(fields, "supporting_facts", "sent_id", "a sentence number"):
        inner = fields.inner(f"supporting_facts[{at}]", {"title": title, "sent_id": number})
        name, sentence = inner.identifier("title", required=True), inner.whole("sent_id")
        if number is None:
            inner.wrong("sent_id", "nothing", "a whole number of 0 or more")
        if name is not None and sentence is not None:
            yield name, sentence


def _pairs(
    fields: Fields, name: str, second: str, words: str
) -> Iterator[tuple[int, tuple[Any, Any]]]:
    """Position and members of each pair of a field, in whichever layout it is."""
    value = fields.values.get(name)
    if isinstance(value, dict):
        columns = fields.inner(name, value)
        titles = columns.items("title", required=True)
        seconds = columns.items(second, required=True)
        if titles is None or seconds is None:
            return
        if len(titles) != len(seconds):
            found = f"lists of {len(titles)} and {len(seconds)}"
            fields.wrong(name, found, f"as many titles as {second}")
            return
        yield from enumerate(zip(titles, seconds, strict=True))
        return
    for at, pair in enumerate(fields.items(name, required=name == "context") or ()):
        if isinstance(pair, list) and len(pair) == 2:
            yield at, (pair[0], pair[1])
        else:
            fields.wrong(f"{name}[{at}]", shown(pair), PAIR + words)
