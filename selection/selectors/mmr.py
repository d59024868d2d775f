"""Maximal marginal relevance."""

from __future__ import annotations

import numpy as np

from selection.model import FloatArray, Pool
from selection.registry import Param, register
from selection.selectors.reordering import GreedySelector


@register(
    "mmr",
    title="MMR",
    summary="Trades relevance against the highest similarity to what is already chosen.",
    params=(
        Param(
            "lambda_",
            float,
            0.5,
            "1 is relevance only (top-k by score), 0 is difference only after the first pick.",
            low=0.0,
            high=1.0,
            title="lambda",
        ),
        Param(
            "clip",
            bool,
            False,
            "True counts a negative similarity as 0, False lets it raise a passage.",
        ),
    ),
    needs=("score", "similarity"),
    reorders=True,
)
class MMR(GreedySelector):
    """Carbonell and Goldstein 1998; the first pick is the most relevant.

    Greedy on no fixed set function, so no guarantee exists. Scores count as given: on another scale
    than cosines, lambda loses its meaning.
    """

    lambda_: float
    clip: bool

    def incremental(self, pool: Pool) -> MMRGains:
        return MMRGains(
            pool.relevance,
            pool.clipped_similarity if self.clip else pool.similarity,
            lambda_=self.lambda_,
        )


class MMRGains:
    """lambda * relevance - (1 - lambda) * highest similarity to a chosen passage."""

    def __init__(self, relevance: FloatArray, similarity: FloatArray, *, lambda_: float) -> None:
        self._relevance = relevance
        self._similarity = similarity
        self._lambda = lambda_
        self._highest: FloatArray | None = None
        self.noise = 1e-12 * (1.0 - lambda_)

    def values(self) -> FloatArray:
        if self._highest is None:
            return self._relevance
        return self._lambda * self._relevance - (1.0 - self._lambda) * self._highest

    def add(self, index: int) -> None:
        row = self._similarity[index]
        self._highest = row.copy() if self._highest is None else np.maximum(self._highest, row)
