"""Questions with positives, negatives and a teacher's scores, as rerankers are trained on.

Field names: FlagOpen/FlagEmbedding, examples/finetune (pos_scores, neg_scores) and
research/llm_embedder (teacher_scores, of which the first belong to the positives).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from storage.formats import Format, Peek, register_format
from storage.formats._contexts import list_of_texts
from storage.formats._fields import Fields, quoted
from storage.formats._grouped import unique
from storage.formats._parquet import values_of
from storage.formats._records import read_records
from storage.records import PassageRecord, QuestionRecord
from storage.report import Report

LISTS = ("pos", "neg")
TEACHER = "teacher_scores"
KNOWN = frozenset(
    f"query query_id id pos neg pos_scores neg_scores pos_index neg_index {TEACHER} answers "
    "metadata".split()
)

EXAMPLE = """\
{"query": "How long is the refund window?", "query_id": 1, "pos": ["Refunds within 30 days."], \
"neg": ["Shipping takes 5 days.", "Lamps give light."], "pos_scores": [91.2], \
"neg_scores": [84.0, 83.1]}
{"query": "How long does shipping take?", "query_id": 2, "pos": ["Shipping takes 5 days."], \
"neg": ["Refunds within 30 days."], "pos_index": [7], "neg_index": [3], \
"teacher_scores": [-0.5, -4.25]}
"""


@register_format(
    "scored",
    title="Scored candidates",
    suffixes=(".jsonl", ".json", ".parquet"),
    ranked=True,
    help="A question with lists of positive and negative passages, and a score for each.",
    example={"scored.jsonl": EXAMPLE},
)
class Scored(Format):
    """Candidates are positives and negatives together, the highest score first.

    A passage without an id gets one from its text; the same text twice is two candidates. What is
    marked as positive holds the answer, and so does a negative with the same text.
    """

    def recognises(self, peek: Peek) -> int:
        if not {"query", "pos", "neg"} <= peek.keys:
            return 0
        return 3 + len(peek.keys & {"pos_scores", "neg_scores", TEACHER})

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        return read_records(paths, report, _question, id_field="query_id", values=values_of)


@dataclass(frozen=True, slots=True)
class _Candidate:
    listed: str
    text: str
    id: str | None
    score: float | None


def _question(fields: Fields) -> QuestionRecord | None:
    question = fields.text("query", required=True, blank=False)
    texts = {name: list_of_texts(fields, name, required=True) for name in LISTS}
    teacher = _teacher(fields, texts["pos"], texts["neg"])
    found = [one for name in LISTS for one in _listed(fields, name, texts[name], teacher[name])]
    scored = bool(found) and all(one.score is not None for one in found)
    if scored:
        found.sort(key=lambda one: -(one.score or 0.0))
    else:
        fields.warn("A candidate has no score, so the order of the lists says nothing.")
    ids = _ids(fields, found)
    bearing = {one.text for one in found if one.listed == "pos"}
    answers = list_of_texts(fields, "answers")
    record = QuestionRecord(
        id=fields.identifier("query_id" if fields.has("query_id") else "id") or "",
        question=question or "",
        passages=tuple(
            PassageRecord(id=id, text=one.text, score=one.score, metadata={"list": one.listed})
            for id, one in zip(ids, found, strict=True)
        ),
        answer_bearing=tuple(id for id, one in zip(ids, found, strict=True) if one.text in bearing),
        ranked=scored,
        metadata=fields.metadata(KNOWN) | ({"answer": " / ".join(answers)} if answers else {}),
    )
    return None if question is None else record


def _listed(
    fields: Fields, name: str, texts: Sequence[str], teacher: Sequence[float | None]
) -> Iterator[_Candidate]:
    """The candidates of one list, with their ids and scores where the file has them."""
    own, index = f"{name}_scores", f"{name}_index"
    scores = _numbers(fields, own, len(texts)) if fields.has(own) else teacher
    ids: Sequence[str | None] = fields.identifiers(index) or (None,) * len(texts)
    if len(ids) != len(texts):
        fields.wrong(index, f"{len(ids)} ids for {len(texts)} passages", "an id for each passage")
    for text, id, score in zip(texts, ids, scores, strict=False):
        yield _Candidate(name, text, id, score)


def _teacher(
    fields: Fields, positives: Sequence[str], negatives: Sequence[str]
) -> dict[str, Sequence[float | None]]:
    first, all_of_them = len(positives), len(positives) + len(negatives)
    scores = _numbers(fields, TEACHER, all_of_them)
    return {"pos": scores[:first], "neg": scores[first:]}


def _numbers(fields: Fields, name: str, count: int) -> Sequence[float | None]:
    """A list of so many finite numbers, null where one is missing."""
    given = fields.items(name)
    if given is None:
        return (None,) * count
    if len(given) != count:
        fields.wrong(name, f"{len(given)} scores for {count} passages", "a score for each passage")
    return [
        Fields({f"{name}[{at}]": one}, fields.place, fields.report).number(f"{name}[{at}]")
        for at, one in enumerate(given)
    ]


def _ids(fields: Fields, found: Sequence[_Candidate]) -> list[str]:
    """An id for each candidate; a given one may come back only with the same text."""
    made: dict[str, None] = {}
    texts: dict[str, str] = {}
    for one in found:
        id = one.id or "t-" + hashlib.sha256(one.text.encode()).hexdigest()[:12]
        if texts.setdefault(id, one.text) != one.text:
            said = f"{quoted(id)}, which a passage with another text has as well"
            fields.wrong(f"{one.listed}_index", said, "an id for one text only")
        if id in made:
            fields.warn("A passage stands twice among the candidates: both are kept.")
        made[unique(id, made.__contains__)] = None
    return list(made)
