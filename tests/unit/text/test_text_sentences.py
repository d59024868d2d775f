"""Where sentences begin and end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selection.text.sentences import WINDOW, Span, _windows, sentences


def shown(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


def test_a_span_is_the_place_in_the_text_without_blanks() -> None:
    assert sentences("  One.  Two. ") == [Span(2, 6), Span(8, 12)]


@pytest.mark.parametrize("text", ["", " ", "\n\n\t\r\n", "\u2028\u00a0"])
def test_a_blank_text_has_no_sentence(text: str) -> None:
    assert sentences(text) == []


def test_abbreviations_and_decimals_end_nothing() -> None:
    text = "Dr. Smith paid $3.5 on St. Mary Rd. for H.R. 4.2.1 there. He left."
    assert shown(text) == [
        "Dr. Smith paid $3.5 on St. Mary Rd. for H.R. 4.2.1 there.",
        "He left.",
    ]


def test_a_list_item_ends_with_its_line_and_loses_its_marker() -> None:
    assert shown("You need:\n- a card\n* an account. Or two\n• a PIN") == [
        "You need:",
        "a card",
        "an account.",
        "Or two",
        "a PIN",
    ]


def test_bullets_within_a_line_part_it() -> None:
    assert shown("visa • mastercard • 14 days") == ["visa", "mastercard", "14 days"]


def test_an_item_may_go_on_in_the_next_line() -> None:
    assert shown("* a refund\n  within 14 days\n* nothing") == [
        "a refund\n  within 14 days",
        "nothing",
    ]


def test_numbers_that_count_a_list_are_markers() -> None:
    assert shown("1. Open it. Wait\n2. Close it\n3) Go") == ["Open it.", "Wait", "Close it", "Go"]
    assert shown("1. Open\n1. Close") == ["Open", "Close"]


def test_a_number_that_counts_no_list_belongs_to_the_sentence() -> None:
    assert shown("3. Oktober ist frei") == ["3. Oktober ist frei"]
    assert shown("14. day\n7. day") == ["14. day", "7. day"]


def test_a_german_date_is_not_torn() -> None:
    assert shown("Am 3. Oktober ist zu. Ab dem 4. Oktober nicht.") == [
        "Am 3. Oktober ist zu.",
        "Ab dem 4. Oktober nicht.",
    ]


def test_a_heading_ends_before_its_text() -> None:
    assert shown("# Refunds\nthey take days\n\nMore") == ["Refunds", "they take days", "More"]
    assert shown("Refund policy\nYou get it back") == ["Refund policy", "You get it back"]


def test_a_table_row_is_one_sentence() -> None:
    assert shown("| Plan. A | 14 days |\n| Plan. B | 7 days |") == [
        "Plan. A | 14 days",
        "Plan. B | 7 days",
    ]


def test_fields_at_the_head_of_a_page_stand_apart() -> None:
    assert shown("title: Refunds\ndescription: all of it") == [
        "title: Refunds",
        "description: all of it",
    ]


def test_a_wrapped_paragraph_is_not_torn() -> None:
    wrapped = "That is why in\nGermany you can cancel at any time from the\nmenu."
    assert shown(f"We want satisfied customers here. {wrapped}") == [
        "We want satisfied customers here.",
        wrapped,
    ]


def test_a_blank_line_ends_a_sentence_whatever_follows() -> None:
    assert shown("One thing\r\n\r\nand another") == ["One thing", "and another"]


def test_scripts_without_blanks_are_split_at_their_full_stops() -> None:
    assert shown("东京是首都。大阪很大！对吗？") == ["东京是首都。", "大阪很大！", "对吗？"]


def test_a_stray_quote_does_not_hold_a_page_together() -> None:
    text = 'He said "so. ' + "Then it went on for a while. " * 40 + 'The end" came.'
    assert len(sentences(text)) > 30


@pytest.mark.parametrize("text", ["东京是首都。" * 5_000, "so it goes " * 3_000, "x" * 25_000])
def test_a_long_line_is_read_in_parts(text: str) -> None:
    parts = list(_windows(text))
    assert "".join(parts) == text
    assert max(map(len, parts)) <= WINDOW
    assert all(part[-1] in "。 x" for part in parts)


def test_a_long_line_of_sentences_is_split_like_a_short_one() -> None:
    assert len(sentences("He paid 14 dollars. " * 2_000)) == 2_000


def test_a_minus_or_comparison_at_the_head_of_a_line_is_no_marker() -> None:
    assert shown("-5 degrees\n> 14 days\n+ 5 %") == ["-5 degrees", "> 14 days", "+ 5 %"]


ANYTHING = st.text(max_size=60) | st.text(
    alphabet="aB1. \n|-#*>•。\"'(\r\t\u2028\ud800é", max_size=60
)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(ANYTHING)
def test_spans_lie_inside_the_text_in_order_and_stripped(text: str) -> None:
    end = 0
    for span in sentences(text):
        assert end <= span.start < span.end <= len(text)
        assert text[span.start : span.end] == text[span.start : span.end].strip()
        end = span.end


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(alphabet="aBc7 .!?。\n\"'(", max_size=60))
def test_no_letter_and_no_digit_falls_between_sentences(text: str) -> None:
    kept = "".join(shown(text))
    assert [c for c in kept if c.isalnum()] == [c for c in text if c.isalnum()]
