"""What a selector is given: passages, the pool they form for one question, and a budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from selection import checks
from selection.checks import FloatArray, IntArray
from selection.claims import Bits, pack
from selection.cosines import DERIVED, Cosines

__all__ = ["Budget", "FloatArray", "IntArray", "Passage", "Pool"]


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
        put(self, "tokens", checks.whole(self.tokens, where=f"passage {self.id!r}", what="tokens"))
        put(self, "score", checks.finite(self.score, passage=self.id, what="score"))
        put(
            self,
            "rerank_score",
            checks.finite(self.rerank_score, passage=self.id, what="rerank_score"),
        )
        put(self, "claims", checks.name_set(self.claims, passage=self.id, what="claims"))
        put(self, "supports", checks.name_set(self.supports, passage=self.id, what="supports"))
        if self.embedding is not None:
            put(self, "embedding", checks.vector(self.embedding, passage=self.id))


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
                self, name, checks.whole(getattr(self, name), where="the budget", what=name)
            )


class Pool(Cosines):
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
        self.gold = {
            fact: checks.weight(weight, fact=fact) for fact, weight in (gold or {}).items()
        }
        self.question = question
        self.id = id
        self.answer_bearing = frozenset(answer_bearing)
        self.sent = {arm: tuple(names) for arm, names in (sent or {}).items()}
        self.query_embedding = (
            None
            if query_embedding is None
            else checks.vector(query_embedding, passage="(the query)")
        )
        self._given_similarity = (
            None if similarity is None else checks.square(similarity, size=len(ids), ids=ids)
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
            tokens=checks.tokens_column(tokens, names),
            scores=checks.score_column(scores, names, "score"),
            rerank_scores=checks.score_column(rerank_scores, names, "rerank_score"),
            texts=("",) * len(names)
            if texts is None
            else checks.of_length(tuple(texts), names, "texts"),
            claim_bits=Bits.from_words(claim_words, names=claim_names, rows=len(names)),
            embeddings=checks.matrix(embeddings, names),
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
    def memo(self) -> dict[Any, Any]:
        """Results that are dear and belong to this pool (exact optima), by whoever made them."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle carries: not what can be worked out again."""
        return {k: v for k, v in self.__dict__.items() if k not in DERIVED and k != "memo"}

    def first_without(self, column: str) -> str | None:
        """Id of the first passage without `tokens`, `score`, `claims` ...; None if all have it."""
        return next((p.id for p in self.passages if getattr(p, column) is None), None)

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
