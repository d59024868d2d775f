"""What the doctor looks for in each question: one check, one function, one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from storage.records import PassageRecord, QuestionRecord

Look = Callable[[QuestionRecord], bool]

# Controls other than tab and line ends, marks that turn the direction of writing, the sign that
# stands for lost bytes, and the pairs that UTF-8 read as Latin-1 leaves behind.
_ODD = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ufffd]|Ã[\x80-\xbf]|â€[\x80-\uffff]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing worth knowing. questions: how many it is true of; first: id of the first one."""

    name: str
    text: str
    questions: int
    first: str


@dataclass(frozen=True, slots=True)
class Check:
    """name: for scripts; text: for people, true of every question that `look` says yes to."""

    name: str
    text: str
    look: Look


def _empty_pool(record: QuestionRecord) -> bool:
    return not record.passages


def _no_text(record: QuestionRecord) -> bool:
    return any(not passage.text.strip() for passage in record.passages)


def _repeats(record: QuestionRecord) -> bool:
    texts = [passage.text for passage in record.passages if passage.text]
    return len(set(texts)) < len(texts)


def _unsorted(record: QuestionRecord) -> bool:
    if record.ranked is False:
        return False
    scores = [passage.score for passage in record.passages if passage.score is not None]
    return len(scores) == len(record.passages) and any(a < b for a, b in pairwise(scores))


def _part(known: Iterable[object]) -> bool:
    return len({one is not None for one in known}) == 2


def _part_scored(record: QuestionRecord) -> bool:
    return _part(passage.score for passage in record.passages)


def _part_claimed(record: QuestionRecord) -> bool:
    return _part(passage.claims for passage in record.passages)


def _part_embedded(record: QuestionRecord) -> bool:
    return _part(passage.embedding for passage in record.passages)


def _unreachable(record: QuestionRecord) -> bool:
    reached = {name for passage in record.passages for name in _carried(passage)}
    looked = any(p.supports is not None or p.claims is not None for p in record.passages)
    return looked and any(not {f.id, *f.alternatives} & reached for f in record.facts)


def _carried(passage: PassageRecord) -> set[str]:
    if passage.supports is not None:
        return {one.fact for one in passage.supports if one.degree != "contradicts"}
    return {claim.key for claim in passage.claims or ()}


def _unlinked(record: QuestionRecord) -> bool:
    known = any(p.supports is not None or p.claims is not None for p in record.passages)
    return bool(record.facts) and not known


def _evidence_outside(record: QuestionRecord) -> bool:
    ids = {passage.id for passage in record.passages}
    return any(name not in ids for name in record.answer_bearing or ())


def _sent_outside(record: QuestionRecord) -> bool:
    ids = {passage.id for passage in record.passages}
    return any(name not in ids for arm in record.arms for name in arm.sent or ())


def _pool_is_sent(record: QuestionRecord) -> bool:
    """Everything that was retrieved was sent, by every arm that says what it sent."""
    ids = {passage.id for passage in record.passages}
    sent = [set(arm.sent) for arm in record.arms if arm.sent is not None]
    return bool(ids and sent) and all(one >= ids for one in sent)


def _small_pool(record: QuestionRecord) -> bool:
    return 0 < len(record.passages) < 8 and not _pool_is_sent(record)


def _odd_text(record: QuestionRecord) -> bool:
    texts = (record.question, *(passage.text for passage in record.passages))
    return any(_ODD.search(text) is not None for text in texts)


CHECKS = (
    Check("empty_pool", "No passage: nothing can be selected.", _empty_pool),
    Check(
        "pool_is_sent",
        "The pool is what was sent: selectors cannot differ here. Record what the retriever "
        "returned before the cut, 50 to 100 passages.",
        _pool_is_sent,
    ),
    Check(
        "small_pool",
        "Fewer than 8 passages: selectors differ little. Record what the retriever returned "
        "before the cut.",
        _small_pool,
    ),
    Check("no_text", "A passage has no text: nothing can be computed from it.", _no_text),
    Check("repeats", "A text stands twice in the pool: each counts as a candidate.", _repeats),
    Check(
        "unsorted_scores",
        "The scores do not fall along the ranks: the order of the file is kept.",
        _unsorted,
    ),
    Check(
        "part_scored",
        "Some passages have a score and some have none: BM25 is computed for all, so that two "
        "scales do not mix.",
        _part_scored,
    ),
    Check(
        "part_claimed",
        "Some passages have claims and some have none: statements are computed for all.",
        _part_claimed,
    ),
    Check(
        "part_embedded",
        "Some passages have an embedding and some have none: TF-IDF is used for all.",
        _part_embedded,
    ),
    Check(
        "unreachable_facts",
        "A fact is in no passage of the pool: no selector can reach it.",
        _unreachable,
    ),
    Check(
        "unlinked_facts",
        "Nobody has looked for the facts in the passages: fact recall is n/a.",
        _unlinked,
    ),
    Check(
        "evidence_outside",
        "An answer-bearing passage is not in the pool: it was never retrieved.",
        _evidence_outside,
    ),
    Check("sent_outside", "An arm has sent a passage that is not in the pool.", _sent_outside),
    Check(
        "odd_text",
        "A text holds control characters, marks that turn the direction of writing, or signs of a "
        "wrong encoding: it is kept as it is.",
        _odd_text,
    ),
)


class Checks:
    """Runs every check on one question after the other, and keeps counts alone."""

    def __init__(self) -> None:
        self._times = [0] * len(CHECKS)
        self._first = [""] * len(CHECKS)

    def look(self, record: QuestionRecord) -> None:
        for at, check in enumerate(CHECKS):
            if check.look(record):
                self._first[at] = self._first[at] or record.id
                self._times[at] += 1

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, in the order of `CHECKS`."""
        return tuple(
            Finding(name=check.name, text=check.text, questions=times, first=first)
            for check, times, first in zip(CHECKS, self._times, self._first, strict=True)
            if times
        )
