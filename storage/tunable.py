"""A whole collection as the Tuning page needs it, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from selection.model import Pool
from storage import queries
from storage.compare import pools
from storage.engine import Database
from storage.reading import pools_of
from storage.views import CollectionView, Sources


@dataclass(frozen=True, kw_only=True)
class Tunable:
    """pools: every question that has candidates, in order. facts: for each, fact id -> its words.

    given: `tokens`, `claims`: what every passage came with; the rest was computed. relevance: how
    scores were rescaled.
    """

    pools: tuple[Pool, ...] = field(repr=False)
    facts: tuple[Mapping[str, str], ...] = field(repr=False)
    given: frozenset[str]
    relevance: str

    @property
    def judged(self) -> bool:
        """Whether any question has gold facts that somebody has looked for."""
        return any(pool.gold for pool in self.pools)


MANY = 1000
"""Questions above which only what a selector needs is read: ten thousand pools of texts would fill
the memory."""
CHUNK = 500
READ = frozenset({"tokens", "score", "claims"})
"""What is read of many questions whatever the selector needs: the page draws from it."""


def tunable(
    database: Database,
    collection: str,
    *,
    relevance: str | None,
    needs: frozenset[str] = frozenset(),
) -> Tunable:
    """Read a collection. needs: what a selector needs of passages; with up to `MANY` questions
    everything is read.

    :raises NotStored: for an unknown collection.
    """
    home = queries.collection(database, collection)
    if home.questions > MANY:
        return _by_numbers(database, home, relevance=relevance, needs=READ | needs)
    held = [one for one in pools(database, collection, relevance=relevance) if len(one.pool)]
    sources = [one.sources for one in held]
    scales = sorted({one.relevance for one in sources})
    return Tunable(
        pools=tuple(one.pool for one in held),
        facts=tuple(one.facts for one in held),
        given=frozenset(name for name in ("tokens", "claims") if _all_given(sources, name)),
        relevance=scales[0] if len(scales) == 1 else "mixed",
    )


def _all_given(sources: list[Sources], name: str) -> bool:
    return bool(sources) and all(getattr(one, name) == "given" for one in sources)


def _by_numbers(
    database: Database, home: CollectionView, *, relevance: str | None, needs: frozenset[str]
) -> Tunable:
    """Many questions by their numbers: facts go by their names, texts are read one at a time."""
    with database.read() as connection:
        keys = queries.question_keys(connection, home.id)
    held: list[Pool] = []
    for start in range(0, len(keys), CHUNK):
        some = keys[start : start + CHUNK]
        found = pools_of(database, home.id, some, needs=needs, relevance=relevance)
        held += [pool for pool in found if len(pool)]
    return Tunable(
        pools=tuple(held),
        facts=tuple({} for _ in held),
        given=frozenset({"claims"} if home.with_claims == home.questions else ()),
        relevance=relevance or "mixed",
    )
