"""Nuggetizer: what an answer should say, in nuggets, and which passages say it.

Pradeep et al., "Initial Nugget Evaluation Results for the TREC 2024 RAG Track with the
AutoNuggetizer Framework", 2024; field names: castorini/nuggetizer, and answers of that track.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from storage.formats import Format, Peek, register_format
from storage.formats._fields import Fields, quoted, shown
from storage.formats._files import name_of
from storage.formats._grouped import OneFile
from storage.formats._json import json_values
from storage.formats._peek import peek
from storage.formats._trec import number_or_text, rows
from storage.records import ArmOutcome, Degree, Fact, PassageRecord, QuestionRecord, Support
from storage.report import Problem, Report

WEIGHTS: Mapping[str, float] = {"vital": 1.0, "okay": 0.5}
DEGREES: Mapping[str, Degree | None] = {
    "support": "full",
    "partial_support": "partial",
    "not_support": None,
}
QRELS = ("topic", "iteration", "document", "grade")
ACCEPTED = (
    "candidates, nuggets assigned to passages, or answers with references, as JSON lines, and with "
    "them nuggets and qrels"
)
NO_POOL = "nuggets, but no passages: there is no pool to select from"

EXAMPLE = {
    "assignments.jsonl": """\
{"text": "How long is the refund window?", "qid": "q1", \
"candidate_text": "Refunds within 30 days.", "docid": "d1", "nuggets": [\
{"text": "window is 30 days", "importance": "vital", "assignment": "support"}, \
{"text": "items unused", "importance": "okay", "assignment": "not_support"}]}
{"text": "How long is the refund window?", "qid": "q1", "candidate_text": "Unused items only.", \
"docid": "d2", "nuggets": [{"text": "window is 30 days", "importance": "vital", \
"assignment": "not_support"}, {"text": "items unused", "importance": "okay", \
"assignment": "partial_support"}]}
""",
    "nuggets.jsonl": """\
{"query": "How long is the refund window?", "qid": "q1", "nuggets": [{"text": "window is 30 days", \
"importance": "vital"}, {"text": "items unused", "importance": "okay"}]}
""",
}


@register_format(
    "nuggetizer",
    title="Nuggetizer (TREC RAG)",
    suffixes=(".jsonl", ".json"),
    ranked=True,
    help="Nuggets with their passages: candidates, assignments, or answers with references.",
    example=EXAMPLE,
)
class Nuggetizer(Format):
    """Nuggets are facts: a vital one weighs 1, an okay one 0.5, any other 0 (it was not rated).

    The pool is the candidates, else the passages that nuggets were assigned to, else what the
    answers refer to; with answers alone nobody knows which passage says what, and gold is n/a.
    """

    def recognises(self, peek: Peek) -> int:
        return {"": 0, "qrels": 0}.get(_kind(peek.record), 3)

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        parts = _Parts(report)
        for at, path in enumerate(paths):
            parts.take(at, path)
        yield from parts.questions(name_of(paths[0]))


def _kind(record: Mapping[str, Any]) -> str:
    keys = record.keys()
    if "nuggets" in keys:
        if "docid" in keys or "candidate_text" in keys:
            return "assignments"
        return "answer assignments" if "answer_text" in keys else "nuggets"
    if "candidates" in keys and "query" in keys:
        return "candidates"
    return "answers" if {"references", "answer"} <= keys else ""


@dataclass(slots=True)
class _Topic:
    """What is known of one question. nuggets: text -> importance. pools: kind -> id -> passage.

    judged: passage -> nugget -> label. sent: run -> answer and references.
    """

    text: str = ""
    nuggets: dict[str, Any] = field(default_factory=dict)
    pools: dict[str, dict[str, PassageRecord]] = field(default_factory=dict)
    judged: dict[str, dict[str, Any]] = field(default_factory=dict)
    arms: dict[str, ArmOutcome] = field(default_factory=dict)
    grades: dict[str, float] = field(default_factory=dict)
    broken: bool = False

    @property
    def pool(self) -> dict[str, PassageRecord] | None:
        kinds = ("candidates", "assignments", "answers")
        return next((self.pools[kind] for kind in kinds if kind in self.pools), None)


class _Parts:
    """What the files of an import hold, by question."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.topics: dict[str, _Topic] = {}
        self.grades: dict[str, dict[str, float]] = {}
        self._once = {kind: OneFile() for kind in ("candidates", "assignments", "answers")}

    def take(self, at: int, path: Path) -> None:
        if len(peek(path).first_line.split()) == len(QRELS):
            self._take_qrels(path)
            return
        for place, value in json_values(path, self.report):
            before = self.report.total
            fields = Fields(value if isinstance(value, dict) else {}, place, self.report)
            self._take_record(at, _kind(fields.values), fields)
            self.report.rows_usable += self.report.total == before

    def _take_qrels(self, path: Path) -> None:
        for fields, cells in rows(path, self.report, QRELS, "four columns, as qrels have them,"):
            fields.values = {**fields.values, "grade": number_or_text(cells[3])}
            grade = fields.number("grade")
            if grade is not None:
                self.grades.setdefault(cells[0], {})[cells[2]] = grade

    def _take_record(self, at: int, kind: str, fields: Fields) -> None:
        if not kind:
            there = ", ".join(quoted(name, 30) for name in list(fields.values)[:8])
            fields.wrong("", f"only {there}" if there else "no such object", ACCEPTED)
            return
        before = self.report.total
        about, id_name, text_name = _about(kind, fields)
        id = about.identifier(id_name, required=True)
        text = about.text(text_name, required=True, blank=False)
        if id is None or (
            kind in self._once and not self._once[kind].takes(id, at, fields, id_name)
        ):
            return
        topic = self.topics.setdefault(id, _Topic())
        topic.text = topic.text or text or ""
        match kind:
            case "candidates":
                _take_candidates(topic, fields)
            case "assignments":
                _take_assignment(topic, fields)
            case "answers":
                _take_answer(topic, fields)
            case _:
                for _ in _nuggets(topic, fields):
                    pass
        topic.broken |= self.report.total > before

    def questions(self, file: str) -> Iterator[QuestionRecord]:
        with_pool = {id: one for id, one in self.topics.items() if one.pool is not None}
        if not with_pool and not self.report.total:
            self.report.add(Problem(file=file, found=NO_POOL, accepted=ACCEPTED))
        left_out = len(self.topics) - len(with_pool)
        if with_pool and left_out:
            self.report.warn(f"{left_out:,} questions have nuggets, but no passages: left out.")
        for id, topic in with_pool.items():
            if not topic.broken and topic.text:
                yield self._question(id, topic)

    def _question(self, id: str, topic: _Topic) -> QuestionRecord:
        facts = {
            text: Fact(id=f"nugget-{at}", text=text, weight=self._weight(importance))
            for at, (text, importance) in enumerate(topic.nuggets.items(), start=1)
        }
        pool = topic.pool or {}
        if facts and not topic.judged:
            self.report.warn("Nuggets were not assigned to passages of a question: gold is n/a.")
        if any(not passage.text for passage in pool.values()):
            self.report.warn("A passage is known by its id alone, so its tokens are not known.")
        if not pool:
            self.report.warn("A question has no passages.")
        grades = self.grades.get(id, {})
        return QuestionRecord(
            id=id,
            question=topic.text,
            passages=tuple(
                PassageRecord(
                    id=name,
                    text=passage.text,
                    score=passage.score,
                    supports=self._supports(topic.judged.get(name), facts),
                    metadata={"grade": grades[name]} if name in grades else {},
                )
                for name, passage in pool.items()
            ),
            facts=tuple(facts.values()),
            arms=tuple(topic.arms.values()),
        )

    def _weight(self, importance: object) -> float:
        if isinstance(importance, str) and importance in WEIGHTS:
            return WEIGHTS[importance]
        said = f"A nugget is rated neither vital nor okay, but {_word(importance)}: it weighs 0."
        self.report.warn(said)
        return 0.0

    def _supports(
        self, labels: Mapping[str, Any] | None, facts: Mapping[str, Fact]
    ) -> tuple[Support, ...] | None:
        if labels is None:
            return None
        found = []
        for text, label in labels.items():
            if label not in DEGREES:
                said = "A nugget has an assignment that is none of the three, taken for unknown"
                self.report.warn(f"{said}: {_word(label)}.")
                continue
            degree = DEGREES[label]
            if degree is not None:
                found.append(Support(fact=facts[text].id, degree=degree))
        return tuple(found)


