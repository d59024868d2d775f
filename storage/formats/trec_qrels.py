"""Subtopic judgments as ndeval reads them: topic, subtopic, document, 1; positive ones alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from storage.formats import Format, register_format
from storage.formats._columns import cell
from storage.pools import supported
from storage.records import QuestionRecord


@register_format(
    "trec-qrels",
    title="TREC subtopic qrels",
    suffixes=(".qrels",),
    ranked=True,
    help="Which passage carries which fact, to be scored beside a run; blanks in ids are escaped.",
    example={},
)
class SubtopicQrels(Format):
    """Each fact is a subtopic. What was judged not to support, and what nobody judged, is absent.

    The layout cannot tell those two apart.
    """

    def write(self, records: Iterable[QuestionRecord], stream: TextIO) -> None:
        for record in records:
            names = {
                name: fact.id for fact in record.facts for name in (fact.id, *fact.alternatives)
            }
            for passage in record.passages:
                for fact in sorted(supported(passage, names) or ()):
                    stream.write(f"{cell(record.id)} {cell(fact)} {cell(passage.id)} 1\n")
