"""A brief as one file to forward: the same figures, each of which opens its questions."""

from __future__ import annotations

from datetime import datetime

from pages.ui import brief_words, text
from pages.ui.figures import Figure, Prices
from storage.brief import Brief
from storage.html import Markup, document, element, joined, table
from storage.views import CollectionView

MOST_LINES = 1_000
"""Questions that are listed under one figure; a file with more opens slowly."""
OWN = """
.lead { font-size: 1.12rem; line-height: 1.5; max-width: 62rem; }
.figures { display: grid; grid-template-columns: repeat(4, 1fr); gap: 0.8rem; margin: 1.2rem 0; }
.figures { grid-auto-flow: dense; }
.figures details { border: 1px solid var(--line); border-radius: 4px; padding: 0.6rem 0.8rem; }
.figures details > * { margin-left: 0; }
.figures details[open] { grid-column: 1 / -1; }
.figures summary { list-style-position: outside; list-style: none; }
.figures b { display: block; font-size: 1.5rem; font-weight: 600; }
.figures .more { text-decoration: underline; text-underline-offset: 3px; }
@media (max-width: 60rem) { .figures { grid-template-columns: repeat(2, 1fr); } }
"""


def brief_file(
    brief: Brief,
    shown: tuple[Figure, ...],
    collection: CollectionView,
    prices: Prices,
    *,
    saved_at: datetime,
) -> bytes:
    """The file. shown: the figures as they stand on the page."""
    made_up = element("span", "made up", class_="tag made-up") if collection.made_up else None
    name = brief_words.title(brief)
    body = joined(
        [
            element("p", collection.name, " ", made_up),
            element("h1", name),
            element("p", brief_words.where(brief), class_="soft"),
            element("p", " ".join(brief_words.sentences(brief, prices)), class_="lead"),
            element("div", *(_figure(one) for one in shown), class_="figures"),
            element("p", " ".join(brief_words.limits(brief)), class_="soft"),
        ]
    )
    return document(
        title=f"{name}, {collection.name}",
        body=body,
        about=[
            f"Collection {collection.name}{', made-up data' if collection.made_up else ''}",
            f"prices as entered: {prices.volume:,} questions a month, "
            f"${prices.price:,.2f} a million tokens",
        ],
        saved_at=saved_at,
        css=OWN,
    )


def _figure(one: Figure) -> Markup:
    head = [
        element("span", one.title, class_="soft"),
        element("b", one.value),
        element("span", one.note, class_="soft"),
    ]
    if not one.lines:
        return element("details", element("summary", *head))
    shown = one.lines[:MOST_LINES]
    many = text.counted(len(one.lines), "question")
    head.append(element("p", many, class_="more"))
    rest = len(one.lines) - len(shown)
    rows = [(line.text, line.question, line.words) for line in shown]
    more = element("p", f"and {rest:,} more", class_="soft") if rest else None
    caption = f"{one.title}: {many}"
    return element(
        "details",
        element("summary", *head),
        table(["question", "id", "what"], rows, caption=caption),
        more,
    )
