"""DeepEval: test cases and goldens, in its own names or in those of its web service.

Field names: confident-ai/deepeval, deepeval/test_case (LLMTestCase) and deepeval/dataset.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from storage.formats import Format, Peek, register_format
from storage.formats._contexts import (
    first_of,
    gold_by_text,
    list_of_texts,
    no_gold,
    passage_ids,
    passages,
)
from storage.formats._fields import Fields
from storage.formats._json import Place
from storage.formats._parquet import values_of
from storage.formats._records import read_records
from storage.records import ArmOutcome, QuestionRecord
from storage.report import Problem, Report

CONTEXTS = ("retrieval_context", "retrievalContext")
ACTUAL = ("actual_output", "actualOutput")
EXPECTED = ("expected_output", "expectedOutput")
LISTS = ("test_cases", "testCases", "goldens")
KNOWN = frozenset(("id", "input", "context", *CONTEXTS, *ACTUAL, *EXPECTED, "metadata"))

EXAMPLE = """\
[{"id": "c1", "input": "How long is the refund window?", "actual_output": "30 days", \
"expected_output": "30 days", \
"retrieval_context": ["Refunds within 30 days.", "Shipping takes 5 days."], \
"context": ["Refunds within 30 days."]},
{"id": "c2", "input": "How long does shipping take?", "actual_output": "A week", \
"retrieval_context": ["Shipping takes 5 days."]}]
"""


@register_format(
    "deepeval",
    title="DeepEval",
    suffixes=(".json", ".jsonl"),
    ranked=True,
    help="Test cases: an input with its retrieval context, and the context that should be there.",
    example={"deepeval.json": EXAMPLE},
)
class DeepEval(Format):
    """Each text of `context` is a fact, in the retrieved text that equals it.

    The actual output is kept as an arm that was sent the whole retrieval context. A golden that was
    not run yet has no retrieval context, and is refused.
    """

    def recognises(self, peek: Peek) -> int:
        keys = peek.keys
        for name in LISTS:
            inner = peek.record.get(name)
            if isinstance(inner, list) and inner and isinstance(inner[0], dict):
                keys = frozenset(inner[0])
        if "input" not in keys or not keys & set(CONTEXTS):
            return 0
        return 2 + len(keys & {"context", *ACTUAL, *EXPECTED})

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        return read_records(paths, report, _question, values=_cases)


def _cases(path: Path, report: Report) -> Iterator[tuple[Place, Any]]:
    """Test cases, whether they stand alone or in the lists of a stored data set or run."""
    for place, value in values_of(path, report):
        lists = [name for name in LISTS if isinstance(value, dict) and name in value]
        cases = [one for name in lists if isinstance(value[name], list) for one in value[name]]
        if not lists:
            yield place, value
            continue
        report.rows_read += len(cases) - 1
        if not cases:
            wanted = "a list of test cases"
            report.add(Problem(file=place.file, field=lists[0], found="none", accepted=wanted))
        for record, case in enumerate(cases, start=1):
            yield Place(place.file, 0, record), case


def _question(fields: Fields) -> QuestionRecord | None:
    question = fields.text("input", required=True, blank=False)
    texts = list_of_texts(fields, first_of(fields, CONTEXTS), required=True)
    ids = passage_ids(fields, "", len(texts))
    needed = list_of_texts(fields, "context")
    gold = gold_by_text(fields, ids, texts, needed) if needed else no_gold(len(texts))
    actual = fields.text(first_of(fields, ACTUAL))
    expected = fields.text(first_of(fields, EXPECTED))
    metadata = fields.metadata(KNOWN) | ({"answer": expected} if expected else {})
    if question is None:
        return None
    return QuestionRecord(
        id=fields.identifier("id") or "",
        question=question,
        passages=passages(ids, texts, gold.supports),
        facts=gold.facts,
        answer_bearing=gold.bearing,
        arms=(ArmOutcome(name="actual output", answer=actual, sent=ids),) if actual else (),
        metadata=metadata,
    )
