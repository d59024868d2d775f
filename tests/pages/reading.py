"""Reading HTML back, as a browser would: the cells of a table, and which elements there are."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self.elements: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self.words: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements[tag, tuple(sorted(name for name, _ in attrs))] += 1
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self.inside:
            self.rows[-1][-1] += data


def _read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader


def rows(html: str) -> list[list[str]]:
    """The text of every cell, row by row, head rows included; white space at the ends is cut."""
    return [[" ".join(cell.split()) for cell in row] for row in _read(html).rows]


def elements(html: str) -> Counter[tuple[str, tuple[str, ...]]]:
    """How often each element stands there, by its name and the names of its attributes."""
    return _read(html).elements


def words(html: str) -> str:
    """All the text that a reader sees."""
    return "".join(_read(html).words)
