"""Which questions and values can be compared: a mean over other questions would be another mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from selection.model import FloatArray

LEAST = 0.5
"""Share of the questions on which a value must be defined to be compared at all."""


def complete(scores: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns without any NaN between them, of a table (questions, values).

    Values that are undefined for more than half of the questions go first (a selection of nothing
    has no redundancy), then the questions that lack any of the rest.
    """
    finite = np.isfinite(scores)
    if not finite.any():
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    columns = np.flatnonzero(finite.mean(axis=0) >= LEAST * finite.any(axis=1).mean())
    rows = np.flatnonzero(finite[:, columns].all(axis=1))
    return rows, columns
