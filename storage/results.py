"""Reading saved comparisons: the list with their means, and what they say of one question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, func, select

from selection.measures import measure_names
from storage import tables as t
from storage.engine import Database
from storage.equivalence.marking import marked
from storage.fingerprint import combined
from storage.views import ComparisonView, SavedResult


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
        select(q.collection_id, q.external_id, q.fingerprint).where(q.collection_id.in_(keys))
    )
    groups: dict[int, dict[str, str]] = {key: {} for key in keys}
    for key, name, one in found:
        groups[key][name] = one
    return {key: combined(marked(connection, key, ones).values()) for key, ones in groups.items()}


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
