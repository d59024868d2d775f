"""Questions of two saved runs by their difference under one measure, a page at a time."""

from __future__ import annotations

from typing import Literal, get_args

from sqlalchemy import ColumnElement, Subquery, and_, case, func, select, true

from storage import tables as t
from storage.contrast import Run
from storage.engine import Database
from storage.views import ResultPage, ResultRow

TOLERANCE = 1e-9
"""Differences up to this are none: they come from the rounding of sums."""

Which = Literal["changed", "worse", "better", "all"]
WHICH: tuple[Which, ...] = get_args(Which)


def pair_page(
    database: Database,
    baseline: Run,
    other: Run,
    *,
    measure: str,
    higher_is_better: bool = True,
    which: Which = "all",
    same_data: bool = False,
    offset: int = 0,
    limit: int = 50,
) -> ResultPage:
    """Questions that both runs have, the worst first; only the better ones have the best first.

    Pairs without a value in one of them come last, with `which="all"`. same_data: leave out
    questions whose data were not the same.
    """
    pairs = _pairs(baseline, other, measure=measure, same_data=same_data)
    p = pairs.c
    gained = p.difference if higher_is_better else -p.difference
    conditions: dict[Which, ColumnElement[bool]] = {
        "changed": func.abs(p.difference) > TOLERANCE,
        "worse": gained < -TOLERANCE,
        "better": gained > TOLERANCE,
        "all": true(),
    }
    wanted = conditions[which]
    counted = (
        wanted,
        conditions["better"],
        conditions["worse"],
        func.abs(p.difference) <= TOLERANCE,
        p.difference.is_(None),
    )
    with database.read() as connection:
        rows = connection.execute(
            select(pairs)
            .where(wanted)
            .order_by(p.difference.is_(None), -gained if which == "better" else gained, p.question)
            .offset(max(0, offset))
            .limit(max(0, limit))
        ).all()
        counts = connection.execute(
            select(*(func.coalesce(func.sum(case((one, 1), else_=0)), 0) for one in counted))
        ).one()
    total, better, worse, equal, undefined = (int(one) for one in counts)
    return ResultPage(
        rows=tuple(ResultRow(**row._mapping) for row in rows),
        total=total,
        better=better,
        worse=worse,
        equal=equal,
        undefined=undefined,
    )


def _pairs(baseline: Run, other: Run, *, measure: str, same_data: bool) -> Subquery:
    """One row a question: the measure in both runs, and the text of the question as it is now."""
    q = t.questions.c
    first, last = t.results.alias("first"), t.results.alias("last")
    before, after = t.comparisons.alias("before"), t.comparisons.alias("after")
    was = first.c.measures[measure].as_float()
    now = last.c.measures[measure].as_float()
    query = (
        select(
            last.c.question,
            q.text,
            was.label("baseline"),
            now.label("value"),
            (now - was).label("difference"),
        )
        .select_from(after)
        .join(last, last.c.comparison_id == after.c.id)
        .join(before, before.c.name == baseline.comparison)
        .join(
            first, and_(first.c.comparison_id == before.c.id, first.c.question == last.c.question)
        )
        .outerjoin(
            t.questions,
            and_(q.collection_id == after.c.collection_id, q.external_id == last.c.question),
        )
        .where(
            after.c.name == other.comparison,
            last.c.selector == other.selector,
            first.c.selector == baseline.selector,
        )
    )
    if same_data:
        query = query.where(first.c.fingerprint == last.c.fingerprint)
    return query.subquery()
