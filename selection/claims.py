"""Sets of names (claims of passages, facts they support) packed into words of 64 bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Bits:
    """n sets over a universe of names. words: uint64, shape (n, w); bit b of a row is names[b].

    known: shape (n,); False where the set of that row is not known (its words are 0).
    """

    names: tuple[str, ...]
    words: Words
    known: NDArray[np.bool_]

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """Every row as one whole number, whatever its number of words."""
        raw = np.ascontiguousarray(self.words.astype("<u8"))
        return tuple(int.from_bytes(row.tobytes(), "little") for row in raw)

    @cached_property
    def complete(self) -> bool:
        """True where every row is known."""
        return bool(self.known.all())

    def row(self, index: int) -> frozenset[str] | None:
        """The set of one row as names, or None where it is not known."""
        return self.decode(self.words[index]) if self.known[index] else None

    def decode(self, word: Words) -> frozenset[str]:
        """The names of the bits that are set in one row of words, shape (w,)."""
        return frozenset(self.names[bit] for bit in set_bits(word))

    def union(self, rows: Sequence[int] | NDArray[Any]) -> Words:
        """The words of the union of some rows, shape (w,)."""
        chosen = self.words[np.asarray(rows, dtype=np.intp)]
        return np.asarray(np.bitwise_or.reduce(chosen, axis=0), dtype=np.uint64)

    def matrix(self) -> NDArray[np.bool_]:
        """The same as booleans, shape (n, names); read-only."""
        return self._matrix

    @cached_property
    def _matrix(self) -> NDArray[np.bool_]:
        raw = np.ascontiguousarray(self.words.astype("<u8")).view(np.uint8)
        rows = raw.reshape(len(self.words), 8 * self.words.shape[1])
        bits = np.unpackbits(rows, axis=1, bitorder="little")
        matrix = bits[:, : len(self.names)].astype(np.bool_)
        matrix.setflags(write=False)
        return matrix

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle carries: not what can be worked out again."""
        return {name: getattr(self, name) for name in ("names", "words", "known")}

    @classmethod
    def from_words(cls, words: ArrayLike | None, *, names: Sequence[str], rows: int) -> Bits:
        """Wrap packed words; None means that no row is known.

        :raises ValueError: where the shape does not hold `rows` sets over `names`.
        """
        if words is None:
            return cls(tuple(names), np.zeros((rows, 1), np.uint64), np.zeros(rows, np.bool_))
        packed = np.asarray(words, dtype=np.uint64).reshape(rows, -1 if rows else 1)
        if packed.shape[1] * 64 < len(names):
            raise ValueError(f"{packed.shape[1]} words hold fewer than {len(names)} names.")
        return cls(tuple(names), packed, np.ones(rows, np.bool_))


def pack(sets: Sequence[Iterable[str] | None], *, names: Sequence[str] | None = None) -> Bits:
    """Pack sets into words. names: the universe in bit order; default is order of first sight.

    Members within one set are taken alphabetically, so that the same sets give the same words.
    """
    if names is None:
        names = tuple(dict.fromkeys(name for members in sets for name in sorted(members or ())))
    position = {name: bit for bit, name in enumerate(names)}
    words = np.zeros((len(sets), max(1, -(-len(position) // 64))), np.uint64)
    for row, members in enumerate(sets):
        for name in members or ():
            bit = position[name]
            words[row, bit >> 6] |= np.uint64(1 << (bit & 63))
    known = np.array([members is not None for members in sets], np.bool_)
    return Bits(tuple(names), words, known)


def set_bits(word: Words) -> list[int]:
    """Positions of the bits that are set in one row of words, ascending."""
    return [
        (index << 6) + bit
        for index, value in enumerate(word.tolist())
        for bit in range(value.bit_length())
        if value >> bit & 1
    ]


def count(words: Words) -> NDArray[np.int64]:
    """Number of bits set along the last axis."""
    return np.asarray(np.bitwise_count(words).sum(axis=-1, dtype=np.int64))
