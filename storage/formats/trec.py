"""TREC: a run, and where there are any, judgments, topics and texts; all files are one import.

Layouts: trec_eval (run, qrels) and ndeval (qrels with a subtopic in the second column).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from storage.formats import Format, Peek, register_format
from storage.formats._columns import write_run
from storage.formats._fields import quoted
from storage.formats._files import name_of
from storage.formats._grouped import OneFile
from storage.formats._peek import peek
from storage.formats._trec import Document, Topic, documents, explain, number_or_text, rows, topics
from storage.records import Claim, Fact, PassageRecord, QuestionRecord, Support
from storage.report import Problem, Report

RUN = ("topic", "Q0", "document", "rank", "score", "tag")
QRELS = ("topic", "iteration", "document", "relevance")
RUN_LINE = "six columns: topic, Q0, document, rank, score, tag,"
QRELS_LINE = "four columns: topic, iteration or subtopic, document, relevance,"
ACCEPTED = "a run (six columns), qrels (four), topics as XML or texts as JSON lines"

EXAMPLE = {
    "run.txt": """\
51 Q0 en0001-09 9 -4.55 indri
51 Q0 en0002-11 10 -4.56 indri
52 Q0 en0003-07 1 -3.20 indri
""",
    "qrels.txt": """\
51 1 en0001-09 1
51 2 en0002-11 1
52 1 en0003-07 1
""",
    "topics.xml": """\