def _word(value: object) -> str:
    return quoted(value, 40) if isinstance(value, str) else shown(value)


def _about(kind: str, fields: Fields) -> tuple[Fields, str, str]:
    """Where a record names its question: the object, and the names of id and text."""
    query = fields.values.get("query")
    if kind == "candidates" and isinstance(query, dict):
        return fields.inner("query", query), "qid", "text"
    if kind == "answers":
        inner = fields.values.get("metadata")
        if isinstance(inner, dict) and "narrative_id" in inner:
            return fields.inner("metadata", inner), "narrative_id", "narrative"
        return fields, "topic_id", "topic"
    return fields, "qid", "text" if kind == "assignments" and "text" in fields.values else "query"


def _nuggets(topic: _Topic, fields: Fields) -> Iterator[tuple[str, Fields]]:
    """Text and fields of each nugget; the same text twice in one record is one nugget."""
    seen: set[str] = set()
    for inner in fields.objects("nuggets", required=True):
        text = inner.text("text", required=True, blank=False)
        if text is None:
            continue
        if text in seen:
            fields.warn("A nugget stands twice in one list: it counts once.")
            continue
        seen.add(text)
        topic.nuggets.setdefault(text, inner.values.get("importance"))
        yield text, inner


def _take_candidates(topic: _Topic, fields: Fields) -> None:
    pool = topic.pools.setdefault("candidates", {})
    for at, value in enumerate(fields.items("candidates") or ()):
        made = f"rank-{at + 1}"
        row = value if isinstance(value, dict) else {"text": value}
        inner = fields.inner(f"candidates[{at}]", row)
        doc = row.get("doc")
        held = inner.inner("doc", doc) if isinstance(doc, dict) else inner
        name = next((name for name in ("segment", "contents", "text") if held.has(name)), "segment")
        id = inner.identifier("docid") or made
        _put(pool, inner, id, held.text(name, required=True) or "", inner.number("score"))


