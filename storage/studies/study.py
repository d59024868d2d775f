"""One question under two arms: what happened to its evidence from one prompt to the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from selection.diagnosis import Crowding, Diagnosis, Fate, Finding, diagnose
from selection.model import Pool
from storage.outcomes import Paired
from storage.records import QuestionRecord
from storage.stored import StoredQuestion
from storage.studies.prompts import Prompt, prompt_of

AGAINST = "contradicting"
"""The sign of crowding that only judged places show: passages that speak against a fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Studied:
    """One question with outcomes of both arms, and its two prompts. None: a prompt is not known.

    signs: sign of crowding -> before and after, where evidence is in both prompts. against: places
    in the pool that are judged to speak against a fact.
    """

    record: QuestionRecord
    key: int
    pool: Pool
    paired: Paired
    before: Prompt | None
    after: Prompt | None
    finding: Finding
    signs: Mapping[str, tuple[int, int]]
    against: frozenset[int]
    why: str

    @property
    def rises(self) -> dict[str, int]:
        """Sign of crowding -> how much it grew; empty without evidence in both prompts."""
        return {name: after - before for name, (before, after) in self.signs.items()}


def study(stored: StoredQuestion, pool: Pool, paired: Paired) -> Studied:
    """What two arms sent of one question, and what that did to its evidence."""
    before, after = prompt_of(pool, paired.before), prompt_of(pool, paired.after)
    against = against_of(stored.record, pool)
    finding = Finding(diagnosis=Diagnosis.NO_GOLD, needs=(), before=None, after=None, rose=())
    signs: dict[str, tuple[int, int]] = {}
    if before is None or after is None:
        arm = (paired.before if before is None else paired.after)[0]
        why = f"what {arm.name} sent is not recorded, and its setting cannot be run"
    else:
        known = stored.record.answer_bearing is not None
        finding = diagnose(pool, before.order, after.order, evidence_known=known)
        signs = _signs(finding, before.order, after.order, against)
        why = _why(finding)
    return Studied(
        record=stored.record,
        key=stored.key,
        pool=pool,
        paired=paired,
        before=before,
        after=after,
        finding=finding,
        signs=signs,
        against=against,
        why=why,
    )


def _signs(
    finding: Finding,
    before: Sequence[int],
    after: Sequence[int],
    against: frozenset[int],
) -> dict[str, tuple[int, int]]:
    """Sign of crowding -> before and after, where evidence is in both prompts."""
    if finding.before is None or finding.after is None:
        return {}
    then = signs_of(finding.before, before, against)
    now = signs_of(finding.after, after, against)
    return {name: (then[name], now[name]) for name in then if name in now}


def signs_of(stands: Crowding, prompt: Sequence[int], against: frozenset[int]) -> dict[str, int]:
    """Every known sign of crowding of one prompt, with what only judged places show."""
    names = ("repetition", "tokens_before", "depth", "distance")
    found = {name: getattr(stands, name) for name in names}
    signs: dict[str, int] = {name: value for name, value in found.items() if value is not None}
    if against:
        signs[AGAINST] = len(against & set(prompt))
    return signs


def against_of(record: QuestionRecord, pool: Pool) -> frozenset[int]:
    """Places in the pool of passages that are judged to speak against a fact of the question."""
    return frozenset(
        pool.position[passage.id]
        for passage in record.passages
        if any(support.degree == "contradicts" for support in passage.supports or ())
    )


def _why(finding: Finding) -> str:
    """What the diagnosis stands on, in a sentence."""
    n = len(finding.needs)
    lost, gained = len(finding.with_fate(Fate.LOST)), len(finding.with_fate(Fate.GAINED))
    match finding.diagnosis:
        case Diagnosis.NO_GOLD:
            return "no gold fact and no answer-bearing passage is known"
        case Diagnosis.EVIDENCE_LOST:
            return f"{lost} of {n} needed was sent before and is not sent after"
        case Diagnosis.CROWDED:
            return "all that was sent of the evidence is still sent, among more that competes"
        case Diagnosis.SAME_EVIDENCE:
            return "the same evidence is sent, and nothing that crowds it grew"
        case Diagnosis.GAINED_STILL_WORSE:
            return f"{gained} of {n} needed is sent after and was not before"
    return "the answer was right before without any known evidence in the prompt"
