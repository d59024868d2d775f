"""Set functions of the theory, each as a plain function of the chosen indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import entr, softmax

from selection.answer_model import probabilities
from selection.model import FloatArray, Pool

SetFunction = Callable[[Sequence[int]], float]
"""The value of a set of 0-based indices; their order means nothing."""


def coverage(pool: Pool, *, signed: bool = False) -> SetFunction:
    """Facility location: sum_i w_i max_(j in S) sim_ij, w_i = max(0, rel_i), 0 for no passage.

    signed: leave negative cosines as they are; by default they count as 0.
    """
    weights = np.maximum(pool.relevance, 0.0)
    similarity = pool.similarity if signed else pool.clipped_similarity

    def value(chosen: Sequence[int]) -> float:
        return float(weights @ similarity[:, chosen].max(axis=1)) if len(chosen) else 0.0

    return value


def shifted_log_det(pool: Pool, *, quality: float = 0.5) -> SetFunction:
    """log det(I + L_S), L = diag(q) G diag(q), q = exp(quality * rel)."""
    q = np.exp(quality * pool.relevance)
    kernel = q[:, None] * pool.similarity * q

    def value(chosen: Sequence[int]) -> float:
        part = kernel[np.ix_(chosen, chosen)]
        return float(np.linalg.slogdet(np.eye(len(chosen)) + part)[1]) if len(chosen) else 0.0

    return value


def fixed_mmr(pool: Pool, *, lambda_: float = 0.5) -> SetFunction:
    """lambda * sum of relevance - (1 - lambda) * sum of similarity over pairs, clipped at 0.

    The set function closest to MMR; MMR itself is greedy on none.
    """
    relevance, similarity = pool.relevance, pool.clipped_similarity

    def value(chosen: Sequence[int]) -> float:
        part = similarity[np.ix_(chosen, chosen)]
        pairs = (part.sum() - np.trace(part)) / 2.0
        return float(lambda_ * relevance[list(chosen)].sum() - (1.0 - lambda_) * pairs)

    return value


def information_gain(
    vectors: FloatArray, query: FloatArray, prototypes: FloatArray, *, tau: float
) -> SetFunction:
    """How far reading lowers the entropy of the read-out, in bits; 0 for no passage.

    It starts from the query alone. A realised drop, not a mutual information: it may be negative.
    vectors: shape (n, d); query: shape (d,); prototypes: shape (m, d).
    """
    before = _bits(softmax(prototypes @ query / tau))

    def value(chosen: Sequence[int]) -> float:
        if not len(chosen):
            return 0.0
        read = vectors[list(chosen)]
        after = probabilities(query=query, passages=read, prototypes=prototypes, tau=tau)
        return before - _bits(after)

    return value


def entropy(shares: FloatArray) -> float:
    """Entropy of a distribution in bits. shares: shape (m,), sum 1."""
    return _bits(shares)


def _bits(shares: FloatArray) -> float:
    return float(entr(shares).sum() / np.log(2.0))
