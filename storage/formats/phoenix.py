"""Phoenix and other OpenInference traces: spans of retrievers and rerankers.

Attribute names: Arize-ai/openinference, spec/semantic_conventions.md; `gen_ai.retrieval.documents`:
OpenTelemetry's semantic conventions for generative AI.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from storage.formats import Format, Peek, register_format
from storage.formats._fields import Fields, quoted, shown
from storage.formats._files import name_of
from storage.formats._grouped import OneFile, unique
from storage.formats._json import Place
from storage.formats._parquet import values_of
from storage.formats._peek import peek
from storage.formats._records import QuestionIds
from storage.formats._traces import flat, parsed
from storage.formats._trec import Document, documents
from storage.records import ArmOutcome, PassageRecord, QuestionRecord
from storage.report import Problem, Report

RETRIEVED = ("retrieval.documents", "gen_ai.retrieval.documents")
POOL, SENT = "reranker.input_documents", "reranker.output_documents"
ASKED = ("reranker.query", "input.value", "gen_ai.retrieval.query.text", "gen_ai.input.messages")
TRACE = ("context.trace_id", "trace_id", "traceId", "context.traceId")
WORDS = ("query", "question", "input", "text")
ACCEPTED = (
    "spans as JSON lines or Parquet, with 'retrieval.documents' or 'reranker.input_documents', and "
    "texts of documents where the spans have ids alone"
)
ARM = "reranker"

EXAMPLE = """\
{"name": "retrieve", "context": {"trace_id": "t1", "span_id": "s1"}, "attributes": \
{"openinference.span.kind": "RETRIEVER", "input.value": "How long is the refund window?", \
"retrieval.documents.0.document.id": "d1", \
"retrieval.documents.0.document.content": "Refunds within 30 days.", \
"retrieval.documents.0.document.score": 0.91, "retrieval.documents.1.document.id": "d2", \
"retrieval.documents.1.document.content": "Shipping takes 5 days."}}
{"name": "rerank", "context": {"trace_id": "t1", "span_id": "s2"}, "attributes": \
{"openinference.span.kind": "RERANKER", "reranker.query": "How long is the refund window?", \
"reranker.output_documents": [{"document.id": "d1", "document.score": 0.99}]}}
"""


@register_format(
    "phoenix",
    title="Phoenix (OpenInference)",
    suffixes=(".jsonl", ".json", ".parquet"),
    ranked=True,
    help="Spans of retrievers and rerankers; a reranker's input is the pool, its output was sent.",
    example={"phoenix.jsonl": EXAMPLE},
)
class Phoenix(Format):
    """Spans of one trace with the same question are one question.

    The pool is what a reranker was given, else what a retriever found. What a reranker gave back is
    kept as an arm. Attributes may be flat or nested, or stand in OpenTelemetry's own JSON.
    """

    def recognises(self, peek: Peek) -> int:
        if "resourceSpans" in peek.keys:
            return 4
        spans = _Span(peek.record)
        if any(spans.list_of(name) for name in (*RETRIEVED, POOL, SENT)):
            return 5
        kind = "openinference.span.kind" in spans.attributes
        return 3 if kind or {"context", "attributes"} <= peek.keys else 0

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        parts = _Parts(report)
        texts = [path for path in paths if _has_texts(peek(path))]
        for at, path in enumerate(paths):
            if path not in texts:
                parts.take(at, path)
        for path in texts:
            parts.texts |= documents(path, report, parts.named())
        if not parts.questions and not report.total:
            found = "no span of a retriever or a reranker with documents"
            report.add(Problem(file=name_of(paths[0]), found=found, accepted=ACCEPTED))
        yield from parts.records()


def _has_texts(peek: Peek) -> bool:
    named = peek.keys & {"docid", "doc_id", "document_id", "_id", "id"}
    return bool(named and peek.keys & {"segment", "contents", "text", "content"})


class _Span:
    """A span with its attributes by their flat names, wherever they stand."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.attributes: dict[str, Any] = {}
        for name, value in flat(record):
            self.attributes.setdefault(name.removeprefix("attributes."), parsed(value))
        for name in (*RETRIEVED, POOL, SENT):
            for inner, value in flat(self.attributes.get(name)):
                self.attributes.setdefault(f"{name}.{inner}", value)

    def first(self, names: Sequence[str]) -> str:
        """The first of these attributes that there is; empty where there is none."""
        return next((name for name in names if self.attributes.get(name) is not None), "")

    def list_of(self, prefix: str) -> list[dict[str, Any]]:
        """The documents of a list, in order, each with its names after "document."."""
        members: dict[int, dict[str, Any]] = defaultdict(dict)
        for name, value in self.attributes.items():
            place, _, inner = name.removeprefix(f"{prefix}.").partition(".")
            numbered = place.isascii() and place.isdecimal() and len(place) < 10
            if name.startswith(f"{prefix}.") and numbered and inner:
                members[int(place)][inner.removeprefix("document.")] = value
        return [members[place] for place in sorted(members)]


