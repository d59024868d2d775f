"""BM25 of a question over its own candidates."""

from __future__ import annotations

import math

import numpy as np
import pytest

from selection.text.bm25 import K1, bm25_scores


def test_one_word_gives_the_score_worked_out_by_hand() -> None:
    # Equal lengths leave tf / (tf + k1); df 1 of 2 leaves ln(1 + 1.5 / 1.5).
    scores = bm25_scores("refund?", ["refund berlin", "shipping paris"])
    assert scores == pytest.approx([math.log(2) / (1 + K1), 0.0])


def test_an_empty_pool_has_no_scores() -> None:
    assert bm25_scores("refund", []).shape == (0,)


@pytest.mark.parametrize("question", ["", "what is the", "?!", "unheard of"])
def test_a_question_without_a_known_content_word_scores_nought(question: str) -> None:
    assert bm25_scores(question, ["the refund is here", ""]).tolist() == [0.0, 0.0]


def test_blank_texts_score_nought() -> None:
    assert bm25_scores("refund", ["", " "]).tolist() == [0.0, 0.0]
    assert bm25_scores("refund", ["", "refund"])[0] == 0.0


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    scores = bm25_scores("refund berlin", ["refund x", "refund y", "berlin z"])
    assert scores.argmax() == 2


def test_a_plural_finds_its_singular() -> None:
    assert bm25_scores("refunds", ["a refund", "a parcel"])[0] > 0


def test_a_word_asked_twice_counts_once() -> None:
    texts = ["refund berlin", "berlin berlin", "paris"]
    once, twice = bm25_scores("refund berlin", texts), bm25_scores("refund refunds berlin", texts)
    assert once.tolist() == twice.tolist()


def test_scores_are_float64_and_repeatable(capfd: pytest.CaptureFixture[str]) -> None:
    texts = [f"refund {word} berlin" for word in ("a", "zoo", "yak", "xylophone")]
    first = bm25_scores("zoo refund in berlin", texts)
    assert first.dtype == np.float64
    assert first.tolist() == bm25_scores("zoo refund in berlin", texts).tolist()
    assert capfd.readouterr() == ("", "")
