"""What a selector is given: passages, the pool they form for one question, and a budget."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from selection.claims import Bits, pack

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Passage:
    """One candidate for the prompt.

    `None` means not known; an empty set of claims states nothing.

    id: unique in its pool. tokens: cost in the prompt, whole and not negative.
    score, rerank_score: relevance, higher is better, on any scale. claims: what the passage says.
    embedding: shape (d,). supports: gold facts it carries; None = its claims named in gold.

    :raises ValueError: naming the passage and the field that is out of range.
    """

    id: str
    tokens: int | None = field(default=None, kw_only=True)
    score: float | None = field(default=None, kw_only=True)
    claims: frozenset[str] | None = field(default=None, kw_only=True)
    text: str = field(default="", kw_only=True)
    embedding: NDArray[Any] | None = field(default=None, kw_only=True, compare=False, repr=False)
    rerank_score: float | None = field(default=None, kw_only=True)
    supports: frozenset[str] | None = field(default=None, kw_only=True)
    metadata: Mapping[str, Any] = field(default_factory=dict, kw_only=True, compare=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "tokens", _whole(self.tokens, where=f"passage {self.id!r}", what="tokens"))
        put(self, "score", _finite(self.score, passage=self.id, what="score"))
        put(self, "rerank_score", _finite(self.rerank_score, passage=self.id, what="rerank_score"))
        put(self, "claims", _names(self.claims, passage=self.id, what="claims"))
        put(self, "supports", _names(self.supports, passage=self.id, what="supports"))
        if self.embedding is not None:
            put(self, "embedding", _vector(self.embedding, passage=self.id))


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be sent: at most `tokens` tokens and at most `passages` passages; None is no limit.

    A passage that fits exactly fits, and nothing is ever truncated.

    :raises ValueError: for a negative or fractional limit.
    """

    tokens: int | None = None
    passages: int | None = None

    def __post_init__(self) -> None:
        for name in ("tokens", "passages"):
            object.__setattr__(
                self, name, _whole(getattr(self, name), where="the budget", what=name)
            )


