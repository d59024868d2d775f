"""Reviewed questions promoted to cases of the gate: kept frozen, and checked from then on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, delete, insert, select

from selection.diagnosis import Diagnosis
from selection.model import Budget
from selection.registry import Selector, parse_selector
from storage import __version__, deeds, queries
from storage import tables as t
from storage.engine import Database
from storage.frozen import Frozen, freeze
from storage.guard import Checked, Expected, State, check, expectation
from storage.outcomes import pair
from storage.pools import build_pool
from storage.reviews import reviews
from storage.studies.prompts import needs_similarity
from storage.studies.study import AGAINST, Studied, study

COMPETES = (AGAINST, "repetition")


class AlreadyGuarded(ValueError):
    """The question is a case already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One promoted question. setting: the selector that has to hold it, as text.

    arms: the earlier and the later one that it was reviewed under, with their settings as recorded.
    """

    collection: str
    question: str
    setting: str
    budget: Budget
    expected: Expected
    arms: Mapping[str, str]
    verdict: str
    note: str
    promoted_by: str
    promoted_at: datetime
    packed: bytes

    def check(self, selector: Selector | None = None, budget: Budget | None = None) -> Checked:
        """Hold the frozen question against its own setting, or another one."""
        try:
            chosen = selector or parse_selector(self.setting)
        except ValueError as problem:
            return Checked(state=State.UNJUDGED, why=(str(problem).rstrip("."),), tokens=None)
        limits = self.budget if budget is None else budget
        return check(Frozen(self.packed), self.expected, chosen, limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A question on its way to a case: frozen, with what a setting would have to show."""

    frozen: Frozen
    expected: Expected
    arms: Mapping[str, str]

    def check(self, selector: Selector, budget: Budget) -> Checked:
        """Whether a setting holds it."""
        return check(self.frozen, self.expected, selector, budget)


def candidate(
    database: Database,
    collection: str,
    question: str,
    *,
    baseline: str,
    candidate: str,
    marks: Collection[str] = (),
) -> Candidate:
    """Freeze a question as it is stored now, with what the earlier arm's prompt showed of it.

    marks: signs of crowding that stand out over the collection; a crowded question is limited by
    those of them that grew, or where there are none by what competes: a larger prompt alone is
    no regression.

    :raises NotStored: for an unknown collection or question.
    :raises ValueError: without outcomes of both arms, or where nothing is known that could be
        checked.
    """
    home = queries.collection(database, collection)
    words = queries.frequencies(database, home)
    with database.read() as connection:
        stored = queries.read_question(connection, home, question)
    paired = pair(stored.record.arms, baseline, candidate)
    if paired is None:
        raise ValueError(
            f"Question {question!r} has no outcomes of both {baseline!r} and {candidate!r}. "
            "Nothing was stored."
        )
    similar = any(needs_similarity(arm) for arm in stored.record.arms)
    pool = build_pool(stored, relevance=None, frequencies=words if similar else None).pool
    one = study(stored, pool, paired)
    return Candidate(
        frozen=Frozen(freeze(stored.record, words)),
        expected=_expected(one, marks),
        arms={arm.name: arm.setting or "" for arm in (paired.before[0], paired.after[0])},
    )


def _expected(one: Studied, marks: Collection[str]) -> Expected:
    grew = [name for name, rise in one.rises.items() if rise > 0]
    crowded = one.finding.diagnosis is Diagnosis.CROWDED
    return expectation(
        one.pool,
        one.before.order if one.before else (),
        evidence_known=one.record.answer_bearing is not None,
        against=one.against,
        signs=[name for name in grew if name in (marks or COMPETES)] if crowded else (),
    )


def promote(
    database: Database,
    collection: str,
    question: str,
    chosen: Candidate,
    *,
    selector: Selector,
    budget: Budget,
    by: str,
) -> None:
    """Make a reviewed question a case of the gate.

    :raises AlreadyGuarded: where it is one. :raises ValueError: where nobody has reviewed it.
    """
    home = queries.collection(database, collection)
    now = reviews(database, collection).get(question)
    if now is None or now.current is None:
        raise ValueError(
            f"Nobody has reviewed question {question!r}; give it a verdict first. "
            "Nothing was stored."
        )
    c = t.cases.c
    with database.write() as connection:
        same = (c.collection_id == home.id, c.question == question)
        if connection.scalar(select(c.id).where(*same)) is not None:
            raise AlreadyGuarded(
                f"Question {question!r} is a case of the gate already; take it out first to guard "
                "it otherwise. Nothing was stored."
            )
        connection.execute(
            insert(t.cases).values(
                collection_id=home.id,
                question=question,
                frozen=chosen.frozen.packed,
                selector=selector.spec,
                budget_tokens=budget.tokens,
                budget_passages=budget.passages,
                must=list(chosen.expected.must),
                limits=dict(chosen.expected.limits),
                arms=dict(chosen.arms),
                verdict=now.current.verdict,
                note=now.current.note,
                promoted_by=by.strip()[:200] or "unknown",
                promoted_at=datetime.now(UTC),
                code_version=__version__,
            )
        )
        deeds.record(
            connection,
            who=by.strip(),
            deed="added to the gate",
            collection=collection,
            what=deeds.counted(1, "question"),
        )


def cases(
    database: Database, collection: str | None = None, *, question: str | None = None
) -> tuple[Case, ...]:
    """Every case, of one collection or question or of all, in the order of their promotion.

    :raises NotStored: for an unknown collection.
    """
    home = None if collection is None else queries.collection(database, collection).id
    c, h = t.cases.c, t.collections.c
    query = select(t.cases, h.name).join(t.collections, h.id == c.collection_id).order_by(c.id)
    if home is not None:
        query = query.where(c.collection_id == home)
    if question is not None:
        query = query.where(c.question == question)
    with database.read() as connection:
        return tuple(_case(row) for row in connection.execute(query))


def release(database: Database, collection: str, question: str) -> bool:
    """Take a question out of the gate; False where it is no case.

    :raises NotStored: for an unknown collection.
    """
    home = queries.collection(database, collection)
    c = t.cases.c
    with database.write() as connection:
        done = connection.execute(
            delete(t.cases).where(c.collection_id == home.id, c.question == question)
        )
        if done.rowcount:
            deeds.record(
                connection,
                who=database.who,
                deed="took out of the gate",
                collection=collection,
                what=deeds.counted(1, "question"),
            )
    return bool(done.rowcount)


def _case(row: Row[Any]) -> Case:
    return Case(
        collection=row.name,
        question=row.question,
        setting=row.selector,
        budget=Budget(tokens=row.budget_tokens, passages=row.budget_passages),
        expected=Expected(must=tuple(row.must), limits=row.limits),
        arms=row.arms,
        verdict=row.verdict,
        note=row.note,
        promoted_by=row.promoted_by,
        promoted_at=row.promoted_at,
        packed=row.frozen,
    )