def _take_assignment(topic: _Topic, fields: Fields) -> None:
    id = fields.identifier("docid", required=True) or ""
    text = fields.text("candidate_text", required=True) or ""
    _put(topic.pools.setdefault("assignments", {}), fields, id, text, None)
    labels = {nugget: inner.values.get("assignment") for nugget, inner in _nuggets(topic, fields)}
    topic.judged[id] = {
        text: label if isinstance(label, str) else "" for text, label in labels.items()
    }


def _take_answer(topic: _Topic, fields: Fields) -> None:
    references = fields.identifiers("references") or ()
    about = fields.values.get("metadata")
    named = fields.inner("metadata", about) if isinstance(about, dict) else fields
    run = named.identifier("run_id" if named.has("run_id") else "team_id") or "answer"
    texts = [inner.text("text") or "" for inner in fields.objects("answer")]
    if run in topic.arms:
        fields.wrong("run_id", f"{quoted(run)} again", "each run once a question")
    topic.arms[run] = ArmOutcome(name=run, answer=" ".join(texts) or None, sent=references)
    pool = topic.pools.setdefault("answers", {})
    for reference in references:
        pool.setdefault(reference, PassageRecord(id=reference, text=""))


def _put(
    pool: dict[str, PassageRecord], fields: Fields, id: str, text: str, score: float | None
) -> None:
    if id in pool:
        fields.wrong("docid", f"{quoted(id)} again", "each passage once a question")
    pool[id] = PassageRecord(id=id, text=text, score=score)
