"""Cover what the question asks about: its own terms, and relevance discounted by novelty."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from selection.greedy import greedy
from selection.ledger import Picks
from selection.model import Budget, FloatArray, Pool
from selection.registry import Param, register
from selection.selectors.near_duplicate import pool_text_similarity
from selection.selectors.reordering import GreedySelector
from selection.text.terms import content_words

BIGRAM_WEIGHT = 0.5
K1, B = 1.2, 0.75
"""Saturation of repeated terms, and how much a passage's length counts: BM25's usual values."""


@register(
    "aspect_coverage",
    title="aspect coverage",
    summary="Covers the terms of the question, and prefers relevant passages that are new.",
    params=(
        Param(
            "kappa",
            float,
            2.0,
            "How fast a term counts as covered: near 0 every further mention counts the same, "
            "large means once is enough.",
            low=0.01,
            high=100.0,
        ),
        Param(
            "relevance",
            float,
            0.1,
            "Share of relevance times novelty in the score: 0 is terms only, 1 relevance only.",
            low=0.0,
            high=1.0,
        ),
        Param(
            "cost_power",
            float,
            0.0,
            "Divides the score by tokens to this power: 0 ignores length, 1 compares per token.",
            low=0.0,
            high=1.0,
        ),
    ),
    needs=("score", "texts"),
    reorders=True,
)
class AspectCoverage(GreedySelector):
    """Takes the best score that fits until nothing fits; needs texts and a question, no claims.

    Aspects are the content words of the question and, at half weight, its content bigrams, each
    weighted by its inverse document frequency in the pool. With m(t, p) in [0, 1] the saturated
    frequency of aspect t in passage p, c(t, S) = 1 - exp(-kappa * sum of m(t, p) over S). Score:
    (1 - relevance) * gain in sum_t w_t c(t, S) + relevance * rel(p) * (1 - highest TF-IDF cosine
    to a chosen passage), divided by tokens^cost_power; rel is scaled to [0, 1] within the pool.

    The first part is monotone submodular, the whole is not: no guarantee.
    """

    kappa: float
    relevance: float
    cost_power: float

    def incremental(self, pool: Pool) -> AspectGains:
        return AspectGains(
            aspects(pool),
            relevance=unit_range(pool.relevance),
            similarity=pool_text_similarity(pool),
            kappa=self.kappa,
            share=self.relevance,
            divisor=cost_divisor(pool, self.cost_power),
        )

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        return greedy(pool, budget, self.incremental(pool)) if len(pool) else Picks(order=())


@dataclass(frozen=True, slots=True)
class Aspects:
    """weights: shape (m,), sum 1. matches: shape (n, m), m(t, p) in [0, 1]."""

    weights: FloatArray
    matches: FloatArray


def aspects(pool: Pool) -> Aspects:
    """The aspects of a pool's question and how strongly each passage speaks of them; kept."""
    if "aspects" not in pool.memo:
        pool.memo["aspects"] = _aspects(pool.question, pool.texts)
    found: Aspects = pool.memo["aspects"]
    return found


def _aspects(question: str, texts: Sequence[str]) -> Aspects:
    asked = _terms(content_words(question))
    documents = [content_words(text) for text in texts]
    counted = [Counter(_terms(words)) for words in documents]
    names = [name for name in dict.fromkeys(asked) if any(name in count for count in counted)]
    frequency = np.array([[count[name] for name in names] for count in counted], dtype=np.float64)
    frequency = frequency.reshape(len(texts), len(names))
    lengths = np.array([len(words) for words in documents], dtype=np.float64)
    mean = float(lengths.mean()) if lengths.any() else 1.0
    softness = K1 * (1.0 - B + B * lengths / mean)[:, None]
    matches = np.divide(
        frequency, frequency + softness, out=np.zeros_like(frequency), where=frequency > 0
    )
    found_in = (frequency > 0).sum(axis=0)
    weights = np.array(
        [
            (BIGRAM_WEIGHT if " " in name else 1.0)
            * math.log(1.0 + (len(texts) - df + 0.5) / (df + 0.5))
            for name, df in zip(names, found_in.tolist(), strict=True)
        ]
    )
    total = float(weights.sum())
    return Aspects(weights / total if total > 0 else weights, matches)


def _terms(words: Sequence[str]) -> list[str]:
    """Words, and pairs of neighbours joined by a blank (which no word contains)."""
    return [*words, *(f"{a} {b}" for a, b in pairwise(words))]


class AspectGains:
    """The score of each passage given what is chosen, as the selector defines it."""

    noise = 1e-12

    def __init__(
        self,
        asked: Aspects,
        *,
        relevance: FloatArray,
        similarity: FloatArray,
        kappa: float,
        share: float,
        divisor: FloatArray,
    ) -> None:
        self._weights = asked.weights
        self._kept = np.exp(-kappa * asked.matches)
        self._open = np.ones(len(asked.weights))
        self._relevance = relevance
        self._similarity = similarity
        self._nearest = np.zeros(len(relevance))
        self._share = share
        self._divisor = divisor

    def values(self) -> FloatArray:
        novel = self._relevance * (1.0 - self._nearest)
        return ((1.0 - self._share) * self.covering() + self._share * novel) / self._divisor

    def covering(self) -> FloatArray:
        """How much more of the question each passage would cover, shape (n,)."""
        return np.asarray((1.0 - self._kept) @ (self._weights * self._open))

    def add(self, index: int) -> None:
        self._open = self._open * self._kept[index]
        self._nearest = np.maximum(self._nearest, self._similarity[index])


def unit_range(scores: FloatArray) -> FloatArray:
    """Scores moved and scaled to [0, 1]; all 1 where they are equal."""
    low, high = float(scores.min(initial=np.inf)), float(scores.max(initial=-np.inf))
    if not high > low:
        return np.ones(len(scores))
    # Halves first: the distance of two finite scores may not be finite.
    return (scores / 2 - low / 2) / (high / 2 - low / 2)


def cost_divisor(pool: Pool, power: float) -> FloatArray:
    """Tokens to a power; ones where length does not count."""
    if power == 0.0 or pool.tokens is None:
        return np.ones(len(pool))
    return np.maximum(pool.tokens, 1.0) ** power
