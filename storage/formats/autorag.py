"""AutoRAG: what a retrieval node found, with the questions and the corpus it was made from.

Field names: Marker-Inc-Korea/AutoRAG, docs/source/data_creation (qa, corpus) and the results of a
retrieval node (retrieved_ids, retrieved_contents, retrieve_scores).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from storage.formats import Format, Peek, register_format
from storage.formats._contexts import list_of_texts, passage_ids
from storage.formats._fields import Fields, quoted, shown
from storage.formats._files import name_of
from storage.formats._grouped import OneFile
from storage.formats._parquet import values_of
from storage.formats._peek import peek
from storage.records import Fact, PassageRecord, QuestionRecord, Support
from storage.report import Problem, Report

IDS, CONTENTS, SCORES = "retrieved_ids", "retrieved_contents", "retrieve_scores"
GOLD, ANSWERS = "retrieval_gt", "generation_gt"
KNOWN = frozenset(("qid", "query", GOLD, ANSWERS, IDS, CONTENTS, SCORES, "metadata"))
ACCEPTED = (
    "results of a retrieval node ('qid' or 'query', 'retrieved_ids'), with qa ('qid', 'query', "
    "'retrieval_gt') and corpus ('doc_id', 'contents') where they are apart,"
)
NEED = "a list of lists of ids: all of the outer ones are needed, one of the inner ones will do,"

EXAMPLE = {
    "results.jsonl": """\
{"qid": "q1", "retrieved_ids": ["d1", "d2"], "retrieve_scores": [0.9, 0.4]}
{"qid": "q2", "retrieved_ids": ["d2"], "retrieve_scores": [0.7]}
""",
    "qa.jsonl": """\
{"qid": "q1", "query": "How long is the refund window?", "retrieval_gt": [["d1", "d7"], ["d2"]], \
"generation_gt": ["30 days"]}
{"qid": "q2", "query": "How long does shipping take?", "retrieval_gt": [["d2"]], \
"generation_gt": ["5 days"]}
""",
    "corpus.jsonl": """\
{"doc_id": "d1", "contents": "Refunds within 30 days.", "metadata": {"path": "refunds.md"}}
{"doc_id": "d2", "contents": "Shipping takes 5 days."}
""",
}


@register_format(
    "autorag",
    title="AutoRAG",
    suffixes=(".parquet", ".jsonl"),
    ranked=True,
    help="Results of a retrieval node, with qa and corpus in the same import where they are apart.",
    example=EXAMPLE,
)
class AutoRag(Format):
    """Each outer list of retrieval_gt is a fact; any passage of its inner list supports it."""

    def recognises(self, peek: Peek) -> int:
        return {"results": 4, "qa": 3, "corpus": 2, "": 0}[_kind(peek)]

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        parts = _Parts(report)
        kinds = [(at, path, _kind(peek(path))) for at, path in enumerate(paths)]
        for at, path, kind in kinds:
            if kind != "corpus":
                parts.take(at, path)
        for _, path, kind in kinds:
            if kind == "corpus":
                parts.take_corpus(path)
        if not parts.results and not report.total:
            found = "no retrieved_ids, so there are no candidates to select from"
            report.add(Problem(file=name_of(paths[0]), found=found, accepted=ACCEPTED))
        yield from parts.questions()


def _kind(peek: Peek) -> str:
    if IDS in peek.keys:
        return "results"
    if GOLD in peek.keys:
        return "qa"
    return "corpus" if {"doc_id", "contents"} <= peek.keys else ""


@dataclass(frozen=True, slots=True)
class _Document:
    text: str
    metadata: Mapping[str, Any]


class _Parts:
    """What the files of an import hold: results and qa by question, texts by document."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.results: dict[str, Fields] = {}
        self.qa: dict[str, Fields] = {}
        self.texts: dict[str, _Document] = {}
        self._once = OneFile()

    def take(self, at: int, path: Path) -> None:
        """Take results and qa; a results table without qid is apart from neither."""
        for place, value in values_of(path, self.report):
            before = self.report.total
            fields = Fields(value if isinstance(value, dict) else {}, place, self.report)
            if IDS not in fields.values and GOLD not in fields.values:
                there = ", ".join(quoted(name, 30) for name in list(fields.values)[:8])
                fields.wrong("", f"only {there}" if there else shown(value), ACCEPTED)
                continue
            id = fields.identifier("qid", required=True)
            if id is not None and IDS in fields.values:
                self._take_result(at, id, fields)
            elif id is not None:
                known = self.qa.setdefault(id, fields)
                if known.values != fields.values:
                    fields.wrong("qid", f"{quoted(id)} again", "each question once")
            self.report.rows_usable += self.report.total == before

    def _take_result(self, at: int, id: str, fields: Fields) -> None:
        if not self._once.takes(id, at, fields, "qid"):
            return
        if id in self.results:
            fields.wrong("qid", f"{quoted(id)} again", "each question once")
        self.results.setdefault(id, fields)

    def take_corpus(self, path: Path) -> None:
        """Keep the texts of those documents that were retrieved."""
        retrieved = {
            str(id) for fields in self.results.values() for id in _listed(fields.values.get(IDS))
        }
        for place, value in values_of(path, self.report):
            before = self.report.total
            fields = Fields(value if isinstance(value, dict) else {}, place, self.report)
            id = fields.identifier("doc_id", required=True)
            text = fields.text("contents", required=True)
            if id in retrieved and id is not None and text is not None:
                kept = fields.metadata(frozenset(("doc_id", "contents", "metadata")))
                if self.texts.setdefault(id, _Document(text, kept)).text != text:
                    fields.wrong("doc_id", f"{quoted(id)} again, with another text", "each id once")
            self.report.rows_usable += self.report.total == before

    def questions(self) -> Iterator[QuestionRecord]:
        missing = 0
        for id, fields in self.results.items():
            before = self.report.total
            record = self._question(id, fields)
            if record is not None and self.report.total == before:
                missing += sum(not passage.text for passage in record.passages)
                yield record
        if missing:
            self.report.warn(f"{missing:,} retrieved passages have no text in any of the files.")

    def _question(self, id: str, fields: Fields) -> QuestionRecord | None:
        asked = fields if fields.has("query") else self.qa.get(id, fields)
        question = asked.text("query", required=True, blank=False)
        judged = fields if fields.has(GOLD) else self.qa.get(id, fields)
        ids = passage_ids(fields, IDS, len(_listed(fields.values.get(IDS))))
        needs = list(_needs(judged)) if judged.has(GOLD) else None
        texts, scores = _texts(fields, ids), _scores(fields, len(ids))
        answers = list_of_texts(judged if judged.has(ANSWERS) else asked, ANSWERS)
        metadata = fields.metadata(KNOWN)
        if question is None:
            return None
        passages = tuple(
            PassageRecord(
                id=one,
                text=text if text is not None else known.text,
                score=score,
                supports=_supports(one, needs),
                metadata=known.metadata,
            )
            for one, text, score in zip(ids, texts, scores, strict=False)
            for known in (self.texts.get(one, _Document("", {})),)
        )
        return QuestionRecord(
            id=id,
            question=question,
            passages=passages,
            facts=tuple(
                Fact(id=f"need-{at}", text=" or ".join(need))
                for at, need in enumerate(needs or (), start=1)
            ),
            answer_bearing=None if needs is None else tuple(p.id for p in passages if p.supports),
            metadata=metadata | ({"answer": " / ".join(answers)} if answers else {}),
        )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _texts(fields: Fields, ids: Sequence[str]) -> Sequence[str | None]:
    if not fields.has(CONTENTS):
        return (None,) * len(ids)
    texts = list_of_texts(fields, CONTENTS)
    if len(texts) != len(ids):
        fields.wrong(CONTENTS, f"{len(texts)} texts for {len(ids)} ids", "a text for each id")
    return texts


