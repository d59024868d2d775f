"""Why an answer got worse between two prompts over the same pool: exactly one diagnosis, by rules.

The rules compare evidence in the baseline's prompt with evidence in the candidate's. They say what
the selection did; whether that is the cause, only another run of the model could tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from selection.model import Pool


class Diagnosis(StrEnum):
    """What happened to the evidence. The list is closed; every worse question gets exactly one."""

    NO_GOLD = "no_gold"
    EVIDENCE_LOST = "evidence_lost"
    CROWDED = "crowded"
    SAME_EVIDENCE = "same_evidence"
    GAINED_STILL_WORSE = "gained_still_worse"
    WITHOUT_EVIDENCE = "without_evidence"


class Fate(StrEnum):
    """What happened to one need between the two prompts."""

    LOST = "lost"
    KEPT = "kept"
    GAINED = "gained"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing the question needs: a gold fact, or "answer" where only passages are marked.

    carriers: 0-based indices of the passages that carry it; empty where retrieval brought none.
    """

    name: str
    carriers: frozenset[int]
    fate: Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowding:
    """How the evidence stands in a prompt. All four grow as it is drowned.

    repetition: passages that state the statement said most often besides the evidence.
    tokens_before: tokens above the first passage with evidence; depth: passages above it.
    distance: tokens of the whole prompt, between the instruction and the question.
    None where tokens or claims are not known.
    """

    repetition: int | None
    tokens_before: int | None
    depth: int
    distance: int | None

    def rose_since(self, earlier: Crowding) -> tuple[str, ...]:
        """The names of what grew."""
        pairs = (
            ("repetition", self.repetition, earlier.repetition),
            ("tokens_before", self.tokens_before, earlier.tokens_before),
            ("depth", self.depth, earlier.depth),
            ("distance", self.distance, earlier.distance),
        )
        return tuple(
            name
            for name, now, before in pairs
            if now is not None and before is not None and now > before
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The diagnosis of one question with what it stands on.

    rose: which signs of crowding grew; empty without evidence in both prompts.
    """

    diagnosis: Diagnosis
    needs: tuple[Need, ...]
    before: Crowding | None
    after: Crowding | None
    rose: tuple[str, ...]

    def with_fate(self, fate: Fate) -> tuple[Need, ...]:
        return tuple(need for need in self.needs if need.fate is fate)


def diagnose(
    pool: Pool,
    baseline: Sequence[int],
    candidate: Sequence[int],
    *,
    evidence_known: bool | None = None,
) -> Finding:
    """Diagnose one question. baseline, candidate: 0-based indices in the order of the prompt.

    evidence_known: whether somebody looked for answer-bearing passages, even if there are none;
    None takes a pool that names some as known. Facts count where passages were judged against them.
    """
    carried = needs(pool, evidence_known=evidence_known)
    if carried is None:
        return Finding(diagnosis=Diagnosis.NO_GOLD, needs=(), before=None, after=None, rose=())
    first, second = frozenset(baseline), frozenset(candidate)
    judged = tuple(
        Need(name=name, carriers=carriers, fate=_fate(carriers, first, second))
        for name, carriers in carried
    )
    kept = frozenset().union(*(n.carriers for n in judged if n.fate is Fate.KEPT))
    evidence = frozenset().union(*(n.carriers for n in judged))
    if not kept:
        return Finding(
            diagnosis=_without_kept(judged), needs=judged, before=None, after=None, rose=()
        )
    before = crowding(pool, baseline, evidence=kept, besides=evidence)
    after = crowding(pool, candidate, evidence=kept, besides=evidence)
    rose = after.rose_since(before)
    lost = any(need.fate is Fate.LOST for need in judged)
    kind = Diagnosis.CROWDED if rose else Diagnosis.SAME_EVIDENCE
    return Finding(
        diagnosis=Diagnosis.EVIDENCE_LOST if lost else kind,
        needs=judged,
        before=before,
        after=after,
        rose=rose,
    )


def needs(
    pool: Pool, *, evidence_known: bool | None = None
) -> tuple[tuple[str, frozenset[int]], ...] | None:
    """What the question needs and who carries it; None where nobody has said.

    Each gold fact is a need of its own; where there are none, any answer-bearing passage will do.
    """
    supports = pool.support_bits
    if pool.gold and supports.known.any():
        carried = supports.matrix()
        return tuple(
            (fact, frozenset(np.flatnonzero(carried[:, at]).tolist()))
            for at, fact in enumerate(pool.gold)
        )
    if pool.answer_bearing or evidence_known:
        bearing = (pool.position[name] for name in pool.answer_bearing if name in pool.position)
        return (("answer", frozenset(bearing)),)
    return None


def _fate(carriers: frozenset[int], baseline: frozenset[int], candidate: frozenset[int]) -> Fate:
    before, after = bool(carriers & baseline), bool(carriers & candidate)
    if before and after:
        return Fate.KEPT
    if before:
        return Fate.LOST
    return Fate.GAINED if after else Fate.ABSENT


def _without_kept(judged: Sequence[Need]) -> Diagnosis:
    fates = {need.fate for need in judged}
    if Fate.LOST in fates:
        return Diagnosis.EVIDENCE_LOST
    return Diagnosis.GAINED_STILL_WORSE if Fate.GAINED in fates else Diagnosis.WITHOUT_EVIDENCE


def crowding(
    pool: Pool, prompt: Sequence[int], *, evidence: frozenset[int], besides: frozenset[int]
) -> Crowding:
    """How evidence stands in a prompt that holds some of it.

    evidence: the passages whose place counts. besides: every passage that carries evidence; what
    these state does not compete with it.
    """
    at = next(place for place, index in enumerate(prompt) if index in evidence)
    tokens = pool.tokens
    return Crowding(
        repetition=_repetition(pool, prompt, besides=besides),
        tokens_before=None if tokens is None else int(tokens[list(prompt[:at])].sum()),
        depth=at,
        distance=None if tokens is None else int(tokens[list(prompt)].sum()),
    )


def _repetition(pool: Pool, prompt: Sequence[int], *, besides: frozenset[int]) -> int | None:
    """How often the prompt says what it says most often, leaving out what the evidence says."""
    bits = pool.claim_bits
    if not bits.known[list(prompt)].all():
        return None
    stated = bits.matrix()
    own = stated[sorted(besides)].any(axis=0)
    times = stated[list(prompt)].sum(axis=0)[~own]
    return int(times.max(initial=0))
