"""Words as search and similarity count them."""

from __future__ import annotations

import pytest

from selection.text.terms import content_words, singular, stop_words, words


def test_words_are_folded_and_digits_kept() -> None:
    assert words("Can’t pay $3.50 for COVID‑19, “OK”?") == [
        "can",
        "not",
        "pay",
        "3.50",
        "for",
        "covid",
        "19",
        "ok",
    ]


def test_ranges_and_elisions_fall_apart() -> None:
    assert words("2013-14 l'eau 5 MB") == ["2013", "14", "l", "eau", "5", "mb"]


def test_scripts_without_blanks_give_pairs() -> None:
    assert words("東京都 is 大") == ["東京", "京都", "is", "大"]


def test_symbols_are_no_words() -> None:
    assert words("! € % → ✅ ° <") == []


def test_content_words_leave_out_function_words_and_fold_plurals() -> None:
    assert content_words("What are the refunds' policies in Berlin?") == [
        "refund",
        "policy",
        "berlin",
    ]


def test_words_of_business_are_no_stop_words() -> None:
    assert stop_words().isdisjoint({"bill", "amount", "interest", "system", "call"})
    assert {"the", "not", "what", "s"} <= stop_words()


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("refunds", "refund"),
        ("policies", "policy"),
        ("houses", "house"),
        ("bus", "bus"),
        ("status", "status"),
        ("process", "process"),
        ("heroes", "heroes"),
        ("fees", "fees"),
        ("as", "as"),
        ("14", "14"),
    ],
)
def test_the_s_stemmer_has_three_rules(plural: str, expected: str) -> None:
    assert singular(plural) == expected