def _scores(fields: Fields, count: int) -> Sequence[float | None]:
    scores = fields.items(SCORES)
    if scores is None:
        return (None,) * count
    if len(scores) != count:
        fields.wrong(SCORES, f"{len(scores)} scores for {count} ids", "a score for each id")
    return [
        Fields({f"{SCORES}[{at}]": one}, fields.place, fields.report).number(f"{SCORES}[{at}]")
        for at, one in enumerate(scores)
    ]


def _needs(fields: Fields) -> Iterator[tuple[str, ...]]:
    """Alternatives of each need; a flat list of ids is one need, as AutoRAG itself reads it."""
    given = fields.values.get(GOLD)
    flat = not isinstance(given, list) or (bool(given) and not isinstance(given[0], list))
    for at, inner in enumerate([given] if flat else _listed(given)):
        name = GOLD if flat else f"{GOLD}[{at}]"
        alternatives = [inner] if isinstance(inner, str) else inner
        held = Fields({name: alternatives}, fields.place, fields.report).identifiers(name)
        if held:
            yield tuple(dict.fromkeys(held))
        elif alternatives == []:
            fields.wrong(name, "an empty list", NEED)


def _supports(id: str, needs: Sequence[Sequence[str]] | None) -> tuple[Support, ...] | None:
    if needs is None:
        return None
    found = (f"need-{at}" for at, need in enumerate(needs, start=1) if id in need)
    return tuple(Support(fact=name) for name in found)
