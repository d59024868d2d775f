"""Words and numbers for the screen, and that text from outside is never markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui import text
from tests.pages import reading

ANY_TEXT = st.text() | st.sampled_from(
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "&lt;b&gt;",
        "$x$",
        ":red[x]",
        "'",
    ]
)


@given(ANY_TEXT)
def test_plain_text_is_read_back_as_itself_and_adds_no_element(value: str) -> None:
    html = f'<p title="{text.plain(value)}">{text.plain(value)}</p>'
    assert reading.elements(html) == {("p", ("title",)): 1}
    expected = text.clean(value).replace("\r\n", "\n")
    assert reading.words(html) == expected


@given(st.text(alphabet=st.characters(categories=("Cs", "Cc", "Cf", "Ll"))))
def test_a_cleaned_text_can_always_be_sent_to_a_browser(value: str) -> None:
    text.clean(value).encode("utf-8")


def test_marks_that_turn_the_writing_direction_do_not_reach_the_screen() -> None:
    assert "\u202e" not in text.plain("abc\u202edef")


@given(ANY_TEXT, st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=6))
def test_a_highlighted_text_keeps_its_words(value: str, places: list[tuple[int, int]]) -> None:
    spans = [text.Span(start=a, end=b, note="<b>") for a, b in places]
    html = text.highlighted(value, spans)
    assert reading.words(html) == text.clean(value)
    assert {name for name, _ in reading.elements(html)} <= {"mark"}


def test_overlapping_places_are_marked_once_with_both_notes() -> None:
    spans = [text.Span(start=0, end=4, note="one"), text.Span(start=2, end=6, note="two")]
    html = text.highlighted("abcdef", spans)
    assert 'title="one; two">cd</mark>' in html


@pytest.mark.parametrize("mark", list("\\`*_{}[]()<>#+-.!|~$&"))
def test_a_widget_label_reads_no_markdown_in_a_text_from_outside(mark: str) -> None:
    assert text.label(f"a{mark}b") == f"a\\{mark}b"


def test_a_widget_label_forms_no_icon_and_no_colour_out_of_a_text_from_outside() -> None:
    assert ":material" not in text.label(":material/add:")
    assert ":red" not in text.label(":red[x]")


def test_a_widget_label_turns_no_dash_into_an_arrow() -> None:
    assert text.label("a->b").replace("\\", "") == "a-\u2060>b"
    assert text.label("a<-b").replace("\\", "") == "a<\u2060-b"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (text.whole(8235), "8,235"),
        (text.whole(-4235), "−4,235"),
        (text.whole(None), "n/a"),
        (text.decimal(0.732), "0.73"),
        (text.decimal(None), "n/a"),
        (text.signed(-6145), "−6,145"),
        (text.signed(12), "+12"),
        (text.signed(0), "0"),
        (text.signed(-0.001, digits=2), "0.00"),
        (text.signed(None), "n/a"),
        (text.out_of(5, 6, "facts"), "5 of 6 facts"),
        (text.out_of(None, 6), "n/a"),
        (text.counted(1, "passage"), "1 passage"),
        (text.counted(0, "passage"), "0 passages"),
        (text.left(1910), "1,910 left"),
        (text.left(-4235), "4,235 over"),
        (text.left(0), "0 left"),
        (text.left(None), "no budget"),
        (text.listed(["a", "b", "c"]), "a, b and c"),
        (text.listed([]), ""),
        (text.ranks([3]), "rank 3"),
        (text.ranks([1, 4]), "ranks 1 and 4"),
        (text.shortened("one two three", 9), "one two…"),
        (text.shortened("one two", 9), "one two"),
    ],
)
def test_numbers_are_written_for_people(shown: str, expected: str) -> None:
    assert shown == expected
