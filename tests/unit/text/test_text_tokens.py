"""Counting tokens: exact, offline, and without a text that it refuses."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from selection.text import tokens
from selection.text.tokens import COUNTER, count_many, count_tokens


def test_the_counter_has_a_name() -> None:
    assert COUNTER == "o200k"


def test_an_empty_text_costs_nothing() -> None:
    assert count_tokens("") == 0


def test_words_that_the_vocabulary_knows_cost_one_each_and_a_blank_before_digits_one() -> None:
    assert count_tokens("within 14 days.") == 5  # within| |14| days|.


def test_a_special_marker_is_text_like_any_other() -> None:
    assert count_tokens("<|endoftext|>") > 1


def test_a_lone_surrogate_counts_as_the_replacement_character() -> None:
    assert count_tokens("a\ud800b") == count_tokens("a\ufffdb")


def test_many_texts_are_counted_in_order() -> None:
    assert count_many(["", "a", "a b c"]) == [0, 1, 3]


def test_a_text_beyond_the_limits_of_one_call_is_counted() -> None:
    assert count_tokens("word " * 250_000) == 250_001


def test_an_unbroken_stretch_beyond_the_limits_is_counted() -> None:
    assert count_tokens("x" * 1_000_001) > 100_000


@settings(derandomize=True, deadline=None)
@given(st.text(alphabet="aB1 .,'/\n\t-é漢😀\u0301’s\"", max_size=60))
def test_cutting_a_text_does_not_change_its_count(text: str) -> None:
    at = [seam.start() for seam in tokens._SEAM.finditer(text)]
    pieces = [text[a:b] for a, b in zip([0, *at], [*at, len(text)], strict=True)]
    assert sum(map(count_tokens, pieces)) == count_tokens(text)
