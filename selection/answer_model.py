"""A synthetic read-out: how much probability a set of passages puts on the right answer.

It stands in for a language model where everything is a vector. It shows how a selection shifts
belief between answers that lie close together; it is no evidence about any language model.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from selection.model import FloatArray


def probabilities(
    *, query: ArrayLike, passages: ArrayLike, prototypes: ArrayLike, tau: float
) -> FloatArray:
    """Probability of each of the m answers given the query and what was sent, shape (m,), sum 1.

    The logit of an answer is the inner product of its prototype with the query, plus the mean of
    its inner products with the passages, all divided by tau. The mean, not the sum: every further
    passage takes weight from those before it. Without passages the query alone decides.

    query: shape (d,). passages: shape (k, d), k may be 0. prototypes: shape (m, d).
    tau: temperature above 0; near 0 the best answer takes all, large values level all answers.

    :raises ValueError: for a tau that is not above 0, vectors of differing length, or no answers.
    """
    if not tau > 0:
        raise ValueError(f"tau is {tau!r}; a number above 0 is accepted.")
    asked = np.asarray(query, dtype=np.float64)
    answers = _rows(prototypes, length=len(asked), what="prototypes")
    if not len(answers):
        raise ValueError("prototypes is empty; one or more answers are accepted.")
    read = _rows(passages, length=len(asked), what="passages")
    seen = asked + read.mean(axis=0) if len(read) else asked
    return np.asarray(softmax(answers @ seen / tau), dtype=np.float64)


def mass(
    *, query: ArrayLike, passages: ArrayLike, prototypes: ArrayLike, answer: int, tau: float
) -> float:
    """Probability of one answer: 0 means certainty that it is another, 1 certainty that it is this.

    answer: row of `prototypes`, 0-based. The rest as in `probabilities`.

    :raises ValueError: as `probabilities` does, and for an answer without a prototype.
    """
    shares = probabilities(query=query, passages=passages, prototypes=prototypes, tau=tau)
    if not 0 <= answer < len(shares):
        raise ValueError(f"answer is {answer!r}; 0 to {len(shares) - 1} is accepted.")
    return float(shares[answer])


def _rows(vectors: ArrayLike, *, length: int, what: str) -> FloatArray:
    rows = np.asarray(vectors, dtype=np.float64)
    if not rows.size:
        return np.zeros((0, length))
    if rows.ndim != 2 or rows.shape[1] != length:
        raise ValueError(f"{what} has shape {rows.shape}; (rows, {length}) is accepted.")
    return rows
