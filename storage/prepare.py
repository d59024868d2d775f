"""What an import lacks, filled in before anything is stored: tokens, scores, statements, order.

Everything made here is marked as computed, so that every screen can say so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from selection.claims import Bits, count, pack
from selection.model import FloatArray
from selection.text.bm25 import bm25_scores
from selection.text.statements import statements
from selection.text.tokens import count_tokens
from storage.fingerprint import fingerprint
from storage.records import ArmOutcome, QuestionRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One passage of a prepared question. file_position: 0-based place in the file.

    index: its place in the record. tokens: what selectors are charged, given or counted; None where
    there is no text to count, which is not the same as a text that costs nothing.
    """

    index: int
    content_hash: str
    counted_tokens: int | None
    computed_score: float | None
    tokens: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A question ready to be stored; candidates in rank order.

    claims: what selectors see, rows in rank order. claims_given: they come from the input.
    redundancy: 1 - distinct/total claims of the pool, None where nothing is stated.
    evidence_rank: rank of the first answer-bearing passage, None where there is none in the pool.
    """

    record: QuestionRecord
    fingerprint: str
    candidates: tuple[Candidate, ...]
    claims: Bits
    claims_given: bool
    redundancy: float | None
    evidence_rank: int | None
    outcome: str

    @property
    def pool_tokens(self) -> int | None:
        """None where the tokens of a candidate are not known."""
        known = [one.tokens for one in self.candidates if one.tokens is not None]
        return sum(known) if len(known) == len(self.candidates) else None


def prepare(record: QuestionRecord, *, ranked: bool) -> Prepared:
    """Fill in what a question lacks.

    ranked: the format's order is a ranking, unless the record says otherwise; else scores decide.
    """
    if record.ranked is None:
        record = replace(record, ranked=ranked)
    computed = _computed_scores(record)
    order = _order(record, computed)
    candidates = tuple(
        Candidate(
            index=index,
            content_hash=content_hash(passage.text),
            counted_tokens=None if passage.tokens is not None else _counted(passage.text),
            computed_score=None if computed is None else float(computed[index]),
            tokens=passage.tokens if passage.tokens is not None else _counted(passage.text),
        )
        for index in order
        for passage in (record.passages[index],)
    )
    given = bool(record.passages) and all(p.claims is not None for p in record.passages)
    claims = pack([_claims(record, index, given=given) for index in order])
    ids = [record.passages[index].id for index in order]
    bearing = record.answer_bearing or ()
    return Prepared(
        record=record,
        fingerprint=fingerprint(record),
        candidates=candidates,
        claims=claims,
        claims_given=given,
        redundancy=_redundancy(claims),
        evidence_rank=next((rank for rank, name in enumerate(ids, 1) if name in bearing), None),
        outcome=outcome(record.arms),
    )


def content_hash(text: str) -> str:
    """The name of a passage version: SHA-256 of its text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=20_000)
def counted(text: str) -> int:
    """Tokens of a text by the offline counter."""
    return count_tokens(text)


def _counted(text: str) -> int | None:
    """Tokens of a text; None where a file knows a passage by its id alone."""
    return counted(text) if text else None


@lru_cache(maxsize=20_000)
def statement_keys(text: str) -> tuple[str, ...]:
    """The distinct statements of a text, in order."""
    return tuple(dict.fromkeys(statement.key for statement in statements(text)))


def _computed_scores(record: QuestionRecord) -> FloatArray | None:
    """BM25 over the question's own pool where any score is missing: two scales never mix."""
    if all(passage.score is not None for passage in record.passages):
        return None
    return bm25_scores(record.question, [passage.text for passage in record.passages])


def _order(record: QuestionRecord, computed: FloatArray | None) -> list[int]:
    if record.ranked:
        return list(range(len(record.passages)))
    scores = [p.score for p in record.passages] if computed is None else computed
    order = np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")
    return [int(index) for index in order]


def _claims(record: QuestionRecord, index: int, *, given: bool) -> tuple[str, ...]:
    passage = record.passages[index]
    if given:
        return tuple(dict.fromkeys(claim.key for claim in passage.claims or ()))
    return statement_keys(passage.text)


def _redundancy(claims: Bits) -> float | None:
    total = int(count(claims.words).sum())
    return None if not total else 1.0 - len(claims.names) / total


def outcome(arms: Sequence[ArmOutcome]) -> str:
    """The last arm against the first: worse, better, right (both), wrong (both), or empty.

    Over repeated runs an arm counts as right where more than half of its runs are.
    """
    names = list(dict.fromkeys(arm.name for arm in arms if arm.correct is not None))
    if len(names) < 2:
        return ""
    before, after = _mostly_right(arms, names[0]), _mostly_right(arms, names[-1])
    if before == after:
        return "right" if after else "wrong"
    return "better" if after else "worse"


def _mostly_right(arms: Sequence[ArmOutcome], name: str) -> bool:
    runs = [arm.correct for arm in arms if arm.name == name and arm.correct is not None]
    return 2 * sum(runs) > len(runs)
