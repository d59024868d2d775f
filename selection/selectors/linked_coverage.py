"""Follow what passages share: a passage that is needed may never use the words of the question."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.sparse import csr_array, diags_array

from selection.greedy import greedy
from selection.ledger import Picks
from selection.model import Budget, FloatArray, Pool
from selection.registry import Param, register
from selection.selectors.aspect_coverage import (
    K1,
    AspectGains,
    Aspects,
    B,
    aspects,
    cost_divisor,
    unit_range,
)
from selection.selectors.near_duplicate import pool_text_similarity
from selection.selectors.reordering import GreedySelector
from selection.text.terms import content_words

BRIDGE = 4.0
"""How much more a term of the question counts in the passage most tied to one already chosen."""
_CONVERGED, _MOST_STEPS = 1e-13, 500


@register(
    "linked_coverage",
    title="linked coverage",
    summary="Covers the question's terms, and lets relevance flow between passages that share "
    "terms the question lacks.",
    params=(
        Param(
            "spread",
            float,
            0.6,
            "Share of relevance that flows on along shared terms: 0 keeps the scores as given, "
            "near 1 the best connected passages lead.",
            low=0.0,
            high=0.95,
        ),
        Param(
            "relevance",
            float,
            0.7,
            "Share of relevance times novelty in the score: 0 is terms of the question only, "
            "1 relevance only.",
            low=0.0,
            high=1.0,
        ),
        Param(
            "cost_power",
            float,
            0.25,
            "Divides the score by tokens to this power: 0 ignores length, 1 compares per token.",
            low=0.0,
            high=1.0,
        ),
    ),
    needs=("score", "texts"),
    reorders=True,
)
class LinkedCoverage(GreedySelector):
    """Takes the best score that fits until nothing fits; needs texts and a question, no claims.

    Two passages are linked by the cosine of their content words, weighted by inverse document
    frequency, without the words of the question. Relevance is that of a random walk which starts
    at passages by their score and follows links (Otterbacher, Erkan and Radev 2005), so the second
    half of an answer is found by way of the first. Score: (1 - relevance) * gain in covered terms
    of the question, as in `aspect_coverage` with kappa 2, times 1 + 4 * the strongest link to a
    chosen passage (the strongest of the pool is 1), plus relevance * rel(p) * (1 - highest TF-IDF
    cosine to a chosen passage); all divided by tokens^cost_power. No guarantee.
    """

    spread: float
    relevance: float
    cost_power: float

    def incremental(self, pool: Pool) -> LinkedGains:
        links = linked(pool)
        return LinkedGains(
            aspects(pool),
            links=links / (float(links.max(initial=0.0)) or 1.0),
            relevance=unit_range(walked(unit_range(pool.relevance), links, spread=self.spread)),
            similarity=pool_text_similarity(pool),
            share=self.relevance,
            divisor=cost_divisor(pool, self.cost_power),
        )

    def pick(self, pool: Pool, budget: Budget) -> Picks:
        return greedy(pool, budget, self.incremental(pool)) if len(pool) else Picks(order=())


def linked(pool: Pool) -> FloatArray:
    """How strongly passages are linked, shape (n, n), symmetric, 0 to 1, diagonal 0; kept."""
    if "links" not in pool.memo:
        pool.memo["links"] = _links(pool)
    links: FloatArray = pool.memo["links"]
    return links


def _links(pool: Pool) -> FloatArray:
    if not len(pool):
        return np.zeros((0, 0))
    counts = [Counter(content_words(text)) for text in pool.texts]
    asked = set(content_words(pool.question))
    frequency = Counter(word for count in counts for word in count)
    # A word of one passage alone ties it to nothing, but would still lengthen its vector.
    names = [word for word, held in frequency.items() if held > 1 and word not in asked]
    place = {word: at for at, word in enumerate(names)}
    lengths = np.array([count.total() for count in counts], dtype=np.float64)
    softness = K1 * (1.0 - B + B * lengths / (float(lengths.mean()) or 1.0))
    size = len(counts)
    rare = [np.log(1.0 + (size - n + 0.5) / (n + 0.5)) for n in map(frequency.__getitem__, names)]
    entries = [
        (row, place[word], times / (times + softness[row]) * rare[place[word]])
        for row, count in enumerate(counts)
        for word, times in count.items()
        if word in place
    ]
    if not entries:
        return np.zeros((size, size))
    rows, columns, values = zip(*entries, strict=True)
    matrix = csr_array((values, (rows, columns)), shape=(size, len(names)))
    norms = np.sqrt((matrix * matrix).sum(axis=1))
    unit = diags_array(1.0 / np.where(norms > 0, norms, 1.0)) @ matrix
    links: FloatArray = np.clip((unit @ unit.T).toarray(), 0.0, 1.0)
    np.fill_diagonal(links, 0.0)
    return links


def walked(start: FloatArray, links: FloatArray, *, spread: float) -> FloatArray:
    """Where a walk is found that starts by `start` and, at every step, follows a link with chance
    `spread`, else starts anew; shape (n,). What has no link leads nowhere."""
    total = float(start.sum())
    if not total or not spread:
        return start
    out = links.sum(axis=0)
    chances = links / np.where(out > 0, out, 1.0)
    source: FloatArray = (1.0 - spread) * start / total
    found = source
    for _ in range(_MOST_STEPS):
        before, found = found, source + spread * (chances @ found)
        if float(np.abs(found - before).max()) < _CONVERGED:
            break
    return found


class LinkedGains(AspectGains):
    """The score of each passage given what is chosen, as the selector defines it."""

    def __init__(
        self,
        asked: Aspects,
        *,
        links: FloatArray,
        relevance: FloatArray,
        similarity: FloatArray,
        share: float,
        divisor: FloatArray,
    ) -> None:
        super().__init__(
            asked,
            relevance=relevance,
            similarity=similarity,
            kappa=2.0,
            share=share,
            divisor=divisor,
        )
        self._links = links
        self._tied = np.zeros(len(relevance))

    def covering(self) -> FloatArray:
        return super().covering() * (1.0 + BRIDGE * self._tied)

    def add(self, index: int) -> None:
        super().add(index)
        self._tied = np.maximum(self._tied, self._links[index])
