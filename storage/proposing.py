"""Evidence proposed from an answer that was right, where nobody has marked any.

A passage is proposed because the answer cites it, or else because it says what the answer says.
A proposal is no gold: it counts once a person has confirmed it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from selection.text.sentences import sentences
from selection.text.terms import content_words, words

Rule = Literal["cited", "says"]
SHARE = 0.75
"""The share of a statement's words that a passage has to hold to say the same."""
SHORT = 4
"""An answer of so few words is a name or a number: it has to stand in the passage word for word."""
MOST = 3
"""Passages proposed for one statement at most: what stands everywhere proves nothing."""
_REFERENCE = re.compile(r"\[([^\[\]]{1,200})\]")


class Passage(Protocol):
    """What is asked of a candidate: its id and its text."""

    @property
    def id(self) -> str: ...

    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A passage that may hold the evidence. rank: 1-based in the pool.

    rule: the answer cites it, or it says the same. overlap: the share of the words of a statement
    of the answer that it holds, the largest over its statements; 1 for a citation. statement: that
    part of the answer.
    """

    passage: str
    rank: int
    rule: Rule
    overlap: float
    statement: str


def propose(
    question: str,
    answer: str,
    passages: Sequence[Passage],
    *,
    sent: Sequence[str] | None = None,
) -> tuple[Proposal, ...]:
    """Propose evidence out of the passages that were sent; by rank.

    passages: in the order of the pool. sent: ids of what the model was given; None = not known,
    and every candidate may be meant.
    """
    given = None if sent is None else set(sent)
    pool = [
        (rank, passage)
        for rank, passage in enumerate(passages, start=1)
        if given is None or passage.id in given
    ]
    cited = set(_cited(answer))
    found = [
        Proposal(passage=one.id, rank=rank, rule="cited", overlap=1.0, statement=f"[{one.id}]")
        for rank, one in pool
        if one.id in cited
    ]
    return tuple(found) or tuple(_says(question, answer, pool))


def _cited(answer: str) -> Iterator[str]:
    """The ids in brackets: [HC-1041], or [HC-1041, HC-1093]."""
    for inside in _REFERENCE.findall(answer):
        yield inside.strip()
        yield from (part.strip() for part in re.split(r"[,;]", inside))


def _says(question: str, answer: str, pool: Sequence[tuple[int, Passage]]) -> list[Proposal]:
    asked = set(content_words(question))
    best: dict[str, Proposal] = {}
    for span in sentences(answer):
        statement = answer[span.start : span.end]
        scored = [
            (overlap, len(asked & set(content_words(one.text))), rank, one)
            for rank, one in pool
            if (overlap := _overlap(statement, one.text)) >= SHARE
        ]
        # Of those that say it equally well, the one that is about the question comes first.
        scored.sort(key=lambda row: (-row[0], -row[1], row[2]))
        for overlap, _, rank, one in scored[:MOST]:
            if one.id not in best or best[one.id].overlap < overlap:
                best[one.id] = Proposal(
                    passage=one.id, rank=rank, rule="says", overlap=overlap, statement=statement
                )
    return sorted(best.values(), key=lambda one: one.rank)


def _overlap(statement: str, text: str) -> float:
    """How much of a statement a text holds, 0 to 1; a short one whole or not at all."""
    said, held = words(statement), words(text)
    if not said:
        return 0.0
    if len(said) <= SHORT:
        size = len(said)
        return float(any(held[at : at + size] == said for at in range(len(held) - size + 1)))
    wanted = set(content_words(statement)) or set(said)
    there = set(content_words(text)) | set(held)
    return len(wanted & there) / len(wanted)
