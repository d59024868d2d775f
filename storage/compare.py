"""Comparing selectors over a whole collection, question by question, under one budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from selection.model import Budget, Pool
from selection.registry import Need, Selector
from selection.trial import Row, trial
from storage import queries
from storage.engine import Database
from storage.fingerprint import combined
from storage.pools import Built, build_pool
from storage.reading import pools_of
from storage.stored import read_questions

CHUNK = 100
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Selectors side by side over a collection; the first is the baseline.

    selectors: as text, every parameter said. rows: question by question, selectors in order.
    fingerprint: of the data that was compared; fingerprints: of each question, by its id.
    """

    collection: str
    selectors: tuple[str, ...]
    budget: Budget
    relevance: str | None
    fingerprint: str
    rows: tuple[Row, ...]
    fingerprints: Mapping[str, str] = field(default_factory=dict)

    def means(self, selector: str) -> dict[str, tuple[float | None, int]]:
        """Measure -> mean over the questions where it is defined, and how many these are."""
        mine = [row.measures for row in self.rows if row.selector == selector]
        names = dict.fromkeys(name for one in mine for name in one)
        return {name: _mean([one.get(name) for one in mine]) for name in names}


def _mean(values: Sequence[float | None]) -> tuple[float | None, int]:
    known = [value for value in values if value is not None]
    return (fmean(known) if known else None), len(known)


def compare(
    database: Database,
    collection: str,
    selectors: Sequence[Selector],
    budget: Budget,
    *,
    relevance: str | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Run selectors over every question of a collection.

    progress: called with questions done and questions in all.

    :raises NotStored: for an unknown collection.
    :raises ValueError: without selectors, for one named twice, or where a selector cannot run;
        then the question is named.
    """
    specs = checked_specs(selectors)
    needs = needs_of(selectors, budget)
    rows: list[Row] = []
    with database.read() as connection:
        home = queries.collection(database, collection)
        fingerprints = queries.fingerprints(connection, home.id)
        keys = queries.question_keys(connection, home.id)
    for start in range(0, len(keys), CHUNK):
        some = keys[start : start + CHUNK]
        found = pools_of(database, home.id, some, needs=needs, relevance=relevance)
        for done, pool in enumerate(found, start=start + 1):
            rows.extend(trial([pool], selectors, budget))
            if progress:
                progress(done, home.questions)
    return Comparison(
        collection=collection,
        selectors=specs,
        budget=budget,
        relevance=relevance,
        fingerprint=combined(fingerprints.values()),
        rows=tuple(rows),
        fingerprints=fingerprints,
    )


def checked_specs(selectors: Sequence[Selector]) -> tuple[str, ...]:
    """Selectors as text, every parameter said.

    :raises ValueError: without selectors, or for one named twice.
    """
    specs = tuple(selector.spec for selector in selectors)
    if not specs:
        raise ValueError("No selector was named; name at least one.")
    if len(set(specs)) < len(specs):
        twice = next(spec for spec in specs if specs.count(spec) > 1)
        raise ValueError(f"{twice} is named twice; each selector is compared once.")
    return specs


def needs_of(selectors: Sequence[Selector], budget: Budget) -> frozenset[Need]:
    """What some selectors read of a pool under a budget."""
    return frozenset(need for one in selectors for need in one.requires(Pool(), budget))


def pools(
    database: Database, collection: str, *, relevance: str | None, with_similarity: bool = True
) -> Iterator[Built]:
    """The pool of every question of a collection, in order, a chunk read at a time."""
    home = queries.collection(database, collection)
    frequencies = queries.frequencies(database, home) if with_similarity else None
    with database.read() as connection:
        keys = queries.question_keys(connection, home.id)
    for start in range(0, len(keys), CHUNK):
        with database.read() as connection:
            chunk = read_questions(connection, keys[start : start + CHUNK])
        for stored in chunk:
            yield build_pool(stored, relevance=relevance, frequencies=frequencies)
