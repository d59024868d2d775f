"""Cosine of TF-IDF over normalised words."""

from __future__ import annotations

import math

import numpy as np
import pytest

from selection.text.tfidf import (
    DocumentFrequencies,
    collection_similarity,
    document_frequencies,
    text_similarity,
)


def test_two_texts_give_the_cosine_worked_out_by_hand() -> None:
    shared, own = 1.0, math.log(3 / 2) + 1  # df 2 and df 1 of N = 2
    expected = shared**2 / (shared**2 + own**2)
    assert text_similarity(["refund days", "refund weeks"])[0, 1] == pytest.approx(expected)


def test_copies_are_one_and_strangers_nought() -> None:
    alike = text_similarity(["A refund.", "a  REFUND", "shipping"])
    assert alike[0, 1] == pytest.approx(1.0)
    assert alike[0, 2] == 0.0


def test_the_diagonal_is_exactly_one_and_nought_for_a_blank_text() -> None:
    alike = text_similarity(["a b c a", "", "!!!", "  "])
    assert np.diag(alike).tolist() == [1.0, 0.0, 1.0, 0.0]


def test_copies_without_a_word_are_seen() -> None:
    assert text_similarity(["!!!", " !!!", "???"])[0].tolist() == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("texts", [[], [""], ["", " "]])
def test_pools_without_any_word_give_noughts(texts: list[str]) -> None:
    assert text_similarity(texts).shape == (len(texts), len(texts))
    assert not text_similarity(texts).any()


def test_a_number_is_a_word_like_any_other() -> None:
    alike = text_similarity(["within 14 days", "within 7 days", "within 14 days"])
    assert alike[0, 1] < alike[0, 2] == pytest.approx(1.0)


def test_the_matrix_is_symmetric_within_its_range_and_read_only() -> None:
    alike = text_similarity(["a b", "b c d", "a d d", "x"])
    assert (alike == alike.T).all()
    assert alike.min() >= 0.0
    assert alike.max() <= 1.0
    with pytest.raises(ValueError, match="read-only"):
        alike[0, 1] = 2.0


def test_asking_twice_works_once() -> None:
    assert text_similarity(["a", "b"]) is text_similarity(("a", "b"))


def test_frequencies_count_a_word_once_a_text() -> None:
    found = document_frequencies(iter(["a a b", "b c", ""]))
    assert found == DocumentFrequencies(3, {"a": 1, "b": 2, "c": 1})


def test_idf_is_smooth() -> None:
    frequencies = DocumentFrequencies(3, {"a": 3, "b": 1})
    assert frequencies.idf("a") == 1.0
    assert frequencies.idf("b") == pytest.approx(math.log(4 / 2) + 1)
    assert frequencies.idf("unseen") == pytest.approx(math.log(4) + 1)


def test_a_collection_of_the_pool_alone_gives_the_similarity_of_the_pool() -> None:
    texts = ["refund in 14 days", "refund in 7 days", "shipping", ""]
    alike = collection_similarity(texts, document_frequencies(texts))
    np.testing.assert_allclose(alike, text_similarity(texts), atol=1e-12)


def test_a_word_that_is_common_in_the_collection_counts_less() -> None:
    pool = ["refund berlin", "refund paris"]
    common = DocumentFrequencies(100, {"refund": 100, "berlin": 2, "paris": 2})
    rare = DocumentFrequencies(100, {"refund": 2, "berlin": 100, "paris": 100})
    assert collection_similarity(pool, common)[0, 1] < 0.1
    assert collection_similarity(pool, rare)[0, 1] > 0.9