<webtrack><topic number="51"><query>refund window</query>
<subtopic number="1">How long is the window?</subtopic>
<subtopic number="2">How long does shipping take?</subtopic></topic>
<topic number="52"><query>lamps</query><subtopic number="1">What do they give?</subtopic></topic>
</webtrack>
""",
    "texts.jsonl": """\
{"docid": "en0001-09", "text": "Refunds within 30 days."}
{"docid": "en0002-11", "text": "Shipping takes 5 days."}
{"docid": "en0003-07", "text": "Lamps give light."}
""",
}


@register_format(
    "trec",
    title="TREC run",
    suffixes=(".txt", ".run", ".qrels", ".xml", ".jsonl"),
    ranked=True,
    help="A run; with it, in the same import, qrels, subtopic qrels, topics as XML, and texts.",
    example=EXAMPLE,
)
class Trec(Format):
    """Candidates are sorted as trec_eval does it: by score, ties by the document's name, backwards.

    subtopics: whether column 2 of the qrels is a subtopic, as a person says. None: it is one where
    the topics file has subtopics and the column varies; that it varies proves nothing.
    Subtopics are facts, relevant documents support them, documents that nobody judged stay
    unjudged. Where an import has no texts, tokens are not known, and the subtopics that a document
    is judged for stand in as its claims.
    """

    def __init__(self, *, subtopics: bool | None = None) -> None:
        self.subtopics = subtopics

    def recognises(self, peek: Peek) -> int:
        return {"": 0, "texts": 2 * _has_texts(peek)}.get(_kind(peek), 2)

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        parts = _Parts(report)
        kinds = [(at, path, peek(path)) for at, path in enumerate(paths)]
        # Texts come last: only those of documents in the run are kept.
        for at, path, seen in sorted(kinds, key=lambda one: _kind(one[2]) == "texts"):
            parts.take(at, path, seen)
        if not parts.run and not report.total:
            found = "no run, so there are no candidates to select from"
            report.add(Problem(file=name_of(paths[0]), found=found, accepted=ACCEPTED))
        yield from parts.questions(self._column_2(parts))

    def write(self, records: Iterable[QuestionRecord], stream: TextIO) -> None:
        write_run(records, stream)

    def _column_2(self, parts: _Parts) -> bool:
        """Whether column 2 is a subtopic; what was made of it is said."""
        values = {name for judged in parts.qrels.values() for _, name in judged}
        if self.subtopics is not None or len(values) < 2:
            return bool(self.subtopics)
        if any(topic.subtopics for topic in parts.topics.values()):
            parts.report.guess(
                "Column 2 of the qrels is a subtopic: the topics file has subtopics."
            )
            return True
        parts.report.guess(
            f"Column 2 of the qrels has {len(values)} values and is not taken for a subtopic, "
            "because no topics file with subtopics is in the import."
        )
        return False


def _kind(peek: Peek) -> str:
    if peek.record:
        return "texts"
    if peek.first_line.lstrip().startswith("<"):
        return "topics" if "<topic" in peek.start else ""
    cells = [number_or_text(cell) for cell in peek.first_line.split()]
    if len(cells) == len(RUN) and all(isinstance(cell, float) for cell in cells[3:5]):
        return "run"
    return "qrels" if len(cells) == len(QRELS) and isinstance(cells[3], float) else ""


def _has_texts(peek: Peek) -> bool:
    named = "docid" in peek.keys and peek.keys & {"segment", "contents", "text"}
    return bool(named and "nuggets" not in peek.keys) or {"id", "contents"} <= peek.keys


@dataclass(frozen=True, slots=True)
class _Line:
    document: str
    rank: int
    score: float
    tag: str


@dataclass(slots=True)
class _Topic:
    """What a run has for one topic. broken: one of its lines has a problem."""

    lines: dict[str, _Line] = field(default_factory=dict)
    broken: bool = False


class _Parts:
    """What the files of an import hold. qrels: topic -> (document, column 2) -> relevance."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.run: dict[str, _Topic] = {}
        self.qrels: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
        self.topics: dict[str, Topic] = {}
        self.texts: dict[str, Document] = {}
        self._once = OneFile()

    def take(self, at: int, path: Path, seen: Peek) -> None:
        match _kind(seen):
            case "run":
                self._take_run(at, path)
            case "qrels":
                self._take_qrels(path)
            case "topics":
                self.topics |= topics(path, self.report)
            case "texts":
                needed = {name for topic in self.run.values() for name in topic.lines}
                self.texts |= documents(path, self.report, needed)
            case _:
                explain(path, self.report, ACCEPTED, seen.first_line)

    def _take_run(self, at: int, path: Path) -> None:
        for fields, cells in rows(path, self.report, RUN, RUN_LINE):
            before = self.report.total
            fields.values = {**fields.values, "rank": number_or_text(cells[3])}
            fields.values["score"] = number_or_text(cells[4])
            topic, document = fields.identifier("topic"), fields.identifier("document")
            rank, score = fields.whole("rank"), fields.number("score")
            if topic is None or not self._once.takes(topic, at, fields, "topic"):
                continue
            known = self.run.setdefault(topic, _Topic())
            if document in known.lines:
                fields.wrong("document", f"{quoted(document)} again", "each document once a topic")
            elif document is not None and rank is not None and score is not None:
                known.lines[document] = _Line(document, rank, score, cells[5])
            known.broken |= self.report.total > before

    def _take_qrels(self, path: Path) -> None:
        for fields, cells in rows(path, self.report, QRELS, QRELS_LINE):
            fields.values = {**fields.values, "relevance": number_or_text(cells[3])}
            topic, document = fields.identifier("topic"), fields.identifier("document")
            relevance = fields.number("relevance")
            if topic is None or document is None or relevance is None:
                continue
            said = self.qrels[topic].setdefault((document, cells[1]), relevance)
            if said != relevance:
                fields.wrong("relevance", f"{relevance:g}, and {said:g} before", "one judgment")

    def questions(self, subtopics: bool) -> Iterator[QuestionRecord]:
        missing = 0
        for id, topic in self.run.items():
            if topic.broken:
                continue
            record = self._question(id, topic, subtopics)
            missing += sum(not passage.text for passage in record.passages)
            yield record
        if missing:
            self.report.warn(
                f"{missing:,} candidates have no text, so their tokens are not known and nothing "
                "can be computed from them."
            )

    def _question(self, id: str, topic: _Topic, subtopics: bool) -> QuestionRecord:
        told = self.topics.get(id)
        if told is None:
            self.report.warn("A topic is not in a topics file; its number stands for the question.")
        ordered = sorted(topic.lines.values(), key=lambda line: line.document, reverse=True)
        ordered.sort(key=lambda line: -line.score)
        self._check_ranks(id, ordered)
        gold = _gold(self.qrels.get(id, {}), told, subtopics)
        if not gold.judged:
            self.report.warn(f"A topic has no judgments, so gold is n/a: {quoted(id)}.")
        without_texts = not any(line.document in self.texts for line in ordered)
        passages = tuple(
            self._passage(line, gold, claims=without_texts and bool(gold.facts) and gold.judged)
            for line in ordered
        )
        metadata = dict(told.rest) if told else {}
        unlinked = ", ".join(gold.without_documents)
        return QuestionRecord(
            id=id,
            question=told.text if told else f"Topic {id}",
            passages=passages,
            facts=gold.facts,
            answer_bearing=gold.bearing(line.document for line in ordered),
            metadata=metadata | ({"subtopics without a document": unlinked} if unlinked else {}),
        )

    def _passage(self, line: _Line, gold: _Gold, *, claims: bool) -> PassageRecord:
        text = self.texts.get(line.document)
        supports = gold.supports(line.document)
        return PassageRecord(
            id=line.document,
            text=text.text if text else "",
            score=line.score,
            claims=tuple(Claim(key=one.fact) for one in supports or ()) if claims else None,
            supports=supports,
            metadata={**(text.metadata if text else {}), "rank": line.rank, "run": line.tag},
        )

    def _check_ranks(self, id: str, ordered: Sequence[_Line]) -> None:
        ranks, first = [line.rank for line in ordered], f"first in topic {id}"
        by_rank = sorted(ranks)
        if by_rank != [line.rank for line in sorted(ordered, key=lambda o: (-o.score, o.rank))]:
            said = "The ranks of a topic disagree with its scores; scores count, as in trec_eval."
            self.report.warn(said, first=first)
        elif ranks != by_rank:
            said = (
                "Documents with the same score are ordered by name, as in trec_eval, not by rank."
            )
            self.report.warn(said, first=first)
        if by_rank not in ([*range(len(ranks))], [*range(1, len(ranks) + 1)]):
            said = "The ranks of a topic have holes: documents were removed after the search."
            self.report.warn(said, first=first)