class Pool:
    """The candidates of one question in the retriever's order, with what is known about the answer.

    gold: fact -> weight (finite, not negative). answer_bearing: ids of passages known to hold the
    answer; they need not be in the pool. sent: arm -> passage ids as recorded, in their order.
    similarity: shape (n, n), cosines prepared by the caller; without it they come from embeddings.

    :raises ValueError: for a repeated id, vectors of differing length, a bad weight or matrix.
    """

    def __init__(
        self,
        passages: Iterable[Passage] = (),
        *,
        gold: Mapping[str, float] | None = None,
        query_embedding: ArrayLike | None = None,
        question: str = "",
        id: str = "",
        answer_bearing: Iterable[str] = frozenset(),
        sent: Mapping[str, Sequence[str]] | None = None,
        similarity: ArrayLike | None = None,
    ) -> None:
        members = tuple(passages)
        self._columns(
            ids=tuple(p.id for p in members),
            gold=gold,
            query_embedding=query_embedding,
            question=question,
            id=id,
            answer_bearing=answer_bearing,
            sent=sent,
            similarity=similarity,
        )
        self.__dict__.update(
            passages=members,
            tokens=_column([p.tokens for p in members], np.int64),
            scores=_column([p.score for p in members], np.float64),
            rerank_scores=_column([p.rerank_score for p in members], np.float64),
            texts=tuple(p.text for p in members),
            claim_bits=pack([p.claims for p in members]),
            embeddings=_stack(members),
        )

    def _columns(
        self,
        *,
        ids: tuple[str, ...],
        gold: Mapping[str, float] | None,
        query_embedding: ArrayLike | None,
        question: str,
        id: str,
        answer_bearing: Iterable[str],
        sent: Mapping[str, Sequence[str]] | None,
        similarity: ArrayLike | None,
    ) -> None:
        self.ids = ids
        self.position = {name: index for index, name in enumerate(ids)}
        if len(self.position) != len(ids):
            twice = next(name for index, name in enumerate(ids) if self.position[name] != index)
            raise ValueError(f"Passage {twice!r} stands twice in the pool; ids must be unique.")
        self.gold = {fact: _weight(weight, fact=fact) for fact, weight in (gold or {}).items()}
        self.question = question
        self.id = id
        self.answer_bearing = frozenset(answer_bearing)
        self.sent = {arm: tuple(names) for arm, names in (sent or {}).items()}
        self.query_embedding = (
            None if query_embedding is None else _vector(query_embedding, passage="(the query)")
        )
        self._given_similarity = (
            None if similarity is None else _square(similarity, size=len(ids), ids=ids)
        )

    @classmethod
    def from_arrays(
        cls,
        ids: Sequence[str],
        *,
        tokens: ArrayLike | None = None,
        scores: ArrayLike | None = None,
        rerank_scores: ArrayLike | None = None,
        claim_words: ArrayLike | None = None,
        claim_names: Sequence[str] = (),
        support_words: ArrayLike | None = None,
        texts: Sequence[str] | None = None,
        embeddings: ArrayLike | None = None,
        gold: Mapping[str, float] | None = None,
        query_embedding: ArrayLike | None = None,
        question: str = "",
        id: str = "",
        answer_bearing: Iterable[str] = frozenset(),
        sent: Mapping[str, Sequence[str]] | None = None,
        similarity: ArrayLike | None = None,
    ) -> Pool:
        """Build a pool from packed arrays; `Passage` objects are made when somebody reads them.

        tokens, scores, rerank_scores: shape (n,). claim_words: uint64, shape (n, words), bit b of
        a row is `claim_names[b]`. support_words: the same over the facts of `gold` in their order.
        texts: length n. embeddings: shape (n, d).

        :raises ValueError: as the constructor does, naming the passage.
        """
        names = tuple(ids)
        pool = cls.__new__(cls)
        pool._columns(
            ids=names,
            gold=gold,
            query_embedding=query_embedding,
            question=question,
            id=id,
            answer_bearing=answer_bearing,
            sent=sent,
            similarity=similarity,
        )
        pool.__dict__.update(
            tokens=_tokens_column(tokens, names),
            scores=_score_column(scores, names, "score"),
            rerank_scores=_score_column(rerank_scores, names, "rerank_score"),
            texts=("",) * len(names) if texts is None else _of_length(tuple(texts), names, "texts"),
            claim_bits=Bits.from_words(claim_words, names=claim_names, rows=len(names)),
            embeddings=_matrix(embeddings, names),
        )
        if support_words is not None:
            pool.__dict__["support_bits"] = Bits.from_words(
                support_words, names=tuple(pool.gold), rows=len(names)
            )
        return pool

    # Columns, set by either constructor. None where any passage lacks the value.
    tokens: IntArray | None
    scores: FloatArray | None
    rerank_scores: FloatArray | None
    texts: tuple[str, ...]
    claim_bits: Bits
    embeddings: NDArray[Any] | None

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """The passages as objects, in rank order."""
        supports: Bits | None = self.__dict__.get("support_bits")
        return tuple(
            Passage(
                id=name,
                tokens=None if self.tokens is None else int(self.tokens[i]),
                score=None if self.scores is None else float(self.scores[i]),
                rerank_score=None if self.rerank_scores is None else float(self.rerank_scores[i]),
                claims=self.claim_bits.row(i),
                text=self.texts[i],
                embedding=None if self.embeddings is None else self.embeddings[i],
                supports=None if supports is None else supports.row(i),
            )
            for i, name in enumerate(self.ids)
        )

    @cached_property
    def support_bits(self) -> Bits:
        """Which passage supports which gold fact; a row is unknown where nobody has judged it."""
        facts = frozenset(self.gold)
        return pack([_supported(p, facts) for p in self.passages], names=tuple(self.gold))

    @property
    def relevance(self) -> FloatArray:
        """The scores of all passages, shape (n,).

        :raises ValueError: naming the first passage without a score.
        """
        if self.scores is None:
            raise ValueError(f"passage {self.first_without('score')!r} has no score.")
        return self.scores

    @cached_property
    def largest_score(self) -> float:
        """The largest absolute score; 0 for an empty pool."""
        return float(np.abs(self.relevance).max(initial=0.0))

    @cached_property
    def unit(self) -> FloatArray:
        """Unit vectors, float64, shape (n, d); a zero vector stays zero.

        :raises ValueError: naming the first passage without an embedding.
        """
        if self.embeddings is None:
            if not len(self):
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
        if self._given_similarity is None or not len(self):
            return True
        matrix = self.similarity
        if not np.allclose(matrix, matrix.T, rtol=0.0, atol=1e-12):
            return False
        return float(np.linalg.eigvalsh(matrix)[0]) >= -1e-9

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """Results that are dear and belong to this pool (exact optima), by whoever made them."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle carries: not what can be worked out again."""
        return {key: value for key, value in self.__dict__.items() if key not in _DERIVED}

    def first_without(self, column: str) -> str | None:
        """Id of the first passage without `tokens`, `score`, `claims` ...; None if all have it."""
        return next((p.id for p in self.passages if getattr(p, column) is None), None)

    @property
    def has_similarity(self) -> bool:
        return self._given_similarity is not None or self.embeddings is not None

    def rearranged(
        self,
        places: NDArray[np.intp],
        *,
        tokens: IntArray | None,
        scores: FloatArray | None,
        rerank_scores: FloatArray | None,
    ) -> Pool:
        """The same candidates in another order, with other numbers; gold is left behind.

        places: shape (n,), which candidate stands at each rank; the others are in that order.
        """
        bits = self.claim_bits
        matrix = self.similarity[np.ix_(places, places)] if self.has_similarity else None
        pool = Pool.from_arrays(
            [self.ids[at] for at in places],
            tokens=tokens,
            scores=scores,
            rerank_scores=rerank_scores,
            texts=[self.texts[at] for at in places],
            question=self.question,
            id=self.id,
            sent=self.sent,
            similarity=matrix,
        )
        pool.claim_bits = Bits(bits.names, bits.words[places], bits.known[places])
        return pool

    def without_gold(self) -> Pool:
        """The same candidates as a selector may see them: no gold, no answer-bearing passages."""
        bare = Pool.__new__(Pool)
        bare.__dict__.update(self.__dict__)
        bare.__dict__.pop("support_bits", None)
        bare.__dict__.pop("memo", None)
        bare.__dict__.update(gold={}, answer_bearing=frozenset())
        return bare


