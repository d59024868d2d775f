"""Two fair bits and their exclusive or: each says nothing, together they say everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from selection.model import FloatArray
from selection.theory.objectives import entropy


@dataclass(frozen=True, slots=True, kw_only=True)
class Synergy:
    """Information about the answer in bits: of either bit alone, and of both."""

    first: float
    second: float
    both: float


def exclusive_or() -> Synergy:
    """I(A; D1), I(A; D2) and I(A; D1, D2) for A = D1 xor D2, from the joint table of four rows."""
    rows = [(d1, d2, d1 ^ d2) for d1, d2 in product((0, 1), repeat=2)]
    return Synergy(
        first=information(rows, [0], 2),
        second=information(rows, [1], 2),
        both=information(rows, [0, 1], 2),
    )


def information(rows: Sequence[Sequence[int]], known: Sequence[int], answer: int) -> float:
    """Mutual information in bits between some columns and another, all rows equally likely."""
    told = [tuple(row[column] for column in known) for row in rows]
    answers = [row[answer] for row in rows]
    joint = list(zip(told, answers, strict=True))
    return _entropy(told) + _entropy(answers) - _entropy(joint)


def _entropy(values: Sequence[object]) -> float:
    counts: FloatArray = np.array([values.count(one) for one in set(values)], dtype=np.float64)
    return entropy(counts / counts.sum())
