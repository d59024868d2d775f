"""The writer of files that stand alone: every text stays a text, and nothing is loaded."""

from __future__ import annotations

from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.html import Markup, clean, document, element, joined, plain, table

MOMENT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
HOSTILE = "</style></title><script>alert(1)</script><img src=x onerror=alert(2)> ' \" & \ud800\x07"


class Reader(HTMLParser):
    """What a browser would make of it: the elements, and the words."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.names: list[str] = []
        self.words = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


def whole(words: str) -> str:
    """A document that says the same words wherever a text can stand."""
    cells = table(["a", words], [[words, 1], [words, words]], caption=words, numbers=1)
    body = joined([element("p", words, title=words), cells, words])
    return document(title=words, body=body, about=[words, words], saved_at=MOMENT).decode()


def test_every_text_from_outside_stays_a_text() -> None:
    hostile, tame = Reader(whole(HOSTILE)), Reader(whole("words"))
    assert hostile.names == tame.names
    assert hostile.words.count("<script>alert(1)</script>") == 10


@given(st.text())
def test_any_text_reads_back_as_it_was(words: str) -> None:
    read = Reader(element("p", words))
    assert read.names == ["p"]
    assert read.words.replace("\r\n", "\n").replace("\r", "\n") == clean(words)


def test_a_file_forbids_itself_to_load_or_to_run_anything() -> None:
    html = whole("words")
    assert "default-src 'none'" in html
    assert "script" not in Reader(html).names
    assert not {"src=", "href=", "url(", "@import", "http:", "https:"} & set(html.split())
    assert "color-scheme: light dark" in html


@pytest.mark.parametrize("css", ["a{background:url(x)}", "@import 'x';", "</style>", "A{B:URL(x)}"])
def test_a_style_that_loads_something_is_refused(css: str) -> None:
    with pytest.raises(ValueError, match="stands alone"):
        document(title="t", body=Markup(""), about=[], saved_at=MOMENT, css=css)


@pytest.mark.parametrize(
    ("name", "attributes"),
    [("script", {}), ("p onclick=x", {}), ("P>", {}), ("p", {"onclick": "x"}), ("p", {"a b": "x"})],
)
def test_an_element_that_would_run_something_is_refused(
    name: str, attributes: dict[str, str]
) -> None:
    with pytest.raises(ValueError, match="runs nothing"):
        element(name, **attributes)


def test_a_table_names_its_rows_and_sets_figures_to_the_right() -> None:
    html = table(["name", "n"], [["<b>", 5]], caption="All", numbers=1)
    assert '<th class="words" scope="row">&lt;b&gt;</th><td class="num">5</td>' in html
    assert "<caption>All</caption>" in html


def test_nothing_is_said_of_none_and_markup_stands_as_it_is() -> None:
    assert joined([None, 0, element("b", "x"), "<"]) == "0<b>x</b>&lt;"
    assert isinstance(plain("x"), Markup)


def test_the_foot_says_what_it_was_made_from_and_when() -> None:
    words = Reader(document(title="t", body=Markup(""), about=["A", "B"], saved_at=MOMENT).decode())
    assert words.words.endswith("Rank 13. A; B; 2026-01-02 03:04 UTC.")
