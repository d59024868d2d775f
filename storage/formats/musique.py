"""MuSiQue as it is published: twenty paragraphs a question, one fact a hop.

Trivedi, Balasubramanian, Khot and Sabharwal, "MuSiQue: Multihop Questions via Single-hop Question
Composition", TACL 2022.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from storage.formats import Format, Peek, register_format
from storage.formats._fields import Fields, quoted
from storage.formats._records import read_records
from storage.records import Fact, PassageRecord, QuestionRecord, Support
from storage.report import Report

QUESTION = frozenset(("id", "question", "paragraphs", "question_decomposition", "metadata"))
PARAGRAPH = frozenset(("idx", "paragraph_text", "metadata"))

EXAMPLE = """\
{"id": "2hop__1_2", "question": "How long is the refund window of the shop that sells lamps?", \
"paragraphs": [{"idx": 0, "title": "Lamps", "paragraph_text": "Lamps are sold by Northlight.", \
"is_supporting": true}, {"idx": 1, "title": "Northlight", "paragraph_text": "Refunds within 30 \
days.", "is_supporting": true}, {"idx": 2, "title": "Lamps", "paragraph_text": "Lamps give light.",\
 "is_supporting": false}], "question_decomposition": [{"id": 1, "question": "Who sells lamps?", \
"answer": "Northlight", "paragraph_support_idx": 0}, {"id": 2, "question": "How long is the refund \
window of #1?", "answer": "30 days", "paragraph_support_idx": 1}], "answer": "30 days", \
"answer_aliases": [], "answerable": true}
"""


@register_format(
    "musique",
    title="MuSiQue",
    suffixes=(".jsonl", ".json"),
    ranked=False,
    help="The published multi-hop questions, as JSON lines or a list; paragraphs are shuffled.",
    example={"musique.jsonl": EXAMPLE},
)
class Musique(Format):
    """A passage's id is its idx, because titles repeat. Each hop is a fact in its paragraph."""

    def recognises(self, peek: Peek) -> int:
        if not {"question", "paragraphs"} <= peek.keys:
            return 0
        return 2 + ("question_decomposition" in peek.keys)

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        return read_records(paths, report, _question)


def _question(fields: Fields) -> QuestionRecord | None:
    question = fields.text("question", required=True, blank=False)
    paragraphs = tuple(fields.objects("paragraphs", required=True))
    ids = tuple(inner.identifier("idx", required=True) or "" for inner in paragraphs)
    _report_repeats(paragraphs, ids)
    judged = fields.has("question_decomposition")
    facts, places = _hops(fields, set(ids))
    if "answer" in fields.values:
        fields.text("answer")
    record = QuestionRecord(
        id=fields.identifier("id") or "",
        question=question or "",
        passages=tuple(
            PassageRecord(
                id=id,
                text=inner.text("paragraph_text", required=True) or "",
                supports=tuple(places.get(id, ())) if judged else None,
                metadata=inner.metadata(PARAGRAPH),
            )
            for inner, id in zip(paragraphs, ids, strict=True)
        ),
        facts=facts,
        answer_bearing=_supporting(paragraphs, ids),
        metadata=fields.metadata(QUESTION),
    )
    return None if question is None else record


def _report_repeats(paragraphs: Sequence[Fields], ids: Sequence[str]) -> None:
    seen: set[str] = set()
    for inner, id in zip(paragraphs, ids, strict=True):
        if id and id in seen:
            found = f"{quoted(id)}, which an earlier paragraph has as well"
            inner.wrong("idx", found, "an idx that no other paragraph here has")
        seen.add(id)


def _hops(fields: Fields, ids: set[str]) -> tuple[tuple[Fact, ...], dict[str, list[Support]]]:
    """One fact a hop, and the supports of each paragraph; a hop may name no paragraph."""
    facts: list[Fact] = []
    places: dict[str, list[Support]] = {}
    for number, inner in enumerate(fields.objects("question_decomposition"), start=1):
        asked = inner.text("question", required=True) or ""
        answer = inner.text("answer") or ""
        fact = Fact(id=f"hop-{number}", text=f"{asked} → {answer}" if answer else asked)
        facts.append(fact)
        at = inner.identifier("paragraph_support_idx")
        if at is not None and at not in ids:
            inner.wrong("paragraph_support_idx", quoted(at), "the idx of one of the paragraphs")
        elif at is not None:
            places.setdefault(at, []).append(Support(fact=fact.id))
    return tuple(facts), places


def _supporting(paragraphs: Sequence[Fields], ids: Sequence[str]) -> tuple[str, ...] | None:
    """Paragraphs marked as supporting; None where no paragraph says so (the test questions)."""
    flags = [inner.flag("is_supporting") for inner in paragraphs]
    if all(flag is None for flag in flags):
        return None
    return tuple(id for id, flag in zip(ids, flags, strict=True) if flag)
