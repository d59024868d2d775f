"""What an exact search answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

SECONDS = 10.0
"""How long a measure may search before it says that it does not know."""

EQUAL = 1e-9
"""Relative distance below which two values are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """The best set found: indices in rank order, its value, and what no set can exceed.

    proven: the value is the optimum. False only where the time limit was hit.
    """

    order: tuple[int, ...]
    value: float
    bound: float
    proven: bool


def dual_bound(result: Any, total: float) -> float:
    """What no set can exceed, by an integer program that ran out of time; at most `total`."""
    bound = getattr(result, "mip_dual_bound", None)
    return total if bound is None or not np.isfinite(bound) else min(total, -float(bound))
