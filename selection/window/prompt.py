"""The assembled prompt: what stands where, how deep the evidence lies, and what is said twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from selection.model import Pool
from selection.window.fill import Filled


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One passage in the prompt. index: 0-based rank. start: tokens of passages before it.

    depth: share of the passages' tokens above its middle, 0 at the top, 1 at the bottom.
    to_question: tokens from its end to the question.
    """

    index: int
    tokens: int
    start: int
    depth: float
    to_question: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """system, tools, history, passages, question, in this order.

    places: the passages that stayed. distance: tokens between instruction and question.
    """

    filled: Filled
    places: tuple[Place, ...]

    @property
    def distance(self) -> int:
        tokens = self.filled.tokens
        return tokens["tools"] + tokens["history"] + tokens["retrieval"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """A claim in the prompt, and the passages that state it, 0-based, in the prompt's order."""

    claim: str
    by: tuple[int, ...]


def assemble(pool: Pool, order: Sequence[int], filled: Filled) -> Prompt:
    """Lay the passages out. order: 0-based indices as they stand in the prompt, before any drop.

    :raises ValueError: where a passage's tokens are not known.
    """
    if pool.tokens is None:
        raise ValueError(f"passage {pool.first_without('tokens')!r} has no tokens.")
    kept = list(order)[: len(order) - filled.dropped]
    costs = [int(pool.tokens[index]) for index in kept]
    total, start = sum(costs), 0
    places = []
    for index, cost in zip(kept, costs, strict=True):
        middle = start + cost / 2
        places.append(
            Place(
                index=index,
                tokens=cost,
                start=start,
                depth=middle / total if total else 0.5,
                to_question=total - start - cost,
            )
        )
        start += cost
    return Prompt(filled=filled, places=tuple(places))


def gold_passages(pool: Pool) -> frozenset[int]:
    """Answer-bearing passages; where nobody named any, those that support a gold fact."""
    if pool.answer_bearing:
        places = (pool.position.get(name) for name in pool.answer_bearing)
        return frozenset(place for place in places if place is not None)
    if not pool.gold:
        return frozenset()
    bits = pool.support_bits
    return frozenset(np.flatnonzero(bits.known & bits.matrix().any(axis=1)).tolist())


def repeats(pool: Pool, prompt: Prompt) -> tuple[Repeat, ...]:
    """Every claim of the prompt, the most repeated first, then as they come."""
    found: dict[str, list[int]] = {}
    names = pool.claim_bits.names
    matrix = pool.claim_bits.matrix()
    for place in prompt.places:
        for bit in np.flatnonzero(matrix[place.index]):
            found.setdefault(names[bit], []).append(place.index)
    lines = [Repeat(claim=name, by=tuple(by)) for name, by in found.items()]
    return tuple(sorted(lines, key=lambda one: -len(one.by)))
