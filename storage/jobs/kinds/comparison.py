"""A comparison of selectors over a collection, saved under a name when it is done."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from sqlalchemy import Connection, select

from selection.model import Budget
from selection.registry import parse_selector
from selection.trial import Row, trial
from selection.trial import check as checked
from storage import tables as t
from storage.compare import Comparison, checked_specs, needs_of
from storage.engine import Database
from storage.jobs.kinds import Finished, Work
from storage.saved import NameTaken, checked_name, write_comparison

KEEPS = False
SLICE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is compared, and the name it is saved under. selectors: as text, the baseline first."""

    name: str
    selectors: tuple[str, ...]
    tokens: int | None = None
    passages: int | None = None
    relevance: str | None = None
    note: str = ""
    replace: bool = False

    @property
    def document(self) -> dict[str, Any]:
        """The request as it is stored."""
        return {**asdict(self), "selectors": list(self.selectors)}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Request:
        return cls(**{**document, "selectors": tuple(document["selectors"])})


def check(database: Database, collection: str, request: Mapping[str, Any]) -> None:
    """Refuse what cannot end well before anything is run.

    :raises NameTaken: where the name is in use, or another job will use it.
    :raises ValueError: for a name or a selector that is none.
    """
    asked = Request.read(request)
    name = checked_name(asked.name)
    checked_specs([parse_selector(spec) for spec in asked.selectors])
    Budget(asked.tokens, asked.passages)
    j = t.jobs.c
    with database.read() as connection:
        taken = not asked.replace and _taken(connection, name)
        planned = connection.scalars(
            select(j.request).where(j.kind == "comparison", j.state.in_(("queued", "running")))
        ).all()
    if taken:
        raise NameTaken(
            f"There is a comparison {name!r} already; choose another name or replace it. "
            "Nothing was run or stored."
        )
    if any(Request.read(one).name.strip() == name and one != request for one in planned):
        raise NameTaken(
            f"A comparison {name!r} is being run already; choose another name, or cancel that one. "
            "Nothing was run or stored."
        )


def work(request: Mapping[str, Any]) -> Work:
    asked = Request.read(request)
    selectors = [parse_selector(spec) for spec in asked.selectors]
    budget = Budget(asked.tokens, asked.passages)
    return Work(
        task=partial(trial, selectors=selectors, budget=budget),
        check=partial(checked, selectors=selectors, budget=budget),
        needs=needs_of(selectors, budget),
        relevance=asked.relevance,
        slice=SLICE,
    )


def packed(results: Sequence[Sequence[Row]]) -> bytes:
    rows = [
        [row.question, row.selector, dict(row.measures), list(row.ranks)]
        for part in results
        for row in part
    ]
    return zlib.compress(json.dumps(rows).encode())


def _unpacked(payload: bytes) -> Iterator[Row]:
    for question, selector, measures, ranks in json.loads(zlib.decompress(payload)):
        yield Row(question=question, selector=selector, measures=measures, ranks=tuple(ranks))


def finish(connection: Connection, finished: Finished) -> str:
    """Save the comparison; returns its name, with a number where it was taken meanwhile."""
    asked = Request.read(finished.request)
    name = asked.name.strip() if asked.replace else _free(connection, asked.name.strip())
    comparison = Comparison(
        collection=finished.collection,
        selectors=tuple(parse_selector(spec).spec for spec in asked.selectors),
        budget=Budget(asked.tokens, asked.passages),
        relevance=asked.relevance,
        fingerprint=finished.fingerprint,
        rows=tuple(row for payload in finished.payloads for row in _unpacked(payload)),
        fingerprints=finished.fingerprints,
    )
    write_comparison(
        connection,
        finished.collection_id,
        comparison,
        name=name,
        note=asked.note,
        author=finished.author,
        replace=asked.replace,
    )
    return name


def _free(connection: Connection, name: str) -> str:
    number = 1
    free = name
    while _taken(connection, free):
        number += 1
        free = f"{name[:190]} ({number})"
    return free


def _taken(connection: Connection, name: str) -> bool:
    c = t.comparisons.c
    return connection.scalar(select(c.id).where(c.name == name)) is not None
