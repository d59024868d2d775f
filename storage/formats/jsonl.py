"""This project's own JSON lines: one question a line, all that a collection knows, without loss."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO, get_args

from storage.formats import Format, Peek, register_format
from storage.formats._fields import Fields, quoted, shown
from storage.formats._json import Place
from storage.formats._records import read_records
from storage.records import (
    ArmOutcome,
    Claim,
    Degree,
    Fact,
    PassageRecord,
    QuestionRecord,
    Support,
)
from storage.report import Report

QUESTION = frozenset(
    (
        "id",
        "question",
        "passages",
        "facts",
        "answer_bearing",
        "arms",
        "query_embedding",
        "ranked",
        "metadata",
    )
)
PASSAGE = frozenset(
    ("id", "text", "tokens", "score", "rerank_score", "claims", "supports", "embedding", "metadata")
)
FACT = frozenset(("id", "text", "weight", "alternatives"))
ARM = frozenset(("name", "run", "correct", "score", "cited", "answer", "setting", "sent"))
CLAIM = frozenset(("key", "text", "start", "end"))
SUPPORT = frozenset(("fact", "degree", "start", "end"))
DEGREES: tuple[Degree, ...] = get_args(Degree)

EXAMPLE = """\
{"id": "q1", "question": "How long is the refund window?", "passages": \
[{"id": "p1", "text": "Refunds within 30 days.", "tokens": 5, "score": 0.9, "supports": ["f1"]}, \
"Shipping takes 5 days."], "facts": [{"id": "f1", "text": "30 days", "weight": 1.0}], \
"answer_bearing": ["p1"]}
{"id": "q2", "question": "How long does shipping take?", "passages": ["Shipping takes 5 days."]}
"""


@register_format(
    "jsonl",
    title="JSON lines",
    suffixes=(".jsonl", ".json"),
    ranked=True,
    help="One question a line with its passages in the retriever's order; texts alone are enough.",
    example={"questions.jsonl": EXAMPLE},
)
class JsonLines(Format):
    """Lossless out and in again; docs/format.md describes every field."""

    def recognises(self, peek: Peek) -> int:
        return 2 if {"question", "passages"} <= peek.keys else 0

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        return read_records(paths, report, _question)

    def write(self, records: Iterable[QuestionRecord], stream: TextIO) -> None:
        for record in records:
            line = json.dumps(_written(record), ensure_ascii=False, allow_nan=False)
            stream.write(line + "\n")


def document_of(record: QuestionRecord) -> dict[str, Any]:
    """One question as its line of this format, before it is written as text."""
    return _written(record)


def record_of(document: dict[str, Any]) -> QuestionRecord:
    """The way back from `document_of`.

    :raises ImportRefused: where it is no question of this format.
    """
    report = Report()
    record = _question(Fields(document, Place("a stored question", 0, 1), report))
    report.raise_if_any()
    if record is None:
        raise AssertionError("a record without a problem is a record")
    return record


def _question(fields: Fields) -> QuestionRecord | None:
    question = fields.text("question", required=True, blank=False)
    facts = tuple(_facts(fields))
    passages = tuple(_passages(fields, {fact.id for fact in facts}))
    record = QuestionRecord(
        id=fields.identifier("id") or "",
        question=question or "",
        passages=passages,
        facts=facts,
        answer_bearing=_answer_bearing(fields, {passage.id for passage in passages}),
        arms=tuple(_arms(fields)),
        query_embedding=fields.vector("query_embedding"),
        ranked=fields.flag("ranked"),
        metadata=fields.metadata(QUESTION),
    )
    if "answer" in fields.values:
        fields.text("answer")
    _same_length(fields, record)
    return None if question is None else record


def _facts(fields: Fields) -> Iterator[Fact]:
    seen: set[str] = set()
    for inner in fields.objects("facts"):
        inner.nothing_else(FACT)
        id = inner.identifier("id", required=True)
        weight = inner.number("weight", low=0)
        fact = Fact(
            id=id or "",
            text=inner.text("text") or "",
            weight=1.0 if weight is None else weight,
            alternatives=inner.texts("alternatives"),
        )
        if id is not None:
            _once(inner, "id", id, seen, "fact")
            yield fact


def _passages(fields: Fields, facts: set[str]) -> Iterator[PassageRecord]:
    seen: set[str] = set()
    for at, value in enumerate(fields.items("passages", required=True) or ()):
        made = f"rank-{at + 1}"
        if isinstance(value, str):
            text = Fields({f"passages[{at}]": value}, fields.place, fields.report)
            record = PassageRecord(id=made, text=text.text(f"passages[{at}]") or "")
        elif isinstance(value, dict):
            record = _passage(fields.inner(f"passages[{at}]", value), made, facts)
        else:
            fields.wrong(f"passages[{at}]", shown(value), "a text, or an object with a text,")
            continue
        if record.id in seen:
            found = f"{quoted(record.id)}, which an earlier passage has as well"
            fields.wrong(f"passages[{at}].id", found, "an id that no other passage here has")
        seen.add(record.id)
        yield record


def _passage(fields: Fields, made: str, facts: set[str]) -> PassageRecord:
    text = fields.text("text", required=True) or ""
    return PassageRecord(
        id=fields.identifier("id") or made,
        text=text,
        tokens=fields.whole("tokens"),
        score=fields.number("score"),
        rerank_score=fields.number("rerank_score"),
        claims=_claims(fields, text),
        supports=_supports(fields, text, facts),
        embedding=fields.vector("embedding"),
        metadata=fields.metadata(PASSAGE),
    )


def _claims(fields: Fields, text: str) -> tuple[Claim, ...] | None:
    if not fields.has("claims"):
        return None
    return tuple(
        Claim(key=key, text=inner.text("text"), start=start, end=end)
        for inner in _named(fields, "claims", "key", CLAIM)
        if (key := inner.identifier("key", required=True)) is not None
        for start, end in (_span(inner, text),)
    )


def _supports(fields: Fields, text: str, facts: set[str]) -> tuple[Support, ...] | None:
    if not fields.has("supports"):
        return None
    found = []
    for inner in _named(fields, "supports", "fact", SUPPORT):
        fact = inner.identifier("fact", required=True)
        if fact is not None and fact not in facts:
            inner.wrong("fact", quoted(fact), "the id of one of the question's facts")
        start, end = _span(inner, text)
        support = Support(fact=fact or "", degree=_degree(inner), start=start, end=end)
        found.append(support)
    return tuple(found)


def _named(fields: Fields, name: str, key: str, known: frozenset[str]) -> Iterator[Fields]:
    """Members of a list that are an object, or short for one: its name alone."""
    for at, value in enumerate(fields.items(name) or ()):
        if isinstance(value, dict):
            inner = fields.inner(f"{name}[{at}]", value)
            inner.nothing_else(known)
            yield inner
        else:
            yield fields.inner(f"{name}[{at}]", {key: value})


def _degree(fields: Fields) -> Degree:
    given = fields.values.get("degree")
    for degree in DEGREES:
        if given == degree:
            return degree
    if given is not None:
        fields.wrong("degree", shown(given), " or ".join(map(repr, DEGREES)))
    return "full"


def _span(fields: Fields, text: str) -> tuple[int | None, int | None]:
    start, end = fields.whole("start"), fields.whole("end")
    given = fields.has("start") or fields.has("end")
    if given and not (start is not None and end is not None and start < end <= len(text)):
        found = f"{shown(fields.values.get('start'))} to {shown(fields.values.get('end'))}"
        fields.wrong("start", found, f"a place within the text's {len(text):,} characters")
    return start, end


def _answer_bearing(fields: Fields, passages: set[str]) -> tuple[str, ...] | None:
    found = fields.identifiers("answer_bearing")
    seen: set[str] = set()
    for at, id in enumerate(found or ()):
        if id not in passages:
            fields.wrong(f"answer_bearing[{at}]", quoted(id), "the id of one of the passages")
        else:
            _once(fields, f"answer_bearing[{at}]", id, seen, "passage")
    return found


def _arms(fields: Fields) -> Iterator[ArmOutcome]:
    seen: set[str] = set()
    for inner in fields.objects("arms"):
        inner.nothing_else(ARM)
        name = inner.identifier("name", required=True)
        run = inner.whole("run", low=1)
        arm = ArmOutcome(
            name=name or "",
            run=1 if run is None else run,
            correct=inner.flag("correct"),
            score=inner.number("score"),
            cited=inner.flag("cited"),
            answer=inner.text("answer"),
            setting=inner.text("setting"),
            sent=inner.identifiers("sent"),
        )
        if name is not None:
            _once(inner, "name", f"{name}, run {arm.run}", seen, "arm and run")
            yield arm


def _once(fields: Fields, name: str, value: str, seen: set[str], what: str) -> None:
    if value in seen:
        fields.wrong(name, f"{quoted(value)} again", f"each {what} once")
    seen.add(value)


def _same_length(fields: Fields, record: QuestionRecord) -> None:
    """All vectors of a question, its own included, have one length."""
    vectors = [(f"passages[{at}].embedding", p.embedding) for at, p in enumerate(record.passages)]
    vectors.insert(0, ("query_embedding", record.query_embedding))
    length = None
    for name, vector in vectors:
        if vector is None:
            continue
        length = length or len(vector)
        if len(vector) != length:
            fields.wrong(name, shown(list(vector)), f"a list of {length}, as in the first vector,")


def _written(record: QuestionRecord) -> dict[str, Any]:
    return _known(
        id=record.id,
        question=record.question,
        passages=[_written_passage(passage) for passage in record.passages],
        facts=[_written_fact(fact) for fact in record.facts] or None,
        answer_bearing=record.answer_bearing,
        arms=[_written_arm(arm) for arm in record.arms] or None,
        query_embedding=record.query_embedding,
        ranked=record.ranked,
        metadata=dict(record.metadata) or None,
    )


def _written_passage(passage: PassageRecord) -> dict[str, Any]:
    claims, supports = passage.claims, passage.supports
    return _known(
        id=passage.id,
        text=passage.text,
        tokens=passage.tokens,
        score=passage.score,
        rerank_score=passage.rerank_score,
        claims=None if claims is None else [_written_claim(claim) for claim in claims],
        supports=None if supports is None else [_written_support(one) for one in supports],
        embedding=passage.embedding,
        metadata=dict(passage.metadata) or None,
    )


def _written_fact(fact: Fact) -> dict[str, Any]:
    alternatives = list(fact.alternatives) or None
    return _known(id=fact.id, text=fact.text, weight=fact.weight, alternatives=alternatives)


def _written_claim(claim: Claim) -> str | dict[str, Any]:
    written = _known(key=claim.key, text=claim.text, start=claim.start, end=claim.end)
    return claim.key if len(written) == 1 else written


def _written_support(support: Support) -> str | dict[str, Any]:
    degree = None if support.degree == "full" else support.degree
    written = _known(fact=support.fact, degree=degree, start=support.start, end=support.end)
    return support.fact if len(written) == 1 else written


def _written_arm(arm: ArmOutcome) -> dict[str, Any]:
    return _known(
        name=arm.name,
        run=arm.run,
        correct=arm.correct,
        score=arm.score,
        cited=arm.cited,
        answer=arm.answer,
        setting=arm.setting,
        sent=arm.sent,
    )


def _known(**values: Any) -> dict[str, Any]:
    """What is known: None is left out, an empty list stays."""
    return {name: value for name, value in values.items() if value is not None}
