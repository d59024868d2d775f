"""A question that got worse, as it is shown: its diagnosis and what that stands on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from selection.diagnosis import Diagnosis, Fate
from selection.ledger import Decision
from selection.model import Budget, Pool
from selection.registry import parse_selector
from storage.records import ArmOutcome
from storage.studies.prompts import Prompt, setting_of
from storage.studies.study import Studied


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A passage with evidence that the later prompt left out: its rank, and why it is out."""

    need: str
    rank: int
    passage: str
    reason: str
    detail: str
    remaining: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question that got worse, with its one diagnosis and what that stands on.

    why: one sentence. needs: (name, fate, ranks of its carriers). signs: sign -> before, after.
    rose: signs that grew. supported: for `crowded`, whether one of them grows more in worse than in
    still-right questions. in_pool: an answer-bearing passage is somewhere in the pool; None =
    unknown. kept, added, dropped: ranks. tokens_added: of the added passages; repeated: the share
    of these tokens that says what was said before, by statements. suspects: added passages that
    are over-represented in worse prompts, the most suspicious first.
    """

    question: str
    text: str
    metadata: Mapping[str, Any]
    diagnosis: Diagnosis
    why: str
    needs: tuple[tuple[str, str, tuple[int, ...]], ...]
    lost: tuple[Lost, ...]
    signs: Mapping[str, tuple[int, int]]
    rose: tuple[str, ...]
    supported: bool
    in_pool: bool | None
    worse_runs: int
    runs: int
    selectors: tuple[str, ...]
    kept: tuple[int, ...]
    added: tuple[int, ...]
    dropped: tuple[int, ...]
    tokens_added: int | None
    repeated: float | None
    before: ArmOutcome
    after: ArmOutcome
    suspects: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """What one verdict may cover: the diagnosis and the most suspicious added passage."""
        return f"{self.diagnosis}/{self.suspects[0]}" if self.suspects else str(self.diagnosis)


def case_of(one: Studied) -> Case:
    before = one.before.order if one.before else ()
    after = one.after.order if one.after else ()
    added = tuple(index for index in after if index not in before)
    pool = one.pool
    rose = tuple(name for name, rise in one.rises.items() if rise > 0)
    return Case(
        question=one.record.id,
        text=one.record.question,
        metadata=one.record.metadata,
        diagnosis=one.finding.diagnosis,
        why=one.why,
        needs=tuple(
            (need.name, str(need.fate), _ranks(need.carriers)) for need in one.finding.needs
        ),
        lost=tuple(_lost(one)),
        signs=dict(one.signs),
        rose=rose,
        supported=False,
        in_pool=_in_pool(one),
        worse_runs=one.paired.worse_runs,
        runs=one.paired.runs,
        selectors=tuple(prompt.selector for prompt in (one.before, one.after) if prompt),
        kept=_ranks(index for index in before if index in after),
        added=_ranks(added),
        dropped=_ranks(index for index in before if index not in after),
        tokens_added=None if pool.tokens is None else int(pool.tokens[list(added)].sum()),
        repeated=_repeated(pool, before, added),
        before=one.paired.before[0],
        after=one.paired.after[0],
        suspects=tuple(pool.ids[index] for index in added),
    )


def _ranks(indices: Any) -> tuple[int, ...]:
    return tuple(sorted(index + 1 for index in indices))


def _in_pool(one: Studied) -> bool | None:
    """The classic question: is any answer-bearing passage, or a carrier of a fact, in the pool?"""
    if one.record.answer_bearing is not None:
        return any(name in one.pool.position for name in one.record.answer_bearing)
    if not one.finding.needs:
        return None
    return any(need.carriers for need in one.finding.needs)


def _lost(one: Studied) -> Iterator[Lost]:
    """Every passage that carried what the later prompt lost, and why it is out."""
    needs = one.finding.with_fate(Fate.LOST)
    if not needs or one.after is None:
        return
    decisions = _decisions(one.pool, one.after, one.paired.after)
    for need in needs:
        for index in sorted(need.carriers):
            decision = decisions[index]
            yield Lost(
                need=need.name,
                rank=index + 1,
                passage=one.pool.ids[index],
                reason=str(decision.reason or ""),
                detail=decision.detail,
                remaining=decision.remaining,
            )


def _decisions(pool: Pool, prompt: Prompt, runs: Sequence[ArmOutcome]) -> tuple[Decision, ...]:
    """The ledger of a prompt: by the arm's own setting where that selects what was sent."""
    for run in runs:
        setting = setting_of(run)
        if setting is None:
            continue
        try:
            selection = setting.select(pool, Budget())
        except ValueError:
            continue
        if set(selection.picks.order) == set(prompt.order):
            return selection.decisions
    return parse_selector(prompt.selector).select(pool, Budget()).decisions


def _repeated(pool: Pool, before: Sequence[int], added: Sequence[int]) -> float | None:
    """The share of the added tokens whose statements were all said before, by statement."""
    bits = pool.claim_bits
    if pool.tokens is None or not added or not bits.known[[*before, *added]].all():
        return None
    stated = bits.matrix()
    said = stated[list(before)].any(axis=0)
    again = 0.0
    for index in added:
        own = int(stated[index].sum())
        again += pool.tokens[index] * (int((stated[index] & said).sum()) / own if own else 0.0)
        said = said | stated[index]
    total = float(pool.tokens[list(added)].sum())
    return float(again / total) if total else None
