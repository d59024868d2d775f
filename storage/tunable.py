"""A whole collection as the Tuning page needs it, read once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from selection.model import Pool
from storage import queries
from storage.compare import pools
from storage.engine import Database
from storage.views import Sources


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


def tunable(
    database: Database,
    collection: str,
    *,
    relevance: str | None,
    progress: Callable[[int, int], None] | None = None,
) -> Tunable:
    """Read a collection. progress: called with questions done and questions in all.

    :raises NotStored: for an unknown collection.
    """
    total = queries.collection(database, collection).questions
    built = []
    for one in pools(database, collection, relevance=relevance):
        built.append(one)
        if progress and len(built) % 50 == 0:
            progress(len(built), total)
    held = [one for one in built if len(one.pool)]
    sources = [one.sources for one in held]
    given = {name for name in ("tokens", "claims") if _all_given(sources, name)}
    scales = sorted({one.relevance for one in sources})
    return Tunable(
        pools=tuple(one.pool for one in held),
        facts=tuple(one.facts for one in held),
        given=frozenset(given),
        relevance=scales[0] if len(scales) == 1 else "mixed",
    )


def _all_given(sources: list[Sources], name: str) -> bool:
    return bool(sources) and all(getattr(one, name) == "given" for one in sources)