@dataclass(frozen=True, slots=True)
class _Gold:
    """relevant: document -> subtopics it is relevant for; a document that is no key is unjudged."""

    facts: tuple[Fact, ...]
    relevant: Mapping[str, Sequence[str]]
    judged: bool
    without_documents: tuple[str, ...] = ()

    def supports(self, document: str) -> tuple[Support, ...] | None:
        if not self.facts or document not in self.relevant:
            return None
        return tuple(Support(fact=name) for name in self.relevant[document])

    def bearing(self, documents: Iterator[str]) -> tuple[str, ...] | None:
        return tuple(d for d in documents if self.relevant.get(d)) if self.judged else None


def _gold(qrels: Mapping[tuple[str, str], float], topic: Topic | None, subtopics: bool) -> _Gold:
    relevant: dict[str, list[str]] = {}
    for (document, name), relevance in qrels.items():
        found = relevant.setdefault(document, [])
        if relevance > 0:
            found.append(name)
    if not subtopics:
        return _Gold((), relevant, bool(qrels))
    texts = dict(topic.subtopics) if topic else {}
    linked = dict.fromkeys(name for names in relevant.values() for name in names)
    # As ndeval has it: what no document is relevant for cannot be found and does not count.
    counted = [name for name in texts if name in linked or not qrels]
    counted += [name for name in linked if name not in texts]
    return _Gold(
        facts=tuple(Fact(id=name, text=texts.get(name, f"Subtopic {name}")) for name in counted),
        relevant=relevant,
        judged=bool(qrels),
        without_documents=tuple(name for name in texts if name not in counted),
    )
