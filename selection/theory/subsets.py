"""All subsets of a few passages at once: is a set function submodular, and is it monotone?

Subset number b holds passage i where bit i of b is set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from selection.model import FloatArray
from selection.theory.objectives import SetFunction

MOST = 12
"""Passages up to which all subsets are looked at: 4,096 values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What holds for every subset.

    least_gain: the smallest gain of any passage to any set; below 0 the function is not monotone.
    least_difference: the smallest gain(e | A) - gain(e | A + one more); below 0 it is not
    submodular. witness: the smallest gain(e | A) - gain(e | B) over all A inside B.
    """

    subsets: int
    least_gain: float
    least_difference: float
    witness: float


def shape(function: SetFunction, size: int) -> Shape:
    """Look at every subset of the first `size` passages.

    :raises ValueError: for no passage, or more than `MOST`.
    """
    if not 1 <= size <= MOST:
        raise ValueError(f"size is {size}; 1 to {MOST} passages are accepted.")
    values = table(function, size)
    gains = [_gains(values, at) for at in range(size)]
    return Shape(
        subsets=len(values),
        least_gain=min(float(one.min()) for one in gains),
        least_difference=min((_difference(one) for one in gains), default=0.0),
        witness=min(_nested(one) for one in gains),
    )


def table(function: SetFunction, size: int) -> FloatArray:
    """The value of every subset, shape (2^size,)."""
    members = [[i for i in range(size) if b >> i & 1] for b in range(2**size)]
    return np.array([function(one) for one in members], dtype=np.float64)


def _gains(values: FloatArray, at: int) -> FloatArray:
    """Gain of one passage to every set without it, shape (2,) * (size - 1)."""
    size = int(np.log2(len(values)))
    cube = values.reshape((2,) * size)
    axis = size - 1 - at
    return np.asarray(cube.take(1, axis=axis) - cube.take(0, axis=axis))


def _difference(gains: FloatArray) -> float:
    """The smallest fall of a gain when one more passage is there already."""
    falls = [
        float((gains.take(0, axis=axis) - gains.take(1, axis=axis)).min())
        for axis in range(gains.ndim)
    ]
    return min(falls, default=0.0)


def _nested(gains: FloatArray) -> float:
    """The smallest gain(A) - gain(B) over all A inside B, from the largest gain of supersets."""
    largest = gains.copy()
    for axis in range(gains.ndim):
        with_it = largest.take(1, axis=axis)
        without = np.maximum(largest.take(0, axis=axis), with_it)
        largest = np.stack([without, with_it], axis=axis)
    return float((gains - largest).min())
