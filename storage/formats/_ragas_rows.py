"""One question as a Ragas sample."""

from __future__ import annotations

from typing import Any

from storage.records import QuestionRecord


def sample(record: QuestionRecord) -> dict[str, Any]:
    """Fields by today's names. Reference contexts are the answer-bearing passages, where known.

    The response is the answer of the first arm that gave one.
    """
    texts = {passage.id: passage.text for passage in record.passages}
    written: dict[str, Any] = {
        "id": record.id,
        "user_input": record.question,
        "retrieved_contexts": list(texts.values()),
        "retrieved_context_ids": list(texts),
    }
    if record.answer_bearing is not None:
        written["reference_context_ids"] = list(record.answer_bearing)
        if all(id in texts for id in record.answer_bearing):
            written["reference_contexts"] = [texts[id] for id in record.answer_bearing]
    answers = [arm.answer for arm in record.arms if arm.answer]
    if answers:
        written["response"] = answers[0]
    known = record.metadata.get("answer")
    if isinstance(known, str):
        written["reference"] = known
    return written
