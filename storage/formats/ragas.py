"""Ragas: single-turn samples of an evaluation set, by the names of today and of before.

Field names: explodinggradients/ragas, src/ragas/dataset_schema.py (SingleTurnSample).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from storage.formats import Format, Peek, register_format
from storage.formats._contexts import (
    Gold,
    first_of,
    gold_by_id,
    gold_by_text,
    list_of_texts,
    no_gold,
    passage_ids,
    passages,
)
from storage.formats._fields import Fields
from storage.formats._parquet import values_of
from storage.formats._ragas_rows import sample
from storage.formats._records import read_records
from storage.records import ArmOutcome, QuestionRecord
from storage.report import Report

QUESTION = ("user_input", "question")
CONTEXTS = ("retrieved_contexts", "contexts", "retrived_contexts")
RESPONSE = ("response", "answer")
REFERENCE = ("reference", "ground_truth", "ground_truths")
IDS, NEEDED, NEEDED_IDS = "retrieved_context_ids", "reference_contexts", "reference_context_ids"
KNOWN = frozenset(
    (*QUESTION, *CONTEXTS, *RESPONSE, *REFERENCE, IDS, NEEDED, NEEDED_IDS, "id", "metadata")
)

EXAMPLE = """\
{"id": "s1", "user_input": "How long is the refund window?", "retrieved_contexts": \
["Refunds within 30 days.", "Shipping takes 5 days."], "retrieved_context_ids": ["d1", "d2"], \
"reference_context_ids": ["d1"], "response": "30 days.", "reference": "30 days"}
{"id": "s2", "user_input": "How long does shipping take?", \
"retrieved_contexts": ["Shipping takes 5 days."], \
"reference_contexts": ["Shipping takes 5 days."], "reference": "5 days"}
"""


@register_format(
    "ragas",
    title="Ragas",
    suffixes=(".jsonl", ".json", ".parquet"),
    ranked=True,
    help="Evaluation samples: a question with its retrieved contexts, and reference contexts.",
    example={"ragas.jsonl": EXAMPLE},
)
class Ragas(Format):
    """Each reference context is a fact, in the retrieved context with its id, else its text.

    The response is kept as an arm that was sent all retrieved contexts, in their order.
    """

    def recognises(self, peek: Peek) -> int:
        if not (peek.keys & set(QUESTION) and peek.keys & set(CONTEXTS)):
            return 0
        return 2 + len(peek.keys & {*RESPONSE, *REFERENCE, IDS, NEEDED, NEEDED_IDS})

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        return read_records(paths, report, _question, values=values_of)

    def write(self, records: Iterable[QuestionRecord], stream: TextIO) -> None:
        for record in records:
            line = json.dumps(sample(record), ensure_ascii=False, allow_nan=False)
            stream.write(line + "\n")


def _question(fields: Fields) -> QuestionRecord | None:
    question = fields.text(first_of(fields, QUESTION), required=True, blank=False)
    texts = list_of_texts(fields, first_of(fields, CONTEXTS), required=True)
    ids = passage_ids(fields, IDS, len(texts))
    response = fields.text(first_of(fields, RESPONSE))
    gold = _gold(fields, ids, texts)
    metadata: dict[str, Any] = fields.metadata(KNOWN)
    references = list_of_texts(fields, first_of(fields, REFERENCE))
    if references:
        metadata["answer"] = references[0] if len(references) == 1 else list(references)
    if question is None:
        return None
    return QuestionRecord(
        id=fields.identifier("id") or "",
        question=question,
        passages=passages(ids, texts, gold.supports),
        facts=gold.facts,
        answer_bearing=gold.bearing,
        arms=(ArmOutcome(name="response", answer=response, sent=ids),) if response else (),
        metadata=metadata,
    )


def _gold(fields: Fields, ids: Sequence[str], texts: Sequence[str]) -> Gold:
    needed = list_of_texts(fields, NEEDED)
    named = fields.identifiers(NEEDED_IDS)
    if named is not None and fields.has(IDS):
        return gold_by_id(fields, ids, named, needed)
    if fields.has(NEEDED) and len(ids) == len(texts):
        return gold_by_text(fields, ids, texts, needed)
    return no_gold(len(texts))
