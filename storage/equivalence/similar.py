"""Pairs of claims of one question that may say the same, by the words they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from selection.text.meaning import CONDITIONS, NEGATIONS, NUMBER_WORDS
from selection.text.statements import statement_key
from selection.text.tfidf import text_similarity

MOST = 600
"""Claims of one question that are held against each other; the rest is left alone."""

_TELLING = NEGATIONS | CONDITIONS | frozenset(NUMBER_WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two claims and the cosine of their words, in (0, 1]. kept: the one that is stated first."""

    kept: str
    other: str
    similarity: float


def similar(texts: Mapping[str, str], *, threshold: float) -> tuple[Pair, ...]:
    """Pairs from a similarity on, the most alike first.

    texts: claim -> its wording, in the order in which claims are first stated. Claims that differ
    in a number, a negation or a condition are never a pair, however alike they are.

    :raises ValueError: for a threshold outside (0, 1].
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"The threshold is {threshold}; more than 0 and at most 1 is accepted.")
    names = list(texts)[:MOST]
    if len(names) < 2:
        return ()
    telling = [_telling(texts[name]) for name in names]
    cosines = np.triu(text_similarity([texts[name] for name in names]), k=1)
    # A cosine of 1 may come out a rounding error below it.
    found = [
        Pair(kept=names[a], other=names[b], similarity=float(cosines[a, b]))
        for a, b in zip(*np.nonzero(cosines >= threshold - 1e-9), strict=True)
        if telling[a] == telling[b]
    ]
    return tuple(sorted(found, key=lambda pair: -pair.similarity))


def _telling(text: str) -> tuple[str, ...]:
    """The words that make another claim of the same sentence, in order."""
    words = statement_key(text).split()
    return tuple(w for w in words if w in _TELLING or any(map(str.isdecimal, w)))
