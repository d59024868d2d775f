"""Pools, however they are built, and what is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from selection import Budget, Passage, Pool, list_selectors, make_selector, measure
from selection.claims import pack

SEED = np.random.default_rng(3)
IDS = [f"p{i}" for i in range(12)]
TOKENS = SEED.integers(50, 300, 12)
SCORES = SEED.random(12)
RERANKED = SEED.random(12)
ROWS = SEED.normal(size=(12, 5)).astype(np.float32)
CLAIMS = [frozenset(SEED.choice(list("abcdefgh"), size=n)) for n in SEED.integers(0, 4, 12)]
TEXTS = [f"Word {i} of the refund policy number {i % 5}." for i in range(12)]
GOLD = {"a": 1.0, "c": 2.0}
MORE = {"question": "Which refund policy?", "answer_bearing": {"p2"}, "sent": {"x": ["p3", "p1"]}}


def from_objects() -> Pool:
    return Pool(
        [
            Passage(
                id=IDS[i],
                tokens=int(TOKENS[i]),
                score=float(SCORES[i]),
                rerank_score=float(RERANKED[i]),
                claims=CLAIMS[i],
                text=TEXTS[i],
                embedding=ROWS[i],
                supports=CLAIMS[i] & set(GOLD),
            )
            for i in range(12)
        ],
        gold=GOLD,
        **MORE,
    )


def from_columns() -> Pool:
    bits = pack(CLAIMS)
    return Pool.from_arrays(
        IDS,
        tokens=TOKENS,
        scores=SCORES,
        rerank_scores=RERANKED,
        claim_words=bits.words,
        claim_names=bits.names,
        support_words=pack([c & set(GOLD) for c in CLAIMS], names=tuple(GOLD)).words,
        texts=TEXTS,
        embeddings=ROWS,
        gold=GOLD,
        **MORE,
    )


@pytest.mark.parametrize("name", list_selectors())
@pytest.mark.parametrize("budget", [Budget(), Budget(tokens=900), Budget(passages=4)], ids=repr)
def test_a_pool_of_arrays_equals_a_pool_of_passages(name: str, budget: Budget) -> None:
    selector = make_selector(name, **({"arm": "x"} if name == "as_sent" else {}))
    first, second = from_objects(), from_columns()
    one, two = selector.select(first, budget), selector.select(second, budget)
    assert one.ranks == two.ranks
    assert one.decisions == two.decisions
    assert measure(first, one) == measure(second, two)
    assert one.bound == two.bound


def test_a_pool_of_arrays_gives_its_passages_when_asked() -> None:
    assert from_columns().passages == from_objects().passages


def test_a_pickled_pool_leaves_behind_what_can_be_worked_out_again() -> None:
    pool = from_objects()
    small = len(pickle.dumps(pool))
    _ = pool.similarity, pool.unit, pool.clipped_similarity
    assert len(pickle.dumps(pool)) == small
    assert np.array_equal(pickle.loads(pickle.dumps(pool)).similarity, pool.similarity)


def test_without_gold_nothing_of_the_answer_is_left() -> None:
    bare = from_objects().without_gold()
    assert (bare.gold, bare.answer_bearing) == ({}, frozenset())
    assert bare.support_bits.names == ()


def test_more_than_64_claims_work() -> None:
    sets = [{f"c{i}", f"c{i + 1}"} for i in range(150)]
    pool = Pool([Passage(id=str(i), claims=s) for i, s in enumerate(sets)])
    s = make_selector("marginal_gain", min_new_claims=2).select(pool)
    assert s.ranks == tuple(range(1, 151, 2))
    assert len(s.claims) == 150
    full = make_selector("claim_coverage").select(pool)
    assert full.objective == full.bound == 151.0


def test_unknown_claims_are_not_an_empty_set() -> None:
    pool = Pool([Passage(id="a", claims=None), Passage(id="b", claims=())])
    assert pool.passages[0].claims is None
    assert pool.passages[1].claims == frozenset()
    with pytest.raises(ValueError, match=r"marginal_gain.*claims.*'a'"):
        make_selector("marginal_gain").select(pool)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"tokens": [1, 2]}, "tokens has 2 rows"),
        ({"tokens": [1, 2, -3]}, "tokens of passage 'c'"),
        ({"tokens": [1, 2, 0.5]}, "tokens of passage 'c'"),
        ({"scores": [1.0, np.nan, 0.0]}, "score of passage 'b'"),
        ({"embeddings": [[1.0], [np.inf], [0.0]]}, "embedding of passage 'b'"),
        ({"embeddings": [[1.0], [2.0]]}, r"embeddings has shape \(2, 1\)"),
        ({"similarity": np.eye(2)}, r"similarity has shape \(2, 2\)"),
        ({"gold": {"f": -1.0}}, "weight of fact 'f'"),
        ({"gold": {"f": float("nan")}}, "weight of fact 'f'"),
    ],
)
def test_wrong_columns_are_refused_by_name(wrong: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Pool.from_arrays(["a", "b", "c"], **wrong)


def test_claims_given_as_one_text_are_refused() -> None:
    with pytest.raises(ValueError, match="claims of passage 'a'"):
        Passage(id="a", claims="abc")


def test_the_diagonal_of_the_similarity_is_exactly_1_and_0_for_a_zero_vector() -> None:
    pool = Pool([Passage(id=str(i), embedding=v) for i, v in enumerate([[0.1, 0.3], [0, 0]])])
    assert np.diagonal(pool.similarity).tolist() == [1.0, 0.0]
