"""What is accepted in a passage, a pool and a budget; what is not is named in a sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def whole(value: Any, *, where: str, what: str) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise ValueError(
            f"{what} of {where} is {value!r}; a whole number of 0 or more is accepted."
        )
    if not math.isfinite(value) or value != int(value) or value < 0:
        raise ValueError(
            f"{what} of {where} is {value!r}; a whole number of 0 or more is accepted."
        )
    return int(value)


def finite(value: Any, *, passage: str, what: str) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(
            f"{what} of passage {passage!r} is {value!r}; a finite number is accepted."
        )
    return number


def name_set(value: Any, *, passage: str, what: str) -> frozenset[str] | None:
    if value is None:
        return None
    if isinstance(value, str):
        raise ValueError(
            f"{what} of passage {passage!r} is the text {value!r}; a set of names is accepted."
        )
    return frozenset(value)


def vector(value: ArrayLike, *, passage: str) -> NDArray[Any]:
    vector = np.asarray(value)
    if vector.dtype not in (np.float32, np.float64):
        vector = vector.astype(np.float64)
    if vector.ndim != 1:
        raise ValueError(f"embedding of passage {passage!r} has {vector.ndim} dimensions, not one.")
    if not np.isfinite(vector).all():
        raise ValueError(f"embedding of passage {passage!r} holds NaN or infinity.")
    return vector


def weight(value: Any, *, fact: str) -> float:
    number = float(value)
    if not math.isfinite(number) or number < 0:
        raise ValueError(
            f"weight of fact {fact!r} is {value!r}; a number of 0 or more is accepted."
        )
    return number


def square(value: ArrayLike, *, size: int, ids: Sequence[str]) -> FloatArray:
    matrix = np.asarray(value, dtype=np.float64)
    if matrix.shape != (size, size):
        raise ValueError(f"similarity has shape {matrix.shape}; ({size}, {size}) is accepted.")
    bad = ~np.isfinite(matrix).all(axis=1)
    if bad.any():
        raise ValueError(f"similarity of passage {ids[int(bad.argmax())]!r} holds NaN or infinity.")
    return matrix


def of_length(column: Any, ids: Sequence[str], what: str) -> Any:
    if len(column) != len(ids):
        raise ValueError(f"{what} has {len(column)} rows, the pool has {len(ids)} passages.")
    return column


def tokens_column(values: ArrayLike | None, ids: Sequence[str]) -> IntArray | None:
    if values is None:
        return None
    column = of_length(np.asarray(values), ids, "tokens")
    bad = ~np.isfinite(column.astype(np.float64)) | (column < 0) | (column != np.floor(column))
    if bad.any():
        whole(
            column[int(bad.argmax())].item(),
            where=f"passage {ids[int(bad.argmax())]!r}",
            what="tokens",
        )
    return np.asarray(column, dtype=np.int64)


def score_column(values: ArrayLike | None, ids: Sequence[str], what: str) -> FloatArray | None:
    if values is None:
        return None
    column = np.asarray(of_length(np.asarray(values), ids, what), dtype=np.float64)
    bad = ~np.isfinite(column)
    if bad.any():
        finite(column[int(bad.argmax())], passage=ids[int(bad.argmax())], what=what)
    return column


def matrix(values: ArrayLike | None, ids: Sequence[str]) -> NDArray[Any] | None:
    if values is None:
        return None
    rows = np.asarray(values)
    if rows.dtype not in (np.float32, np.float64):
        rows = rows.astype(np.float64)
    if rows.ndim != 2 or len(rows) != len(ids):
        raise ValueError(f"embeddings has shape {rows.shape}; ({len(ids)}, d) is accepted.")
    bad = ~np.isfinite(rows).all(axis=1)
    if bad.any():
        raise ValueError(f"embedding of passage {ids[int(bad.argmax())]!r} holds NaN or infinity.")
    return rows
