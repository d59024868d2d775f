"""A lane is one selector on screen: what it chose, how each decision fell, and in which hue."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pages.ui.appraisal import Appraisal, appraise, dropped_by
from selection.changes import Dropped
from selection.ledger import Decision, Selection
from selection.measures import Cut, all_measures
from selection.model import Budget, Pool
from selection.registry import Selector
from selection.stability import Stability, stability

_log = logging.getLogger(__name__)

HUES = ("#0072B2", "#E69F00", "#CC79A7", "#56B4E9", "#F0E442", "#7F7F7F")
"""Okabe-Ito in the order in which selectors are chosen; its green and vermillion stay unused,
vermillion because it is the one colour of warning."""
WARNING = "#D55E00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One decision, at the moment it fell.

    number: 1-based place in the order in which decisions fall. new, old: claims of the passage
    that nothing admitted so far states, and the others; both None where its claims are not known.
    new_facts, old_facts: the same of the facts it supports; None where nobody has judged it.
    claims, facts: how many are covered after this decision; tokens: what was spent by then.
    """

    number: int
    decision: Decision
    new: tuple[str, ...] | None
    old: tuple[str, ...] | None
    new_facts: tuple[str, ...] | None
    old_facts: tuple[str, ...] | None
    claims: int
    facts: int
    tokens: int | None


@dataclass(frozen=True, kw_only=True)
class Lane:
    """One selector on screen. place: 1-based, in the order chosen. problem: why it cannot run."""

    place: int
    selector: Selector
    selection: Selection | None
    problem: str = ""

    @property
    def hue(self) -> str:
        return HUES[(self.place - 1) % len(HUES)]

    @property
    def label(self) -> str:
        return self.selector.label

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Every decision in the order in which decisions fell; nothing where it cannot run."""
        return () if self.selection is None else tuple(_walk(self.selection))

    @cached_property
    def by_rank(self) -> dict[int, Step]:
        return {step.decision.rank: step for step in self.steps}

    @cached_property
    def measures(self) -> dict[str, float | None]:
        """Every measure that needs no integer program: a knob that moves must not wait for one."""
        if self.selection is None:
            return {}
        cut = Cut(self.selection.pool, self.selection)
        return {one.name: one.of(cut) for one in all_measures() if not one.costly}

    @cached_property
    def appraisal(self) -> Appraisal:
        """The selection against the best possible: worked out when first read, which may take long.

        A lane is kept for as long as its collection, question, budget and settings stay the same.
        """
        if self.selection is None:
            return Appraisal(loss=None, best=None)
        return appraise(self.selection)

    @cached_property
    def dropped(self) -> tuple[Dropped, ...] | None:
        """Facts that were dropped, and what would bring them back; None where that is not known.

        Runs the selector again and again: read after everything else has been drawn.
        """
        return () if self.selection is None else dropped_by(self.selection)

    @cached_property
    def stability(self) -> Stability | None:
        """How firmly each passage is selected, from the first seed; None where that is not known.

        Runs the selector many times: read only when asked for.
        """
        if self.selection is None:
            return None
        try:
            return stability(self.selection)
        except ValueError:
            return None
        except Exception:
            _log.exception("%s could not be run on varied pools", self.selector.spec)
            return None

    @property
    def varied(self) -> bool:
        """Whether the stability is known, so that reading it costs nothing."""
        return self.selection is None or "stability" in vars(self)

    @property
    def appraised(self) -> bool:
        """Whether the appraisal is known, so that reading it costs nothing."""
        return self.selection is None or "appraisal" in vars(self)

    @cached_property
    def admitted(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.decision.admitted)

    @cached_property
    def idle(self) -> int | None:
        """How many of the passages that were sent add no claim to those before them."""
        if any(step.new is None for step in self.admitted):
            return None
        return sum(not step.new for step in self.admitted)

    @cached_property
    def facts(self) -> int | None:
        """How many facts the selection supports; None where the question has no judged facts."""
        if self.selection is None or not has_facts(self.selection.pool):
            return None
        return len(_facts_of(self.selection.pool, self.selection.picks.order))

    @property
    def evidence(self) -> int | None:
        """How many answer-bearing passages are sent; None where they are not known."""
        if self.selection is None or not self.selection.pool.answer_bearing:
            return None
        pool = self.selection.pool
        return sum(pool.ids[index] in pool.answer_bearing for index in self.selection.picks.order)


def run_lane(pool: Pool, budget: Budget, selector: Selector, *, place: int) -> Lane:
    """Run one selector; where it cannot run, the lane says why instead.

    A team's own selector may fail in ways that nobody foresaw; the others must still be shown.
    """
    try:
        return Lane(place=place, selector=selector, selection=selector.select(pool, budget))
    except ValueError as problem:
        words = str(problem).removeprefix(f"{selector.name}: ")
    except Exception as problem:
        _log.exception("%s failed", selector.spec)
        words = f"{selector.name} failed with {type(problem).__name__}: {problem}"
    return Lane(place=place, selector=selector, selection=None, problem=words)


def has_facts(pool: Pool) -> bool:
    """Whether the question has facts and at least one passage was judged against them."""
    return bool(pool.gold) and bool(pool.support_bits.known.any())


def stated(pool: Pool) -> int:
    """How many distinct claims the whole pool states."""
    return len(pool.claim_bits.decode(pool.claim_bits.union(range(len(pool)))))


def supported_by_pool(pool: Pool) -> int:
    """How many facts the whole pool supports."""
    return len(_facts_of(pool, range(len(pool))))


def _facts_of(pool: Pool, rows: Sequence[int]) -> frozenset[str]:
    return pool.support_bits.decode(pool.support_bits.union(rows))


def _walk(selection: Selection) -> Iterator[Step]:
    pool, decisions = selection.pool, selection.decisions
    claims: set[str] = set()
    facts: set[str] = set()
    order = selection.selector.sequence(pool, selection.picks.order)
    judged = has_facts(pool)
    claim_place = {name: at for at, name in enumerate(pool.claim_bits.names)}
    fact_place = {name: at for at, name in enumerate(pool.gold)}
    for number, index in enumerate(order, start=1):
        decision = decisions[index]
        has, supports = pool.claim_bits.row(index), pool.support_bits.row(index) if judged else None
        new, old = _parted(has, claims, claim_place)
        new_facts, old_facts = _parted(supports, facts, fact_place)
        if decision.admitted:
            claims |= has or set()
            facts |= supports or set()
        yield Step(
            number=number,
            decision=decision,
            new=new,
            old=old,
            new_facts=new_facts,
            old_facts=old_facts,
            claims=len(claims),
            facts=len(facts),
            tokens=decision.spent,
        )


def _parted(
    has: frozenset[str] | None, covered: set[str], place: Mapping[str, int]
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """What is not covered yet and what is, each in the pool's order."""
    if has is None:
        return None, None
    placed = sorted(has, key=place.__getitem__)
    return (
        tuple(name for name in placed if name not in covered),
        tuple(name for name in placed if name in covered),
    )
