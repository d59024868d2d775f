"""The only way from a page to the database: every answer kept under ids and versions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.ui import gate
from pages.ui.lanes import Lane, run_lane
from selection.model import Budget
from selection.registry import Selector, parse_selector
from storage import jobs, queries, results, waiting
from storage import pair_page as pairs
from storage.access import Role
from storage.compare import compare
from storage.contrast import Run, Standing, contrast
from storage.drift import Drift, drift
from storage.engine import Database
from storage.jobs.kinds.comparison import Request
from storage.opening import open_database
from storage.pair_page import Which
from storage.saved import checked_name, save_comparison
from storage.views import CollectionView, ComparisonView, Page, QuestionView, ResultPage

FRESH_SECONDS = 3
"""How long the list of collections is believed before the database is asked again."""


@st.cache_resource(show_spinner="Opening the database")
def opened() -> Database:
    """The database, opened once a process; the first start fills in the built-in collections."""
    return open_database()


def engine() -> Any:
    """The database for reading: a write through it is refused."""
    return opened().for_reading()


def writing(role: Role) -> Any:
    """The database for who has a role, or one that may do more.

    :raises Forbidden: in a sentence, for everybody else.
    """
    who = gate.require(role)
    return engine().for_writing(who.name)


@st.cache_data(ttl=FRESH_SECONDS, show_spinner=False)
def _collections() -> tuple[CollectionView, ...]:
    return queries.collections(engine())


def collections() -> tuple[CollectionView, ...]:
    """Every collection that who is looking may see, as it is or was a moment ago."""
    return tuple(one for one in _collections() if gate.sees(one.name))


def version(collection: CollectionView) -> str:
    """What a stored answer depends on: it changes with an import and with a saved comparison."""
    return f"{collection.id}/{collection.imported_at.isoformat()}/{collection.comparisons}"


@st.cache_data(max_entries=64, show_spinner=False)
def _first(name: str, stamp: str) -> str:
    return queries.first_question(engine(), name)


def first_question(collection: CollectionView) -> str:
    """The id of the first question of a collection."""
    return _first(collection.name, version(collection))


@st.cache_resource(max_entries=64, show_spinner=False)
def _question(name: str, question: str, relevance: str | None, stamp: str) -> QuestionView:
    return queries.question(engine(), name, question, relevance=relevance)


def question(collection: CollectionView, question: str, *, relevance: str | None) -> QuestionView:
    """One question with everything that its page draws. Shared by all sessions: never changed."""
    return _question(collection.name, question, relevance, version(collection))


@st.cache_resource(max_entries=512, show_spinner=False)
def _lane(
    name: str,
    question: str,
    relevance: str | None,
    stamp: str,
    spec: str,
    place: int,
    tokens: int | None,
    passages: int | None,
) -> Lane:
    pool = _question(name, question, relevance, stamp).pool
    return run_lane(pool, Budget(tokens, passages), parse_selector(spec), place=place)


def lane(
    view: QuestionView, spec: str, *, place: int, budget: Budget, relevance: str | None
) -> Lane:
    """One selector run on a question under a budget."""
    return _lane(
        view.collection.name,
        view.id,
        relevance,
        version(view.collection),
        spec,
        place,
        budget.tokens,
        budget.passages,
    )


def save(
    collection: CollectionView,
    selectors: Sequence[Selector],
    limits: Budget,
    *,
    relevance: str | None,
    name: str,
    note: str,
    author: str,
    replace: bool,
    progress: Callable[[int, int], None],
) -> None:
    """Run selectors over the whole collection, and save what they did under a name.

    progress: called with questions done and questions in all.

    :raises ValueError: in a sentence, where a selector cannot run or the name is taken.
    """
    database = writing(Role.EDITOR)
    checked_name(name)
    found = compare(
        database, collection.name, selectors, limits, relevance=relevance, progress=progress
    )
    save_comparison(database, found, name=name, note=note, author=author, replace=replace)


def submit(collection: str, request: Request, *, author: str) -> int:
    """Run a comparison as a job in a process of its own; returns the job's id.

    :raises ValueError: in a sentence, where it cannot be run or the name is taken.
    """
    database = writing(Role.EDITOR)
    found = jobs.submit(
        database, "comparison", collection, request.document, title=request.name, author=author
    )
    jobs.start(database)
    return found


def questions(
    collection: CollectionView,
    *,
    search: str,
    outcome: str,
    where: tuple[str, str] | None = None,
    sort: str,
    descending: bool,
    offset: int,
    limit: int,
) -> Page:
    """Some rows of the list of questions. Not kept: the database is fast enough."""
    return queries.questions(
        engine(),
        collection.name,
        search=search,
        outcome=outcome,
        where=where,
        sort=sort,
        descending=descending,
        offset=offset,
        limit=limit,
    )


@st.cache_data(max_entries=64, show_spinner=False)
def _metadata(name: str, stamp: str) -> dict[str, tuple[str, ...]]:
    return queries.metadata_values(engine(), name)


def metadata(collection: CollectionView) -> dict[str, tuple[str, ...]]:
    """Names of metadata that questions can be filtered by, with their values."""
    return _metadata(collection.name, version(collection))


@st.cache_data(ttl=FRESH_SECONDS, max_entries=64, show_spinner=False)
def _comparisons(collection: str | None) -> tuple[ComparisonView, ...]:
    return results.comparisons(engine(), collection)


def comparisons(collection: str | None = None) -> tuple[ComparisonView, ...]:
    """Saved comparisons of what may be seen, the newest first."""
    return tuple(one for one in _comparisons(collection) if gate.sees(one.collection))


@st.cache_data(ttl=FRESH_SECONDS, max_entries=64, show_spinner=False)
def progress(collection: str) -> waiting.Progress:
    """How far the review of a collection is, as it is or was a moment ago."""
    return waiting.review_progress(engine(), collection)


@st.cache_data(max_entries=64, show_spinner="Testing the differences")
def _contrast(
    runs: tuple[Run, ...], measure: str, same_data: bool, stamps: tuple[str, ...]
) -> tuple[Standing, ...]:
    return contrast(engine(), runs, measure, same_data=same_data)


def standings(
    runs: Sequence[Run], measure: str, *, same_data: bool, stamps: Sequence[str]
) -> tuple[Standing, ...]:
    """Saved runs against the first of them. stamps: when each was saved."""
    return _contrast(tuple(runs), measure, same_data, tuple(stamps))


def pair_page(
    baseline: Run,
    other: Run,
    *,
    measure: str,
    higher_is_better: bool,
    which: Which,
    same_data: bool,
    offset: int,
    limit: int,
) -> ResultPage:
    """Some questions of two saved runs, by their difference."""
    return pairs.pair_page(
        engine(),
        baseline,
        other,
        measure=measure,
        higher_is_better=higher_is_better,
        which=which,
        same_data=same_data,
        offset=offset,
        limit=limit,
    )


@st.cache_data(max_entries=64, show_spinner=False)
def _drift(name: str, stamp: str) -> Drift:
    return drift(engine(), name)


def changes(one: ComparisonView, stamp: str) -> Drift:
    """Which questions have changed since a comparison was saved. stamp: of its collection."""
    return _drift(one.name, f"{one.saved_at.isoformat()}/{stamp}")


def forget() -> None:
    """Ask the database again at the next run: after this session has written to it."""
    _collections.clear()
    _comparisons.clear()
    progress.clear()
