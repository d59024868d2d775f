"""LangSmith: examples of a data set, and runs of retrievers.

Field names: langchain-ai/langsmith-sdk (Example, Run); a retriever's documents are LangChain's.
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
from storage.records import QuestionRecord
from storage.report import Report

ROOTS = ("outputs", "metadata", "inputs", "extra")
SIGNS = frozenset(("outputs", "run_type", "dataset_id", "example_id", "reference_example_id"))
KNOWN = frozenset(("id", "inputs", "outputs", "metadata", "extra"))

EXAMPLE = """\
{"id": "e1", "inputs": {"question": "How long is the refund window?"}, \
"outputs": {"answer": "30 days"}, "metadata": {"documents": [\
{"page_content": "Refunds within 30 days.", "metadata": {"id": "d1", "score": 0.9}}, \
{"page_content": "Shipping takes 5 days.", "metadata": {"id": "d2", "score": 0.4}}]}}
"""


@register_format(
    "langsmith",
    title="LangSmith",
    suffixes=(".jsonl", ".json"),
    ranked=True,
    help="Examples or retriever runs; passages are looked for in outputs, metadata and inputs.",
    example={"langsmith.jsonl": EXAMPLE},
)
class LangSmith(Format):
    """passages: the path of the list, such as "outputs.documents"; None looks for it, and says so.

    The outputs of an example are the right answer.
    """

    def __init__(self, *, passages: str | None = None) -> None:
        self.passages = passages

    def recognises(self, peek: Peek) -> int:
        signs = len(peek.keys & SIGNS)
        return 1 + signs if signs and "inputs" in peek.keys else 0

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        parse = partial(_question, path=self.passages)
        return read_records(paths, report, parse, values=values_of)


def _question(fields: Fields, *, path: str | None) -> QuestionRecord | None:
    text = question(fields, "inputs")
    found = chosen(fields, ROOTS, path)
    expected = answer(fields.values.get("outputs"))
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
        metadata=metadata | ({"answer": expected} if expected else {}),
    )
