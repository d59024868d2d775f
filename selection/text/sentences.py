"""Where the sentences of a text are, to the character."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text: characters start to end, end exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Line:
    """A line without outer blanks and list markers. marked: it had one; alone: a whole block."""

    start: int
    end: int
    marked: bool
    alone: bool

    @property
    def width(self) -> int:
        return self.end - self.start


NARROWEST, WIDEST = 40, 120
"""Widths of hard-wrapped paragraphs in characters; a longer line is a paragraph of its own."""

LONGEST = 500
"""Characters from which a sentence is suspected to be held together by a stray quote or bracket."""

WINDOW = 10_000
"""Characters that the splitter reads at once."""

_STOP = re.compile(r"[.!?]\s|[。！？]")

TAIL = 12
"""Characters at the end of a piece that show whether it ends in an ordinal such as "am 3."."""

_ENCLOSING = re.compile("[\"'“”„‟‘’«»‹›()\\[\\]{}「」『』]")
_MARKER = re.compile(r"(?:[-*•‣◦▪●○·–—]|#{1,6})\s+|\+\s+(?!\d)|>(?!\s*[\d.,=$€£])\s*")
_NUMBERED = re.compile(r"^[ \t>]*(?:[-*+][ \t]+)?(\d{1,3})[.)][ \t]+\S", re.MULTILINE)
_NUMBER = re.compile(r"\d{1,3}[.)]\s+")
_INLINE_BULLET = re.compile(r"\s[•‣◦▪●]\s")
_FIELD = re.compile(r"[\w-]+:(?:\s|$)")
_ORDINAL = re.compile(
    r"(?:^|\b(?:am|ab|bis|das|dem|den|der|des|die|im|seit|vom|zum)\s)\d{1,2}\.\s*$", re.IGNORECASE
)
_BLANK_OR_SURROGATE = re.compile(r"[\s\ud800-\udfff]")


def sentences(text: str) -> list[Span]:
    """The sentences of a text in order: stripped, without overlap, offsets into the text as given.

    A blank line, a list item, a heading and a table row end what came before; a table row is one
    sentence. A single line break ends a sentence unless the line was wrapped: the next line goes on
    in lower case, or the break stands where the next word would not have fitted. List markers and
    heading signs are no part of a sentence; a number is a marker only in a list that counts.
    """
    return [span for block in _blocks(text) for span in _split(text, block)]


def _split(text: str, block: Span) -> Iterator[Span]:
    if text.startswith("|", block.start):
        yield from _stripped(text, block.start, block.end, also="|")
        return
    # The splitter reads line breaks in its own way and refuses lone surrogates; neither is wanted.
    shown = _BLANK_OR_SURROGATE.sub(" ", text[block.start : block.end])
    start = end = block.start
    for piece in _segments(shown):
        end += len(piece)
        if end < block.end and _ORDINAL.search(text[max(start, end - TAIL) : end]):
            continue
        yield from _stripped(text, start, end)
        start = end


def _segments(shown: str) -> Iterator[str]:
    """The splitter's pieces; joined they are the text.

    It never splits inside quotes and brackets, so a stray one can hold thousands of words
    together: what comes out too long is split once more as if there were none.
    """
    from sentencex import segment

    for piece in (piece for window in _windows(shown) for piece in segment("en", window)):
        if len(piece) > LONGEST:
            yield from segment("en", _ENCLOSING.sub(" ", piece))
        else:
            yield piece


def _windows(shown: str) -> Iterator[str]:
    """The text in parts that the splitter reads fast: its time grows with the square of a line."""
    start = 0
    while len(shown) - start > WINDOW:
        ends = [stop.end() for stop in _STOP.finditer(shown, start, start + WINDOW)]
        blank = shown.rfind(" ", start, start + WINDOW) + 1
        end = ends[-1] if ends else blank or start + WINDOW
        yield shown[start:end]
        start = end
    yield shown[start:]


def _stripped(text: str, start: int, end: int, *, also: str = "") -> Iterator[Span]:
    """The stretch without blanks at its ends; nothing where it is all blank."""
    while start < end and (text[start].isspace() or text[start] in also):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in also):
        end -= 1
    if start < end:
        yield Span(start, end)


def _blocks(text: str) -> Iterator[Span]:
    """Stretches of text that no sentence crosses: runs of lines that continue one another."""
    first: _Line | None = None
    last: _Line | None = None
    width = 0
    for line in _lines(text):
        if first and last and not (line and _continues(text, last, line, max(width, line.width))):
            yield Span(first.start, last.end)
            first, width = None, 0
        if line is None:
            continue
        first, last, width = first or line, line, max(width, line.width)
    if first and last:
        yield Span(first.start, last.end)


def _continues(text: str, last: _Line, line: _Line, width: int) -> bool:
    """Whether a line goes on where the last one broke off. width: of the widest line so far."""
    if last.alone or line.alone or line.marked or text[last.end - 1] == ":":
        return False
    if _FIELD.match(text, line.start, line.end):
        return False
    if text[line.start].islower():
        return True
    first_word = len(text[line.start : line.start + width].split(maxsplit=1)[0])
    return NARROWEST <= width <= WIDEST and last.width + 1 + first_word > width


def _lines(text: str) -> Iterator[_Line | None]:
    """Each line; None for a blank one."""
    counted = _list_numbers(text)
    offset = 0
    for raw in text.splitlines(keepends=True):
        for start, end in _items(raw, offset):
            spans = list(_stripped(text, start, end))
            yield _line(text, spans[0], counted) if spans else None
        offset += len(raw)


def _items(raw: str, offset: int) -> Iterator[tuple[int, int]]:
    """A line, cut before each bullet that stands within it."""
    start = 0
    for bullet in _INLINE_BULLET.finditer(raw):
        yield offset + start, offset + bullet.start()
        start = bullet.start()
    yield offset + start, offset + len(raw)


def _line(text: str, span: Span, counted: frozenset[int]) -> _Line | None:
    start = span.start
    while marker := (_NUMBER if start in counted else _MARKER).match(text, start, span.end):
        start = marker.end()
    alone = text.startswith("#", span.start) or text.startswith("|", start)
    return _Line(start, span.end, start > span.start, alone) if start < span.end else None


def _list_numbers(text: str) -> frozenset[int]:
    """Where numbers at the head of a line are list markers: 1, 2, 3 ... or 1, 1, 1 in a row.

    Any other number belongs to the text: "3. Oktober" must not lose its 3.
    """
    heads = [(found.start(1), int(found[1])) for found in _NUMBERED.finditer(text)]
    markers: set[int] = set()
    for (place, number), (after, following) in pairwise(heads):
        if following in (1, number + 1) and (number == 1 or place in markers):
            markers |= {place, after}
    return frozenset(markers)
