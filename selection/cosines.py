"""How alike the passages of a pool are: unit vectors, cosines, and what is read off them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from selection.checks import FloatArray


class Cosines:
    """The part of a pool that knows vectors; each matrix is made when first asked for, and kept."""

    ids: tuple[str, ...]
    embeddings: NDArray[Any] | None
    _given_similarity: FloatArray | None

    def first_without(self, column: str) -> str | None:
        raise NotImplementedError

    @cached_property
    def unit(self) -> FloatArray:
        """Unit vectors, float64, shape (n, d); a zero vector stays zero.

        :raises ValueError: naming the first passage without an embedding.
        """
        if self.embeddings is None:
            if not self.ids:
                return np.zeros((0, 0))
            raise ValueError(f"passage {self.first_without('embedding')!r} has no embedding.")
        rows = np.asarray(self.embeddings, dtype=np.float64)
        # Divide by the largest entry first: squares of huge or tiny entries overflow or vanish.
        largest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
        rows = np.divide(rows, largest, out=np.zeros_like(rows), where=largest > 0)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: FloatArray = np.divide(rows, norms, out=rows, where=norms > 0)
        return unit

    @cached_property
    def unit_single(self) -> NDArray[np.float32]:
        """`unit` in single precision: half to read, and enough wherever no choice is close."""
        return self.unit.astype(np.float32)

    @cached_property
    def self_similarity(self) -> FloatArray:
        """The diagonal of `similarity` from embeddings: 1, and 0 for a zero vector; shape (n,)."""
        return np.asarray(self.unit.any(axis=1), dtype=np.float64)

    @property
    def similarity_is_ready(self) -> bool:
        """Whether the matrix is there already, given or made."""
        return self._given_similarity is not None or "similarity" in self.__dict__

    @cached_property
    def similarity(self) -> FloatArray:
        """Cosines, shape (n, n), in [-1, 1], diagonal exactly 1 (0 for a zero vector).

        :raises ValueError: naming the first passage without an embedding.
        """
        if self._given_similarity is not None:
            return self._given_similarity
        unit = self.unit
        matrix = np.clip(unit @ unit.T, -1.0, 1.0)
        np.fill_diagonal(matrix, self.self_similarity)
        return matrix

    @cached_property
    def clipped_similarity(self) -> FloatArray:
        """`similarity` with what is negative set to 0."""
        return np.maximum(self.similarity, 0.0)

    @cached_property
    def clipped_columns(self) -> FloatArray:
        """The transpose of `clipped_similarity`, so that a column is read in one go."""
        if self._given_similarity is None:
            return self.clipped_similarity
        return np.ascontiguousarray(self.clipped_similarity.T)

    @cached_property
    def similarity_is_semidefinite(self) -> bool:
        """Whether `similarity` is a Gram matrix: always from embeddings, checked where given."""
        if self._given_similarity is None or not self.ids:
            return True
        matrix = self.similarity
        if not np.allclose(matrix, matrix.T, rtol=0.0, atol=1e-12):
            return False
        return float(np.linalg.eigvalsh(matrix)[0]) >= -1e-9

    @property
    def has_similarity(self) -> bool:
        return self._given_similarity is not None or self.embeddings is not None


DERIVED = frozenset(
    name for name, made in vars(Cosines).items() if isinstance(made, cached_property)
)
"""What a pickle leaves out, because it can be worked out again."""
