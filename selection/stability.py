"""How firmly each passage is selected: the share of slightly different runs that keep it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from selection.ledger import Selection
from selection.model import FloatArray, Pool

TOKEN_ERROR = 0.1
"""Token counts are off by up to this share, either way: another tokenizer, a template."""
SCORE_NOISE = 0.05
"""Standard deviation of the noise on scores, as a share of their own in the pool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """share: for every rank the share of runs in which it is selected, shape (n,), from 0 to 1.

    runs: how many there were. seed: what makes them again.
    """

    share: FloatArray
    runs: int
    seed: int


def stability(selection: Selection, *, runs: int = 100, seed: int = 0) -> Stability:
    """Repeat a selection under shuffled ties, score noise and token-count error, all at once.

    What is not known stays unknown. Token counts stay whole. Passages of equal score change places
    with one another; where the pool is ranked by its scores, noise on them ranks it anew.

    :raises ValueError: for fewer than one run, and for `optimum`, the yardstick, which is too dear.
    """
    if runs < 1:
        raise ValueError(f"runs is {runs}; a whole number of 1 or more is accepted.")
    if selection.selector.yardstick:
        raise ValueError(f"{selection.selector.name}: stability is not computed for the yardstick.")
    counts = np.zeros(len(selection.pool))
    draw = np.random.default_rng(seed)
    for pool, places in _variants(selection.pool, runs, draw):
        order = selection.selector.select(pool, selection.budget).picks.order
        counts[places[list(order)]] += 1.0
    return Stability(share=counts / runs, runs=runs, seed=seed)


def _variants(
    pool: Pool, runs: int, draw: np.random.Generator
) -> Iterator[tuple[Pool, np.ndarray]]:
    """Slightly different pools, and where each of their passages stands in the given one."""
    for _ in range(runs):
        places = _shuffled_ties(pool, draw)
        scores = _noisy(pool.scores, places, draw)
        if scores is not None and pool.scores is not None and (np.diff(pool.scores) <= 0).all():
            anew = np.argsort(-scores, kind="stable")
            places, scores = places[anew], scores[anew]
        yield (
            pool.rearranged(
                places,
                scores=scores,
                rerank_scores=_noisy(pool.rerank_scores, places, draw),
                tokens=_miscounted(pool, places, draw),
            ),
            places,
        )


def _shuffled_ties(pool: Pool, draw: np.random.Generator) -> np.ndarray:
    """An order in which passages of equal score have changed places; else the given one."""
    places = np.arange(len(pool))
    if pool.scores is None:
        return places
    for value in np.unique(pool.scores):
        tied = np.flatnonzero(pool.scores == value)
        places[tied] = draw.permutation(tied)
    return places


def _noisy(
    scores: FloatArray | None, places: np.ndarray, draw: np.random.Generator
) -> FloatArray | None:
    if scores is None:
        return None
    scale = SCORE_NOISE * float(scores.std()) if len(scores) else 0.0
    return np.asarray(scores[places] + draw.normal(scale=scale, size=len(scores)))


def _miscounted(pool: Pool, places: np.ndarray, draw: np.random.Generator) -> np.ndarray | None:
    if pool.tokens is None:
        return None
    error = draw.uniform(1.0 - TOKEN_ERROR, 1.0 + TOKEN_ERROR, len(pool))
    return np.asarray(np.rint(pool.tokens[places] * error).astype(np.int64))
