"""How results move with the threshold from which claims would be merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from selection.model import Budget
from selection.registry import Selector
from storage import queries
from storage.engine import Database
from storage.equivalence.decisions import fact_names
from storage.equivalence.merging import joined, merge_bits
from storage.equivalence.similar import Pair, similar
from storage.pools import build_pool
from storage.stored import StoredQuestion, read_questions
from storage.texts import claim_texts

CHUNK = 100
THRESHOLDS = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One threshold over a collection. pairs: that it merges. claims: different ones, a question's
    mean. changed: questions whose selection differs from that without merging; of: questions.
    """

    threshold: float
    pairs: int
    claims: float
    changed: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Pairs over a collection, the most alike first, and what each threshold would do."""

    pairs: tuple[Pair, ...]
    effects: tuple[Effect, ...]


def look(
    database: Database,
    collection: str,
    *,
    threshold: float,
    selector: Selector,
    budget: Budget,
    thresholds: Sequence[float] = THRESHOLDS,
) -> Found:
    """Find pairs from a threshold on, and try each of `thresholds` with a selector.

    Claims that name facts stay as they are; what is merged already counts as one.

    :raises NotStored: for an unknown collection. :raises ValueError: where the selector needs what
        a question lacks.
    """
    home = queries.collection(database, collection)
    frequencies = queries.frequencies(database, home)
    with database.read() as connection:
        named = fact_names(connection, home.id)
    pairs: dict[tuple[str, str], Pair] = {}
    tries = [_Try(level) for level in thresholds]
    for stored in _questions(database, home.id):
        texts = {n: text for n, text in _stated(stored).items() if n not in named}
        found = similar(texts, threshold=min(threshold, *thresholds))
        pairs |= {(p.kept, p.other): p for p in found if p.similarity >= threshold - 1e-9}

        def sent(one: StoredQuestion) -> tuple[int, ...]:
            pool = build_pool(one, relevance=None, frequencies=frequencies).pool
            return selector.select(pool, budget).ranks

        before = sent(stored)
        for one in tries:
            merged = one.merge(stored, found)
            one.changed += merged is not stored and sent(merged) != before
    ordered = sorted(pairs.values(), key=lambda pair: -pair.similarity)
    return Found(pairs=tuple(ordered), effects=tuple(one.effect for one in tries))


class _Try:
    """Counts what one threshold does."""

    def __init__(self, threshold: float) -> None:
        self.threshold = threshold
        self.changed = 0
        self._pairs: set[tuple[str, str]] = set()
        self._claims = self._questions = 0

    def merge(self, stored: StoredQuestion, found: Sequence[Pair]) -> StoredQuestion:
        """The question with the pairs of this threshold merged; itself where there are none."""
        near = [(p.kept, p.other) for p in found if p.similarity >= self.threshold - 1e-9]
        self._pairs.update(near)
        self._questions += 1
        bits = merge_bits(stored.claims, joined(near))
        self._claims += len(bits.names)
        return stored if bits is stored.claims else replace(stored, claims=bits)

    @property
    def effect(self) -> Effect:
        return Effect(
            threshold=self.threshold,
            pairs=len(self._pairs),
            claims=self._claims / max(1, self._questions),
            changed=self.changed,
            of=self._questions,
        )


def _questions(database: Database, collection: int) -> Iterator[StoredQuestion]:
    with database.read() as connection:
        keys = queries.question_keys(connection, collection)
    for start in range(0, len(keys), CHUNK):
        with database.read() as connection:
            yield from read_questions(connection, keys[start : start + CHUNK])


def _stated(stored: StoredQuestion) -> dict[str, str]:
    """The wording of the claims that selectors see, in the order in which they are stated."""
    texts = claim_texts(stored)
    return {name: texts.get(name, name) for name in stored.claims.names}
