"""What would change: every setting against the questions that got worse, and those right today.

A setting brings evidence back, or undoes crowding; it never "restores" an answer, because nobody
has asked the model again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean

from selection.diagnosis import Diagnosis, Fate, crowding
from selection.model import Budget
from selection.registry import Selector, list_selectors, make_selector, selector_class
from storage.diagnose import chosen_arms, studied
from storage.engine import Database
from storage.studies.prompts import Prompt
from storage.studies.study import Studied, signs_of

Progress = Callable[[int], None]
QUICK = frozenset({"tokens", "claims", "score"})
"""Needs that are stored with the question; texts and similarity have to be worked out."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A row of the table: an arm as it was sent ("before", "after"), or a selector and a budget."""

    arm: str = ""
    selector: Selector | None = None
    budget: Budget = field(default_factory=Budget)

    def order(self, one: Studied) -> tuple[int, ...] | None:
        """What it sends of a question, 0-based; None where it cannot say."""
        if self.selector is None:
            prompt: Prompt | None = getattr(one, self.arm)
            return None if prompt is None else prompt.order
        try:
            return self.selector.select(one.pool, self.budget).picks.order
        except ValueError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """What one setting does. Counts stand with what they are out of.

    brought_back of lost: worse questions whose every lost need is in again. undone of crowded:
    those whose evidence is all in, and on no sign more crowded than before. relieved of marked:
    the same, by the signs alone that grow more in worse than in still-right questions. repetition:
    mean over worse questions of how often the prompt says the competing statement. newly_lost of
    right: questions that are right today and lose a need that they have. tokens: mean over n
    questions that it can run on; unable: questions that it cannot.
    """

    setting: Setting
    brought_back: int
    lost: int
    undone: int
    crowded: int
    relieved: int
    marked: int
    repetition: float | None
    newly_lost: int
    right: int
    tokens: float | None
    n: int
    unable: int

    @property
    def repairs(self) -> int:
        """Questions that it helps by any of these; 0 for the later arm, by construction."""
        return self.brought_back + max(self.undone, self.relieved)


def settings(budgets: Sequence[Budget], *, thorough: bool = False) -> tuple[Setting, ...]:
    """Both arms, then every selector of the registry at its defaults under every budget.

    thorough: also those that read texts or similarities, which takes seconds instead of none.
    """
    arms = (Setting(arm="before"), Setting(arm="after"))
    chosen = [*_selectors(thorough)]
    return (*arms, *(Setting(selector=one, budget=b) for one in chosen for b in budgets))


def _selectors(thorough: bool) -> Iterator[Selector]:
    for name in list_selectors():
        cls = selector_class(name)
        if any(param.default is None for param in cls.params):
            continue
        if name == "optimum" or "rerank_score" in cls.needs:
            continue
        if thorough or set(cls.needs) <= QUICK:
            yield make_selector(name)


def remedies(
    database: Database,
    collection: str,
    wanted: Sequence[Setting],
    *,
    baseline: str | None = None,
    candidate: str | None = None,
    marks: Collection[str] = (),
    progress: Progress | None = None,
) -> tuple[Remedy, ...]:
    """Try every setting on every question with outcomes of both arms; rows as they were wanted.

    marks: the signs of crowding that stand out, see `CrowdingRow.confirmed`.

    :raises NotStored: for an unknown collection. :raises ValueError: for an unknown arm.
    """
    first, last = chosen_arms(database, collection, baseline=baseline, candidate=candidate)
    similarity = any(one.selector and "similarity" in one.selector.needs for one in wanted)
    tallies = [_Tally(one) for one in wanted]
    questions = studied(database, collection, baseline=first, candidate=last, similarity=similarity)
    for done, one in enumerate(questions, start=1):
        asked = _Asked(one, marks)
        for tally in tallies:
            tally.add(asked)
        if progress:
            progress(done)
    return tuple(tally.row() for tally in tallies)


class _Asked:
    """One question, with what a setting is held against."""

    def __init__(self, one: Studied, marks: Collection[str]) -> None:
        self.one = one
        paired, finding = one.paired, one.finding
        self.worse = paired.outcome == "worse"
        self.right_today = paired.outcome in ("right", "better")
        self.lost = [need.carriers for need in finding.with_fate(Fate.LOST)] if self.worse else []
        self.crowded = self.worse and finding.diagnosis is Diagnosis.CROWDED
        self.kept = [need.carriers for need in finding.with_fate(Fate.KEPT)]
        gained = [need.carriers for need in finding.with_fate(Fate.GAINED)]
        rises = one.rises if self.crowded else {}
        self.marks = [name for name in marks if rises.get(name, 0) > 0]
        self.has_today = [*self.kept, *gained] if self.right_today else []

    @cached_property
    def evidence(self) -> tuple[frozenset[int], frozenset[int]]:
        """Who carries what both prompts hold, and who carries anything."""
        every = [need.carriers for need in self.one.finding.needs]
        return frozenset().union(*self.kept), frozenset().union(*every)

    def signs(self, order: tuple[int, ...]) -> dict[str, int] | None:
        """The signs of crowding under a setting; None where it leaves evidence out."""
        if not self.kept or not all(carriers & set(order) for carriers in self.kept):
            return None
        own, every = self.evidence
        stands = crowding(self.one.pool, order, evidence=own, besides=every)
        return signs_of(stands, order, self.one.against)

    def no_more(self, signs: dict[str, int] | None, names: Collection[str]) -> bool:
        """Whether the evidence is in, and no more crowded than before by these signs."""
        before = {name: then for name, (then, _) in self.one.signs.items()}
        return signs is not None and all(
            signs[name] <= before[name] for name in names if name in signs and name in before
        )


class _Tally:
    """One setting, counted over the questions."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.brought_back = self.lost = self.undone = self.crowded = 0
        self.relieved = self.marked = 0
        self.repetitions: list[int] = []
        self.newly_lost = self.right = self.n = self.unable = self.tokens = 0
        self.tokens_known = True

    def add(self, asked: _Asked) -> None:
        order = self.setting.order(asked.one)
        if order is None:
            self.unable += 1
            return
        self.n += 1
        sent = frozenset(order)
        if asked.lost:
            self.lost += 1
            self.brought_back += all(carriers & sent for carriers in asked.lost)
        if asked.worse and asked.kept:
            self._crowding(asked, order)
        if asked.right_today:
            self.right += 1
            self.newly_lost += not all(carriers & sent for carriers in asked.has_today)
        self._spend(asked.one, order)

    def _crowding(self, asked: _Asked, order: tuple[int, ...]) -> None:
        signs = asked.signs(order)
        if signs is not None and "repetition" in signs:
            self.repetitions.append(signs["repetition"])
        if asked.crowded:
            self.crowded += 1
            self.undone += asked.no_more(signs, asked.one.signs)
        if asked.marks:
            self.marked += 1
            self.relieved += asked.no_more(signs, asked.marks)

    def _spend(self, one: Studied, order: tuple[int, ...]) -> None:
        if one.pool.tokens is None:
            self.tokens_known = False
        else:
            self.tokens += int(one.pool.tokens[list(order)].sum())

    def row(self) -> Remedy:
        return Remedy(
            setting=self.setting,
            brought_back=self.brought_back,
            lost=self.lost,
            undone=self.undone,
            crowded=self.crowded,
            relieved=self.relieved,
            marked=self.marked,
            repetition=fmean(self.repetitions) if self.repetitions else None,
            newly_lost=self.newly_lost,
            right=self.right,
            tokens=self.tokens / self.n if self.n and self.tokens_known else None,
            n=self.n,
            unable=self.unable,
        )