@dataclass(frozen=True, slots=True)
class _Found:
    """One document as a span has it."""

    id: str | None
    text: str | None
    score: float | None
    metadata: Mapping[str, Any]

    @property
    def key(self) -> str:
        return f"id {self.id}" if self.id is not None else f"text {self.text}"


@dataclass(slots=True)
class _Question:
    """What the spans of a trace say of one question. broken: one of them has a problem."""

    fields: Fields
    trace: str
    text: str
    retrieved: list[_Found] = field(default_factory=list)
    pool: list[_Found] = field(default_factory=list)
    sent: list[_Found] | None = None
    broken: bool = False


class _Parts:
    """The questions of all spans, and the texts of documents that spans know by id alone."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.questions: dict[tuple[str, str], _Question] = {}
        self.texts: dict[str, Document] = {}
        self._once = OneFile()

    def named(self) -> set[str]:
        """The ids of all documents."""
        lists = ((one.retrieved, one.pool, one.sent or ()) for one in self.questions.values())
        return {found.id for found in chain(*chain(*lists)) if found.id is not None}

    def take(self, at: int, path: Path) -> None:
        for place, value in _spans(path, self.report):
            before = self.report.total
            fields = Fields({}, place, self.report)
            if isinstance(value, dict):
                self._take_span(at, _Span(value), fields)
            else:
                fields.wrong("", shown(value), "an object")
            self.report.rows_usable += self.report.total == before

    def _take_span(self, at: int, span: _Span, fields: Fields) -> None:
        lists = {name: span.list_of(name) for name in (*RETRIEVED, POOL, SENT)}
        fields.values = span.attributes
        if not any(lists.values()):
            self._pass_over(span, fields)
            return
        before = self.report.total
        asked = span.first(ASKED) or ASKED[1]
        text = _asked(fields, asked)
        trace = fields.identifier(span.first(TRACE)) or ""
        found = {name: [*_documents(fields, name, of)] for name, of in lists.items() if of}
        if text is None or (trace and not self._once.takes(trace, at, fields, "trace_id")):
            return
        # Spans without a trace belong to nothing but themselves.
        key = (trace or fields.where, text)
        known = self.questions.setdefault(key, _Question(fields, trace, text))
        known.retrieved.extend(chain(*(found.get(name, ()) for name in RETRIEVED)))
        known.pool.extend(found.get(POOL, ()))
        if SENT in found:
            known.sent = [*(known.sent or ()), *found[SENT]]
        known.broken |= self.report.total > before

    def _pass_over(self, span: _Span, fields: Fields) -> None:
        known = span.first((*TRACE, "openinference.span.kind", "span_kind"))
        if not known:
            there = ", ".join(quoted(name, 30) for name in list(span.attributes)[:8])
            fields.wrong("", f"only {there}" if there else "an empty object", ACCEPTED)
        else:
            fields.warn("A span is of no retriever or reranker, or has no documents: passed over.")

    def records(self) -> Iterator[QuestionRecord]:
        ids, missing = QuestionIds(), 0
        for one in self.questions.values():
            if one.broken:
                continue
            record = self._record(one, ids)
            missing += sum(not passage.text for passage in record.passages)
            yield record
        if missing:
            self.report.warn(
                f"{missing:,} candidates have no text, so their tokens are not known and nothing "
                "can be computed from them."
            )

    def _record(self, one: _Question, ids: QuestionIds) -> QuestionRecord:
        pool: dict[str, _Found] = {}
        for found in one.pool or one.retrieved or one.sent or ():
            pool.setdefault(found.key, found)
        names: dict[str, str] = {}
        taken: set[str] = set()
        for at, key in enumerate(pool, start=1):
            names[key] = unique(pool[key].id or f"rank-{at}", taken.__contains__)
            taken.add(names[key])
        scores = {found.key: found.score for found in one.retrieved}
        reranked = {found.key: found.score for found in one.sent or ()}
        if one.sent is None:
            one.fields.warn(
                "No span says what was sent; where all of the pool was, selectors cannot differ."
            )
        sent = tuple(names.get(found.key, _called(found)) for found in one.sent or ())
        return QuestionRecord(
            id=self._id(one, ids),
            question=one.text,
            passages=tuple(
                PassageRecord(
                    id=names[found.key],
                    text=self._text(found),
                    score=found.score if found.score is not None else scores.get(found.key),
                    rerank_score=reranked.get(found.key),
                    metadata=found.metadata,
                )
                for found in pool.values()
            ),
            arms=(ArmOutcome(name=ARM, sent=sent),) if one.sent is not None else (),
        )

    def _text(self, found: _Found) -> str:
        known = self.texts.get(found.id or "")
        return found.text or (known.text if known else "")

    def _id(self, one: _Question, ids: QuestionIds) -> str:
        """The trace's id; its further questions are counted: the second ends in -2."""
        if not one.trace:
            return ids.made(one.text, one.fields.where)
        id, times = one.trace, 1
        while ids.claim(id, one.fields.where) is not None:
            times += 1
            id = f"{one.trace}-{times}"
        return id


