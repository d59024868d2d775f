"""Words and numbers for the screen. Text from outside reaches HTML through `plain` alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

from storage.html import clean as clean
from storage.html import plain as plain

NA = "n/a"
MINUS = "−"

Kind = Literal["strong", "new", "again", "quiet"]
_KINDS: tuple[Kind, ...] = get_args(Kind)
"""Where places overlap, the first of these decides how they look."""

_LIGATURE = re.compile(r":|-(?=[->])|<(?=-)")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$&=^\"'/@])")


def label(value: object) -> str:
    """Text from outside as the label of a widget, which would read markdown in it otherwise.

    Every mark is escaped; a word joiner keeps icon names and arrows from forming afterwards.
    """
    joined = _LIGATURE.sub("\\g<0>\u2060", clean(value).replace("\n", " "))
    return _MARKDOWN.sub(r"\\\1", joined)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A marked place in a text: characters start to end (exclusive), and what is said of it.

    kind: "strong" where the question needs it, "new" and "again" for what is said for the first
    time and what has been said before, "quiet" for a note without a mark.
    """

    start: int
    end: int
    note: str
    kind: Kind = "new"


def highlighted(text: str, spans: Iterable[Span]) -> str:
    """HTML of a text whose spans are marked; where spans overlap, one mark carries every note."""
    inside = [s for s in spans if 0 <= s.start < s.end <= len(text)]
    cuts = sorted({0, len(text), *(s.start for s in inside), *(s.end for s in inside)})
    pieces = []
    for start, end in pairwise(cuts):
        over = [s for s in inside if s.start <= start and end <= s.end]
        piece = plain(text[start:end])
        if over:
            note = plain("; ".join(dict.fromkeys(s.note for s in over)))
            kind = min((s.kind for s in over), key=_KINDS.index)
            piece = f'<mark class="{kind}" title="{note}">{piece}</mark>'
        pieces.append(piece)
    return "".join(pieces)


def whole(value: float | None) -> str:
    """A count: 8,235."""
    return NA if value is None else _minus(f"{value:,.0f}")


def decimal(value: float | None, *, digits: int = 2) -> str:
    """A share or a ratio: 0.75."""
    return NA if value is None else _minus(f"{value:,.{digits}f}")


def signed(value: float | None, *, digits: int = 0) -> str:
    """A difference with its sign: +12, −6,145; no difference is 0."""
    if value is None:
        return NA
    shown = f"{value:+,.{digits}f}"
    return shown[1:] if float(shown.replace(",", "")) == 0 else _minus(shown)


def out_of(part: int | None, total: int | None, noun: str = "") -> str:
    """A share with the n behind it: 5 of 6 facts."""
    if part is None or total is None:
        return NA
    return f"{part:,} of {total:,}{' ' + noun if noun else ''}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """1 passage, 5 passages."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(words: Sequence[str]) -> str:
    """a, b and c."""
    return (
        words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
    )


def ranks(numbers: Sequence[int]) -> str:
    """rank 3; ranks 1 and 4."""
    return f"rank{'s' if len(numbers) > 1 else ''} {listed([str(n) for n in numbers])}"


def left(remaining: int | None) -> str:
    """What a budget has left, in words: 1,910 left; 4,235 over; no budget."""
    if remaining is None:
        return "no budget"
    return f"{remaining:,} left" if remaining >= 0 else f"{-remaining:,} over"


def shortened(value: str, most: int) -> str:
    """How a text begins, cut between words."""
    words = " ".join(value.split())
    if len(words) <= most:
        return words
    start = words[:most]
    return f"{start[: start.rfind(' ')] if ' ' in start else start}…"


def _minus(shown: str) -> str:
    return shown.replace("-", MINUS)