_DERIVED = frozenset(
    {
        "unit",
        "unit_single",
        "self_similarity",
        "similarity",
        "clipped_similarity",
        "clipped_columns",
        "similarity_is_semidefinite",
        "memo",
    }
)


def _whole(value: Any, *, where: str, what: str) -> int | None:
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


def _finite(value: Any, *, passage: str, what: str) -> float | None:
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


def _names(value: Any, *, passage: str, what: str) -> frozenset[str] | None:
    if value is None:
        return None
    if isinstance(value, str):
        raise ValueError(
            f"{what} of passage {passage!r} is the text {value!r}; a set of names is accepted."
        )
    return frozenset(value)


def _vector(value: ArrayLike, *, passage: str) -> NDArray[Any]:
    vector = np.asarray(value)
    if vector.dtype not in (np.float32, np.float64):
        vector = vector.astype(np.float64)
    if vector.ndim != 1:
        raise ValueError(f"embedding of passage {passage!r} has {vector.ndim} dimensions, not one.")
    if not np.isfinite(vector).all():
        raise ValueError(f"embedding of passage {passage!r} holds NaN or infinity.")
    return vector


def _weight(value: Any, *, fact: str) -> float:
    number = float(value)
    if not math.isfinite(number) or number < 0:
        raise ValueError(
            f"weight of fact {fact!r} is {value!r}; a number of 0 or more is accepted."
        )
    return number


def _supported(passage: Passage, facts: frozenset[str]) -> frozenset[str] | None:
    named = passage.claims if passage.supports is None else passage.supports
    return None if named is None else named & facts


def _column(values: Sequence[Any], dtype: Any) -> NDArray[Any] | None:
    return None if any(v is None for v in values) else np.array(values, dtype=dtype)


def _stack(members: Sequence[Passage]) -> NDArray[Any] | None:
    vectors = [(p.id, p.embedding) for p in members if p.embedding is not None]
    for name, vector in vectors:
        if vector.shape != vectors[0][1].shape:
            raise ValueError(
                f"embedding of passage {name!r} has {len(vector)} numbers, "
                f"that of passage {vectors[0][0]!r} has {len(vectors[0][1])}."
            )
    if not vectors or len(vectors) < len(members):
        return None
    return np.stack([vector for _, vector in vectors])


def _square(value: ArrayLike, *, size: int, ids: Sequence[str]) -> FloatArray:
    matrix = np.asarray(value, dtype=np.float64)
    if matrix.shape != (size, size):
        raise ValueError(f"similarity has shape {matrix.shape}; ({size}, {size}) is accepted.")
    bad = ~np.isfinite(matrix).all(axis=1)
    if bad.any():
        raise ValueError(f"similarity of passage {ids[int(bad.argmax())]!r} holds NaN or infinity.")
    return matrix


def _of_length(column: Any, ids: Sequence[str], what: str) -> Any:
    if len(column) != len(ids):
        raise ValueError(f"{what} has {len(column)} rows, the pool has {len(ids)} passages.")
    return column


def _tokens_column(values: ArrayLike | None, ids: Sequence[str]) -> IntArray | None:
    if values is None:
        return None
    column = _of_length(np.asarray(values), ids, "tokens")
    bad = ~np.isfinite(column.astype(np.float64)) | (column < 0) | (column != np.floor(column))
    if bad.any():
        _whole(
            column[int(bad.argmax())].item(),
            where=f"passage {ids[int(bad.argmax())]!r}",
            what="tokens",
        )
    return np.asarray(column, dtype=np.int64)


def _score_column(values: ArrayLike | None, ids: Sequence[str], what: str) -> FloatArray | None:
    if values is None:
        return None
    column = np.asarray(_of_length(np.asarray(values), ids, what), dtype=np.float64)
    bad = ~np.isfinite(column)
    if bad.any():
        _finite(column[int(bad.argmax())], passage=ids[int(bad.argmax())], what=what)
    return column


def _matrix(values: ArrayLike | None, ids: Sequence[str]) -> NDArray[Any] | None:
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
