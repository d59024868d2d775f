"""Langfuse: items of a data set, traces or observations, with the passages somewhere inside.

Field names: langfuse/langfuse, the public API (DatasetItem, Trace, Observation).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from storage.formats import Format, Peek, register_format
from storage.formats._fields import Fields
from storage.formats._parquet import values_of
from storage.formats._records import read_records
from storage.formats._traces import answer, chosen, passages, question
from storage.records import ArmOutcome, QuestionRecord
from storage.report import Report

ROOTS = ("input", "metadata", "output")
EXPECTED = ("expectedOutput", "expected_output")
SIGNS = frozenset(
    (*EXPECTED, "datasetId", "datasetName", "dataset_name", "sourceTraceId", "traceId", "trace_id")
)
KNOWN = frozenset(("id", "input", "output", *EXPECTED, "metadata"))

EXAMPLE = """\
{"id": "i1", "status": "ACTIVE", "input": {"question": "How long is the refund window?", \
"candidates": [{"id": "d1", "text": "Refunds within 30 days.", "score": 0.9}, \
{"id": "d2", "text": "Shipping takes 5 days.", "score": 0.4}]}, "expectedOutput": "30 days", \
"metadata": {}, "datasetName": "support"}
"""


@register_format(
    "langfuse",
    title="Langfuse",
    suffixes=(".jsonl", ".json"),
    ranked=True,
    help="Items, traces or observations; passages are looked for in input, metadata and output.",
    example={"langfuse.jsonl": EXAMPLE},
)
class Langfuse(Format):
    """passages: the path of the list, such as "input.candidates"; None looks for it, and says so.

    The output of a trace is kept as an arm; what it was sent is not recorded.
    """

    def __init__(self, *, passages: str | None = None) -> None:
        self.passages = passages

    def recognises(self, peek: Peek) -> int:
        signs = len(peek.keys & SIGNS)
        return 1 + signs if signs and "input" in peek.keys else 0

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        parse = partial(_question, path=self.passages)
        return read_records(paths, report, parse, values=values_of)


def _question(fields: Fields, *, path: str | None) -> QuestionRecord | None:
    text = question(fields, "input")
    found = chosen(fields, ROOTS, path)
    expected = next(
        (answer(fields.values.get(name)) for name in EXPECTED if fields.has(name)), None
    )
    output = answer(fields.values.get("output"))
    metadata = {
        name: value
        for name, value in fields.metadata(KNOWN).items()
        if found is None or found.path.split(".")[:2] != ["metadata", name]
    }
    if text is None or found is None:
        return None
    return QuestionRecord(
        id=fields.identifier("id") or "",
        question=text,
        passages=passages(fields, found),
        arms=(ArmOutcome(name="output", answer=output),) if output else (),
        metadata=metadata | ({"answer": expected} if expected else {}),
    )
