"""How firmly a passage is selected: the share of slightly different inputs that keep it.

Three things are less certain than they look: which of two equals comes first, the last digits of a
score, and token counts made by another tokenizer. Each is varied alone, and all together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from selection.ledger import Selection
from selection.model import FloatArray, IntArray, Pool

Cause = Literal["ties", "scores", "tokens"]
CAUSES: tuple[Cause, ...] = ("ties", "scores", "tokens")

RUNS = 40
SCORE_NOISE = 0.02
TOKEN_ERROR = 0.10


@dataclass(frozen=True, slots=True, kw_only=True)
class Stability:
    """Shares of runs in which each passage of the pool is selected, 0 to 1, one a rank.

    together: all causes at once. alone: cause -> shares with nothing else varied.
    """

    runs: int
    together: tuple[float, ...]
    alone: Mapping[Cause, tuple[float, ...]]

    def firm(self, rank: int) -> float:
        """The share of the passage at a 1-based rank, all causes at once."""
        return self.together[rank - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Errors:
    """How large the errors are, and what draws them."""

    score_noise: float
    token_error: float
    draw: np.random.Generator = field(repr=False)

    def scores(self, column: FloatArray | None) -> FloatArray | None:
        """Normal noise; its standard deviation is a share of the distance from low to high."""
        if column is None or not len(column):
            return column
        spread = self.score_noise * float(column.max() - column.min())
        return np.asarray(column + self.draw.normal(0.0, spread, len(column)))

    def tokens(self, column: IntArray | None) -> IntArray | None:
        """Each count off by up to a share of itself, uniformly, rounded to whole tokens."""
        if column is None:
            return None
        factors = self.draw.uniform(1.0 - self.token_error, 1.0 + self.token_error, len(column))
        return np.rint(column * factors).astype(np.int64)


def stability(
    selection: Selection,
    *,
    runs: int = RUNS,
    seed: int = 0,
    score_noise: float = SCORE_NOISE,
    token_error: float = TOKEN_ERROR,
) -> Stability:
    """Select again from varied pools under the same budget and count who stays.

    runs: how many for each cause, and as many again for all together. score_noise: standard
    deviation as a share of the distance between the pool's lowest and highest score.
    token_error: the largest error of a count as a share of it. Where the ranking follows the
    scores, noise moves ranks as well. The same seed gives the same shares.

    :raises ValueError: for `optimum`, whose runs are an integer program each.
    """
    if selection.selector.name == "optimum":
        raise ValueError("optimum: stability is not offered, every run is an integer program.")

    def shares(causes: tuple[Cause, ...]) -> tuple[float, ...]:
        errors = _Errors(
            score_noise=score_noise, token_error=token_error, draw=np.random.default_rng(seed)
        )
        kept = np.zeros(len(selection.pool))
        for _ in range(runs):
            kept[_again(selection, causes, errors)] += 1
        return tuple((kept / max(1, runs)).tolist())

    return Stability(
        runs=runs, together=shares(CAUSES), alone={cause: shares((cause,)) for cause in CAUSES}
    )


def _again(selection: Selection, causes: tuple[Cause, ...], errors: _Errors) -> NDArray[np.intp]:
    """Indices into the pool of what is selected from one varied copy of it."""
    pool, selector = selection.pool, selection.selector
    noisy = "scores" in causes
    scores = errors.scores(pool.scores) if noisy else pool.scores
    reranked = errors.scores(pool.rerank_scores) if noisy else pool.rerank_scores
    tokens = errors.tokens(pool.tokens) if "tokens" in causes else pool.tokens
    order = np.arange(len(pool))
    if "ties" in causes:
        order = _shuffled(pool, errors.draw, all_of_them=selector.reorders)
    if noisy and scores is not None and _follows_scores(pool) and not selector.reorders:
        order = order[np.argsort(-scores[order], kind="stable")]
    copy = _copy(pool, order, scores=scores, reranked=reranked, tokens=tokens)
    return order[list(selector.pick(copy, selection.budget).order)]


def _shuffled(pool: Pool, draw: np.random.Generator, *, all_of_them: bool) -> NDArray[np.intp]:
    """Another order among equals: equal scores where ranks are walked.

    A selector that reorders asks for ranks only to break ties, so there any order will do.
    """
    order = draw.permutation(len(pool))
    if all_of_them:
        return order
    if pool.scores is None:
        return np.arange(len(pool))
    # Each run of equal scores keeps its ranks and deals them out anew.
    ends = np.concatenate([[0], np.cumsum(np.diff(pool.scores) != 0)]) if len(pool) else order
    return np.lexsort((order, ends))


def _follows_scores(pool: Pool) -> bool:
    return pool.scores is not None and bool((np.diff(pool.scores) <= 0).all())


def _copy(
    pool: Pool,
    order: NDArray[np.intp],
    *,
    scores: FloatArray | None,
    reranked: FloatArray | None,
    tokens: IntArray | None,
) -> Pool:
    """The same candidates in another order, with other numbers, and without gold."""
    bits = pool.claim_bits
    return Pool.from_arrays(
        [pool.ids[index] for index in order.tolist()],
        tokens=None if tokens is None else tokens[order],
        scores=None if scores is None else scores[order],
        rerank_scores=None if reranked is None else reranked[order],
        claim_words=bits.words[order] if bits.complete else None,
        claim_names=bits.names,
        texts=[pool.texts[index] for index in order.tolist()],
        embeddings=None if pool.embeddings is None else pool.embeddings[order],
        similarity=pool.similarity[np.ix_(order, order)] if pool.has_similarity else None,
        question=pool.question,
        id=pool.id,
        sent=pool.sent,
    )
