"""Files that open without a server: one HTML document that carries all it needs.

Whatever is no `Markup` is escaped, so that a text from outside can only ever be a text. The
document brings its style along, follows the reader's light or dark mode, runs nothing and asks
nobody for anything: its own policy forbids it, and a style that would load something is refused.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

PRODUCT = "Rank 13"
STYLE = Path(__file__).with_name("html.css")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

# Controls (tab and newline apart), surrogates and overrides of the writing direction: the first
# two cannot be sent to a browser, the last would let one cell reorder its neighbours.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
_LEAVES = re.compile(r"</|url\(|@import|image-set\(", re.IGNORECASE)
_NAME = re.compile(r"[a-z][a-z0-9-]*")


class Markup(str):
    """HTML in which every text from outside has been escaped. Everything else is a text."""

    __slots__ = ()


def clean(value: object) -> str:
    """A text that a browser can show: what cannot be printed becomes a replacement character."""
    return _UNPRINTABLE.sub("\ufffd", str(value))


def plain(value: object) -> Markup:
    """Text from outside as HTML that says exactly that text, in an element or an attribute."""
    return Markup(html.escape(clean(value), quote=True))


def joined(parts: Iterable[object]) -> Markup:
    """Parts one after the other: markup as it stands, everything else escaped; None is nothing."""
    kept = (part for part in parts if part is not None)
    return Markup("".join(part if isinstance(part, Markup) else plain(part) for part in kept))


def element(name: str, *parts: object, **attributes: str) -> Markup:
    """An element around its parts. A trailing underscore keeps `class_` apart from the keyword.

    :raises ValueError: for a name of an element or attribute that is none, or that would run code.
    """
    named = [(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items()]
    for one in (name, *(key for key, _ in named)):
        if not _NAME.fullmatch(one) or one == "script" or one.startswith("on"):
            raise ValueError(f"{one!r} is no element or attribute of a file that runs nothing.")
    said = "".join(f' {key}="{plain(value)}"' for key, value in named)
    return Markup(f"<{name}{said}>{joined(parts)}</{name}>")


def table(
    head: Sequence[object], rows: Iterable[Sequence[object]], *, caption: str, numbers: int = 0
) -> Markup:
    """A table whose first column names the row. numbers: how many last columns hold figures."""
    words = len(head) - numbers

    def cell(name: str, part: object, at: int, **more: str) -> Markup:
        return element(name, part, class_="num" if at >= words else "words", **more)

    def row(parts: Sequence[object]) -> Markup:
        first = cell("th", parts[0], 0, scope="row")
        return element("tr", first, *(cell("td", one, at) for at, one in enumerate(parts) if at))

    heads = joined(cell("th", one, at, scope="col") for at, one in enumerate(head))
    return element(
        "table",
        element("caption", caption),
        element("thead", element("tr", heads)),
        element("tbody", *(row(one) for one in rows)),
    )


def document(
    *, title: str, body: Markup, about: Sequence[object], saved_at: datetime, css: str = ""
) -> bytes:
    """The whole file in UTF-8. about: what the foot says it was made from; saved_at: in UTC.

    css: added to the style that every such file has.

    :raises ValueError: for a style that loads something, or ends the element that it stands in.
    """
    style = f"{STYLE.read_text('utf-8')}{css}"
    found = _LEAVES.search(style)
    if found:
        raise ValueError(f"The style of a file that stands alone holds {found[0]!r}.")
    moment = element("time", f"{saved_at:%Y-%m-%d %H:%M} UTC", datetime=saved_at.isoformat())
    said = Markup("; ").join(joined([one]) for one in (*about, moment))
    foot = element("footer", element("p", f"{PRODUCT}. ", Markup(said), "."))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"<title>{plain(title)} · {PRODUCT}</title><style>{style}</style></head>"
        f"<body>{element('main', body)}{foot}</body></html>"
    ).encode()
