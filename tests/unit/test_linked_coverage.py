"""Linked coverage, on cases that can be followed by hand, and against its formula."""

from __future__ import annotations

import numpy as np
import pytest

from selection import Budget, Passage, Pool, make_selector
from selection.selectors.aspect_coverage import aspects
from selection.selectors.linked_coverage import BRIDGE, linked, walked
from selection.text.tfidf import text_similarity

QUESTION = "Who founded the company that makes the Aurora lamp?"
TEXTS = [
    "The Aurora lamp is made by Northlight.",
    "A lamp uses five watts of power.",
    "Northlight was founded by Ada Berg.",
    "Bluewave was founded by Tom Hale.",
    "Glass lamps break.",
]


def pool(question: str, texts: list[str], scores: list[float], **more) -> Pool:
    return Pool(
        [
            Passage(
                id=str(i),
                text=text,
                score=scores[i],
                **{name: column[i] for name, column in more.items()},
            )
            for i, text in enumerate(texts)
        ],
        question=question,
    )


def test_the_second_half_of_an_answer_is_found_by_way_of_the_first() -> None:
    asked = pool(QUESTION, TEXTS, [1.0, 0.6, 0.3, 0.3, 0.5])
    two = Budget(passages=2)
    assert make_selector("linked_coverage").select(asked, two).ranks == (1, 3)
    assert make_selector("top_k", k=2).select(asked, two).ranks == (1, 2)


def test_links_are_shared_words_that_the_question_lacks() -> None:
    links = linked(pool(QUESTION, TEXTS, [1.0] * 5))
    assert links[0, 2] == pytest.approx(1.0)  # Northlight, the one such word that two share
    links[0, 2] = links[2, 0] = 0.0
    assert not links.any()  # "lamp" and "founded" are the question's own


def test_without_a_shared_word_nothing_is_linked() -> None:
    assert not linked(pool("zebra", ["one cat", "two dogs"], [1.0, 0.5])).any()


def test_a_walk_of_two_linked_passages_by_hand() -> None:
    links = np.array([[0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]])
    found = walked(np.array([1.0, 0.0, 1.0]), links, spread=0.5)
    # x = 1/4 + y/2, y = x/2, z = 1/4
    assert found == pytest.approx([1 / 3, 1 / 6, 1 / 4])


def test_a_walk_equals_the_solution_of_its_equations() -> None:
    draw = np.random.default_rng(0)
    links = draw.random((9, 9))
    links = links + links.T
    np.fill_diagonal(links, 0.0)
    start, spread = draw.random(9), 0.9
    chances = links / links.sum(axis=0)
    exact = np.linalg.solve(np.eye(9) - spread * chances, (1 - spread) * start / start.sum())
    assert walked(start, links, spread=spread) == pytest.approx(exact, abs=1e-11)


def test_without_spread_and_with_relevance_alone_it_is_score_times_novelty() -> None:
    scores = [0.9, 0.8, 0.3, 0.2, 0.1]
    asked = pool(QUESTION, TEXTS, scores)
    got = make_selector("linked_coverage", spread=0.0, relevance=1.0).select(asked)
    rel = (np.array(scores) - 0.1) / 0.8
    novel = rel * (1 - text_similarity(TEXTS)[0])
    assert got.ranks[:2] == (1, int(np.argmax(np.where(np.arange(5) == 0, -1, novel))) + 1)


def test_the_score_equals_its_formula_step_by_step() -> None:
    draw = np.random.default_rng(4)
    words = ["refund", "window", "hotel", "card", "day", "hold", "bank", "noon"]
    texts = [" ".join(draw.choice(words, 9)) for _ in range(12)]
    scores, tokens = draw.random(12), draw.integers(5, 60, 12)
    asked = pool("refund window hotel", texts, scores.tolist(), tokens=tokens.tolist())
    spread, share, power, limit = 0.4, 0.3, 0.5, 150
    links, found = linked(asked), aspects(asked)
    rel = walked((scores - scores.min()) / (scores.max() - scores.min()), links, spread=spread)
    rel = (rel - rel.min()) / (rel.max() - rel.min())
    ties, sim = links / links.max(), text_similarity(texts)

    def score(chosen: list[int], i: int) -> float:
        before = np.exp(-2.0 * found.matches[chosen].sum(axis=0))
        gain = float(found.weights @ (before * (1.0 - np.exp(-2.0 * found.matches[i]))))
        tied = max((ties[i, j] for j in chosen), default=0.0)
        near = max((sim[i, j] for j in chosen), default=0.0)
        whole = (1 - share) * gain * (1 + BRIDGE * tied) + share * rel[i] * (1 - near)
        return whole / tokens[i] ** power

    chosen: list[int] = []
    while True:
        left = limit - int(tokens[chosen].sum())
        free = [i for i in range(12) if i not in chosen and tokens[i] <= left]
        if not free:
            break
        chosen.append(max(free, key=lambda i: score(chosen, i)))
    got = make_selector("linked_coverage", spread=spread, relevance=share, cost_power=power)
    assert got.select(asked, Budget(tokens=limit)).picks.order == tuple(chosen)


@pytest.mark.parametrize("texts", [["same words here"] * 3, ["?", "!", "..."]])
def test_copies_and_texts_without_words_go_in_rank_order(texts: list[str]) -> None:
    asked = pool("What is here?", texts, [0.5, 0.5, 0.5])
    assert make_selector("linked_coverage").select(asked).ranks == (1, 2, 3)
