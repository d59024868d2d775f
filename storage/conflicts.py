"""Passages of one pool whose statements differ only in a number or a unit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from selection.text.statements import skeleton
from storage.stored import StoredQuestion
from storage.texts import statements_of
from storage.views import Conflict

MOST = 200
"""Conflicts listed at most: a pool that differs everywhere is shown by its first pairs."""

SCOPES = ("region", "country", "locale", "lang", "language", "product", "plan", "version")
"""Metadata that says where a statement holds, in the order in which it is shown."""


def conflicts(stored: StoredQuestion) -> tuple[Conflict, ...]:
    """Pairs of passages, by rank, that say the same but for a number or a unit."""
    variants: dict[str, dict[str, list[tuple[int, str]]]] = defaultdict(lambda: defaultdict(list))
    for at, passage in enumerate(stored.passages):
        text = passage.record.text
        for one in statements_of(text):
            shape = skeleton(one.key)
            if shape:  # a bare quantity, such as a cell of a table, contradicts nothing
                variants[shape][one.key].append((at, text[one.start : one.end]))
    found = [
        _conflict(stored, first, second)
        for keys in variants.values()
        for one, other in combinations(keys.values(), 2)
        for first in one
        for second in other
        if first[0] != second[0]
    ]
    found.sort(key=lambda one: (one.first_rank, one.second_rank, one.first_text))
    return tuple(found[:MOST])


def _conflict(stored: StoredQuestion, first: tuple[int, str], second: tuple[int, str]) -> Conflict:
    (a, said), (b, against) = sorted((first, second))
    return Conflict(
        first_rank=a + 1,
        second_rank=b + 1,
        first_text=said,
        second_text=against,
        first_scope=scope(stored.passages[a].record.metadata),
        second_scope=scope(stored.passages[b].record.metadata),
    )


def scope(metadata: Mapping[str, Any]) -> str:
    """Where a passage holds, in words; empty where its metadata do not say."""
    return ", ".join(str(metadata[name]) for name in SCOPES if metadata.get(name))
