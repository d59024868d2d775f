"""Reading saved comparisons: the list with their means, and what they say of one question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, Subquery, and_, case, func, select

from selection.measures import measure_names
from storage import tables as t
from storage.engine import Database
from storage.fingerprint import combined
from storage.views import ComparisonView, ResultPage, ResultRow, SavedResult


def comparisons(database: Database, collection: str | None = None) -> tuple[ComparisonView, ...]:
    """Saved comparisons with their means, the newest first; of one collection or of all."""
    c, k = t.comparisons.c, t.collections.c
    query = (
        select(t.comparisons, k.name.label("collection"))
        .join(t.collections, k.id == c.collection_id)
        .where(k.visible)
        .order_by(c.saved_at.desc(), c.id.desc())
    )
    if collection is not None:
        query = query.where(k.name == collection)
    with database.read() as connection:
        heads = connection.execute(query).all()
        means = _means(connection, [head.id for head in heads])
        now = _fingerprints(connection, {head.collection_id for head in heads})
    return tuple(_view(head, means[head.id], now[head.collection_id]) for head in heads)


def _fingerprints(connection: Connection, keys: set[int]) -> dict[int, str]:
    q = t.questions.c
    found = connection.execute(
        select(q.collection_id, q.fingerprint).where(q.collection_id.in_(keys))
    )
    groups: dict[int, list[str]] = {key: [] for key in keys}
    for key, one in found:
        groups[key].append(one)
    return {key: combined(ones) for key, ones in groups.items()}


def _means(
    connection: Connection, keys: list[int]
) -> Mapping[int, dict[str, dict[str, tuple[float | None, int]]]]:
    """Averages in SQL: comparison -> selector -> measure -> (mean, questions it is over)."""
    r = t.results.c
    names = measure_names()
    values = {name: r.measures[name].as_float() for name in names}
    found = connection.execute(
        select(
            r.comparison_id,
            r.selector,
            func.count(),
            *(func.avg(value) for value in values.values()),
            *(func.count(value) for value in values.values()),
        )
        .where(r.comparison_id.in_(keys))
        .group_by(r.comparison_id, r.selector, r.position)
        .order_by(r.comparison_id, r.position)
    )
    means: dict[int, dict[str, dict[str, tuple[float | None, int]]]] = defaultdict(dict)
    for key, selector, _, *cells in found:
        averages, counts = cells[: len(names)], cells[len(names) :]
        means[key][selector] = {
            name: (average, n) for name, average, n in zip(names, averages, counts, strict=True)
        }
    return means


def _view(head: Row[Any], means: Mapping[str, Any], fingerprint: str) -> ComparisonView:
    return ComparisonView(
        name=head.name,
        collection=head.collection,
        note=head.note,
        author=head.author,
        saved_at=head.saved_at,
        code_version=head.code_version,
        selectors=tuple(head.selectors),
        budget_tokens=head.budget_tokens,
        budget_passages=head.budget_passages,
        relevance=head.relevance,
        questions=max((n for one in means.values() for _, n in one.values()), default=0),
        means=means,
        stale=head.fingerprint != fingerprint,
    )


def saved_results(
    connection: Connection, collection: int, question: str
) -> tuple[SavedResult, ...]:
    """What every saved comparison says of one question, with differences to its baseline."""
    c, r = t.comparisons.c, t.results.c
    rows = connection.execute(
        select(c.name, r.selector, r.position, r.measures)
        .join(t.comparisons, c.id == r.comparison_id)
        .where(c.collection_id == collection, r.question == question)
        .order_by(c.saved_at.desc(), c.id.desc(), r.position)
    ).all()
    baselines = {row.name: row.measures for row in rows if row.position == 0}
    return tuple(
        SavedResult(
            comparison=row.name,
            selector=row.selector,
            baseline=row.position == 0,
            measures=row.measures,
            differences=_differences(row.measures, baselines.get(row.name, {})),
        )
        for row in rows
    )


def _differences(
    mine: Mapping[str, float | None], baseline: Mapping[str, float | None]
) -> dict[str, float | None]:
    def minus(name: str) -> float | None:
        one, other = mine.get(name), baseline.get(name)
        return None if one is None or other is None else one - other

    return {name: minus(name) for name in mine}


TOLERANCE = 1e-9
"""Differences up to this are none: they come from the rounding of sums."""


def result_page(
    database: Database,
    name: str,
    *,
    selector: str,
    measure: str,
    higher_is_better: bool = True,
    changed_only: bool = False,
    offset: int = 0,
    limit: int = 50,
) -> ResultPage:
    """Questions of a saved comparison by their difference to the baseline, the worst first.

    The baseline is the comparison's first selector. Pairs that are not defined come last.
    """
    pairs = _pairs(name, selector=selector, measure=measure)
    p = pairs.c
    gained = p.difference if higher_is_better else -p.difference
    wanted = func.abs(p.difference) > TOLERANCE if changed_only else p.question.is_not(None)
    with database.read() as connection:
        rows = connection.execute(
            select(pairs)
            .where(wanted)
            .order_by(p.difference.is_(None), gained, p.question)
            .offset(max(0, offset))
            .limit(max(0, limit))
        ).all()
        counts = connection.execute(
            select(
                func.coalesce(func.sum(case((wanted, 1), else_=0)), 0),
                *(
                    func.coalesce(func.sum(case((condition, 1), else_=0)), 0)
                    for condition in (
                        gained > TOLERANCE,
                        gained < -TOLERANCE,
                        func.abs(p.difference) <= TOLERANCE,
                        p.difference.is_(None),
                    )
                ),
            )
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


def _pairs(name: str, *, selector: str, measure: str) -> Subquery:
    """One row a question: the measure under the baseline and under the selector, and the text."""
    c, q = t.comparisons.c, t.questions.c
    first, other = t.results.alias("first"), t.results.alias("other")
    before = first.c.measures[measure].as_float()
    after = other.c.measures[measure].as_float()
    return (
        select(
            other.c.question,
            q.text,
            before.label("baseline"),
            after.label("value"),
            (after - before).label("difference"),
        )
        .join(t.comparisons, c.id == other.c.comparison_id)
        .join(
            first,
            and_(
                first.c.comparison_id == c.id,
                first.c.question == other.c.question,
                first.c.position == 0,
            ),
        )
        .outerjoin(
            t.questions,
            and_(q.collection_id == c.collection_id, q.external_id == other.c.question),
        )
        .where(c.name == name, other.c.selector == selector)
        .subquery()
    )