def _called(found: _Found) -> str:
    """What to call a document that was sent, but is not in the pool."""
    return found.id or f"not in the pool: {(found.text or '')[:60]}"


def _asked(fields: Fields, name: str) -> str | None:
    """The question of a span; of an object, its likeliest text."""
    value = fields.values.get(name)
    if isinstance(value, dict):
        inner = fields.inner(name, value)
        word = next((word for word in WORDS if isinstance(value.get(word), str)), WORDS[0])
        return inner.text(word, required=True, blank=False)
    return fields.text(name, required=True, blank=False)


def _documents(
    fields: Fields, prefix: str, members: Sequence[Mapping[str, Any]]
) -> Iterator[_Found]:
    for at, member in enumerate(members):
        inner = fields.inner(f"{prefix}.{at}", member)
        id = inner.identifier("id")
        text = inner.text("content" if inner.has("content") else "text")
        score = inner.number("score")
        if id is None and text is None:
            inner.wrong("content", "neither a text nor an id", "a text or an id")
        about = member.get("metadata")
        flat_about = {
            name.removeprefix("metadata."): value
            for name, value in member.items()
            if name.startswith("metadata.")
        }
        metadata = about if isinstance(about, dict) else flat_about
        yield _Found(id, text, score, dict(inner.checked(metadata, "metadata.")))


def _spans(path: Path, report: Report) -> Iterator[tuple[Place, Any]]:
    """Spans, whether they stand alone or in OpenTelemetry's JSON."""
    for place, value in values_of(path, report):
        if not isinstance(value, dict) or "resourceSpans" not in value:
            yield place, value
            continue
        spans = [*_inside(value, ("resourceSpans", "scopeSpans", "spans"))]
        report.rows_read += len(spans) - 1
        if not spans:
            wrong = Problem(
                file=place.file, line=place.line or None, found="no span", accepted=ACCEPTED
            )
            report.add(wrong)
        for span in spans:
            yield place, _of_telemetry(span)


def _inside(value: Any, names: Sequence[str]) -> Iterator[Any]:
    if not names:
        yield value
    elif isinstance(value, dict) and isinstance(value.get(names[0]), list):
        for inner in value[names[0]]:
            yield from _inside(inner, names[1:])


def _of_telemetry(span: Any) -> Any:
    """A span whose attributes are a list of keys and values, with plain attributes."""
    if not isinstance(span, dict) or not isinstance(span.get("attributes"), list):
        return span
    pairs = [one for one in span["attributes"] if isinstance(one, dict)]
    named = {str(one.get("key")): _value(one.get("value")) for one in pairs}
    return {**span, "attributes": named}


def _value(value: Any) -> Any:
    """The value inside {"stringValue": ...} and its like; whole numbers stand there as text."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((kind, inner),) = value.items()
    if kind == "intValue" and isinstance(inner, str) and inner.lstrip("-").isdecimal():
        return float(inner)
    if kind == "arrayValue" and isinstance(inner, dict):
        listed = inner.get("values")
        return [_value(one) for one in listed] if isinstance(listed, list) else []
    return inner
