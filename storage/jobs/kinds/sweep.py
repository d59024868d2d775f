"""A sweep of a selector's parameters and budgets over a collection; what it measured is kept."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np
from sqlalchemy import Connection, delete, select

from selection.model import Budget, Pool
from selection.registry import Selector
from selection.sweep import sweep
from selection.swept import SweptPools, swept
from selection.trial import check as checked
from storage import queries
from storage import tables as t
from storage.compare import needs_of
from storage.engine import Database
from storage.fingerprint import combined
from storage.jobs.kinds import Finished, Work
from storage.jobs.lookup import jobs
from storage.jobs.view import JobView
from storage.sweeps import MEASURES, Swept

KEEPS = True
KEPT = 20
"""Finished sweeps that a collection keeps; older ones go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is swept. grid: (parameter, values); limits: (tokens, passages) of each budget.

    measures: columns of a sweep, see `Sweep.columns`.
    """

    selector: str
    grid: tuple[tuple[str, tuple[Any, ...]], ...]
    limits: tuple[tuple[int | None, int | None], ...] = ((None, None),)
    measures: tuple[str, ...] = MEASURES
    relevance: str | None = None

    @property
    def document(self) -> dict[str, Any]:
        """The request as it is stored: JSON knows lists only."""
        return dict(json.loads(json.dumps(asdict(self))))

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Request:
        return cls(
            selector=document["selector"],
            grid=tuple((name, tuple(values)) for name, values in document["grid"]),
            limits=tuple((tokens, passages) for tokens, passages in document["limits"]),
            measures=tuple(document["measures"]),
            relevance=document["relevance"],
        )

    @property
    def budgets(self) -> tuple[Budget, ...]:
        return tuple(Budget(tokens, passages) for tokens, passages in self.limits)

    @property
    def selectors(self) -> tuple[Selector, ...]:
        """One a setting of the grid, in order."""
        return sweep([], self.selector, dict(self.grid)).selectors


def check(database: Database, collection: str, request: Mapping[str, Any]) -> None:
    """Refuse a selector, a value, a budget or a measure that is none before anything is run."""
    asked = Request.read(request)
    sweep([], asked.selector, dict(asked.grid), budgets=asked.budgets).columns(*asked.measures)


def work(request: Mapping[str, Any]) -> Work:
    asked = Request.read(request)
    budgets, selectors = asked.budgets, asked.selectors
    return Work(
        task=partial(
            swept,
            name=asked.selector,
            grid=dict(asked.grid),
            budgets=budgets,
            measures=asked.measures,
        ),
        check=partial(_check_pools, selectors=selectors[:1], budgets=budgets),
        needs=frozenset(need for budget in budgets for need in needs_of(selectors, budget)),
        relevance=asked.relevance,
        slice=100,
    )


def _check_pools(
    pools: Sequence[Pool], *, selectors: Sequence[Selector], budgets: Sequence[Budget]
) -> None:
    for budget in budgets:
        checked(pools, selectors, budget)


def packed(results: Sequence[SweptPools]) -> bytes:
    file = io.BytesIO()
    arrays: dict[str, Any] = {
        name: np.concatenate([part.columns[name] for part in results])
        for name in results[0].columns
    }
    questions = [id for part in results for id in part.questions]
    np.savez_compressed(file, questions=_text(questions), **arrays)
    return file.getvalue()


def _text(questions: Sequence[str]) -> np.ndarray:
    """Ids as bytes of JSON: an array of texts would need pickle, or lose trailing zeros."""
    return np.frombuffer(json.dumps(questions).encode(), np.uint8)


def finish(connection: Connection, finished: Finished) -> str:
    """The chunks are the result; older sweeps of the collection make room."""
    j = t.jobs.c
    old = (
        select(j.id)
        .where(j.collection_id == finished.collection_id, j.kind == "sweep", j.state == "done")
        .order_by(j.id.desc())
        .offset(KEPT - 1)
    )
    connection.execute(delete(t.jobs).where(j.id.in_(connection.scalars(old).all())))
    return ""


def kept(database: Database, collection: str, request: Request) -> JobView | None:
    """The newest job that swept, or is about to sweep, the same on the data as they are now."""
    with database.read() as connection:
        home = queries.collection(database, collection)
        now = combined(queries.fingerprints(connection, home.id).values())
    same = (
        one
        for one in jobs(database, collection=collection, kind="sweep")
        if one.request == request.document
    )
    return next(
        (one for one in same if one.is_open or (one.state == "done" and one.fingerprint == now)),
        None,
    )


def read(database: Database, job: JobView) -> Swept:
    """What a finished sweep measured."""
    asked = Request.read(job.request)
    c = t.job_chunks.c
    with database.read() as connection:
        payloads = connection.scalars(
            select(c.payload).where(c.job_id == job.id).order_by(c.position)
        ).all()
    chunks = [np.load(io.BytesIO(payload)) for payload in payloads]
    width = len(asked.selectors) * len(asked.limits)
    return Swept(
        questions=tuple(id for one in chunks for id in json.loads(one["questions"].tobytes())),
        settings=tuple((one.values, budget) for one in asked.selectors for budget in asked.budgets),
        columns={
            name: np.concatenate([one[name] for one in chunks]) if chunks else np.zeros((0, width))
            for name in asked.measures
        },
    )
