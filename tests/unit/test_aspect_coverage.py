"""Aspect coverage, on cases that can be followed by hand, and against its formula."""

from __future__ import annotations

import math

import numpy as np
import pytest

from selection import Budget, Passage, Pool, make_selector
from selection.selectors.aspect_coverage import aspects
from selection.text.tfidf import text_similarity


def pool(question: str, texts: list[str], scores: list[float] | None = None, **more) -> Pool:
    return Pool(
        [
            Passage(
                id=str(i),
                text=text,
                score=1.0 if scores is None else scores[i],
                **{name: column[i] for name, column in more.items()},
            )
            for i, text in enumerate(texts)
        ],
        question=question,
    )


TEXTS = [
    "The refund window is thirty days.",
    "A refund window of thirty days applies.",
    "Hotel cancellation is free until noon.",
    "Our office opens at nine.",
]


def test_the_second_passage_covers_what_the_first_left_open() -> None:
    asked = pool("What are the refund window and the hotel cancellation?", TEXTS)
    ranks = make_selector("aspect_coverage").select(asked, Budget(passages=2)).ranks
    assert 3 in ranks
    assert set(ranks) & {1, 2}


def test_aspects_are_words_and_pairs_of_the_question_that_the_pool_has_with_weights_of_sum_1() -> (
    None
):
    asked = aspects(pool("Which refund window has the zebra?", TEXTS))
    assert asked.matches.shape == (4, 3)  # refund, window, refund window
    assert asked.weights.sum() == pytest.approx(1.0)
    assert asked.weights[2] == pytest.approx(asked.weights[0] / 2)
    assert (asked.matches[2:] == 0).all()
    assert (asked.matches >= 0).all()
    assert (asked.matches < 1).all()


def test_at_relevance_1_it_is_score_times_novelty() -> None:
    scores = [0.9, 0.8, 0.3, 0.1]
    asked = pool("refund", TEXTS, scores)
    got = make_selector("aspect_coverage", relevance=1.0).select(asked, Budget(passages=2)).ranks
    rel = (np.array(scores) - 0.1) / 0.8
    novel = rel * (1 - text_similarity(TEXTS)[0])
    assert got == (1, int(np.argmax(np.where(np.arange(4) == 0, -1, novel))) + 1)


def test_the_score_equals_its_formula_step_by_step() -> None:
    draw = np.random.default_rng(4)
    words = ["refund", "window", "hotel", "card", "day", "hold", "bank", "noon"]
    texts = [" ".join(draw.choice(words, 9)) for _ in range(12)]
    scores, tokens = draw.random(12), draw.integers(5, 60, 12)
    asked = pool("refund window hotel noon", texts, scores.tolist(), tokens=tokens.tolist())
    kappa, share, power, limit = 1.5, 0.3, 0.5, 150
    found = aspects(asked)
    rel = (scores - scores.min()) / (scores.max() - scores.min())
    sim = text_similarity(texts)

    def covered(chosen: list[int]) -> float:
        total = found.matches[chosen].sum(axis=0)
        return math.fsum(found.weights * (1 - np.exp(-kappa * total)))

    chosen: list[int] = []
    while True:
        rest = [
            i for i in range(12) if i not in chosen and tokens[chosen].sum() + tokens[i] <= limit
        ]
        if not rest:
            break

        def score(i: int) -> float:
            near = max((sim[i, j] for j in chosen), default=0.0)
            gain = covered([*chosen, i]) - covered(chosen)
            return ((1 - share) * gain + share * rel[i] * (1 - near)) / tokens[i] ** power

        chosen.append(max(rest, key=score))
    selector = make_selector("aspect_coverage", kappa=kappa, relevance=share, cost_power=power)
    assert selector.select(asked, Budget(tokens=limit)).ranks == tuple(i + 1 for i in chosen)


def test_without_a_word_in_common_it_is_relevance_and_novelty() -> None:
    asked = pool("zebra", TEXTS, [0.1, 0.2, 0.9, 0.3])
    assert make_selector("aspect_coverage").select(asked, Budget(passages=1)).ranks == (3,)


def test_equal_scores_and_no_question_keep_the_order_of_the_ranks() -> None:
    asked = pool("", ["a b", "c d", "e f"])
    assert make_selector("aspect_coverage").select(asked).ranks == (1, 2, 3)


def test_it_claims_no_guarantee_and_no_bound() -> None:
    s = make_selector("aspect_coverage").select(pool("refund", TEXTS), Budget(passages=2))
    assert (s.objective, s.bound, s.guarantee) == (None, None, None)
