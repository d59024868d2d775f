"""The words used here, the selectors and measures there are, and what a file may hold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.ui import text
from selection.measures import all_measures
from selection.registry import list_selectors, selector_class

FORMAT = Path(__file__).resolve().parents[2] / "docs" / "format.md"
WORDS = (
    ("passage", "a text that the retriever brought; its rank is its place in that list"),
    ("statement", "what a passage says, computed from its text"),
    ("claim", "the same, given by a file or taken from one; selectors look at claims"),
    ("fact", "what the question needs; somebody has judged which passages support it"),
    ("selector", "a rule that decides which passages are sent, under a budget of tokens"),
    ("ledger", "every decision of a selector, rank by rank, with its reason"),
    ("repetition", "the share of what was sent that says something again"),
    ("n/a", "not defined here, or not known; never a zero"),
)


def button() -> None:
    """Opens the guide."""
    if st.button("How to read this", key="guide", type="tertiary", icon=":material/menu_book:"):
        show()


def format_button() -> None:
    """Opens the description of the project's own file format."""
    if FORMAT.is_file() and st.button(
        "What a file may hold", key="format", type="tertiary", icon=":material/description:"
    ):
        show_format()


@st.dialog("How to read this", width="large")
def show() -> None:
    """The words, then every selector and measure, as the registry declares them."""
    st.html(_table("Words", WORDS))
    selectors = [selector_class(name) for name in list_selectors()]
    st.html(_table("Selectors", [(one.title, one.summary) for one in selectors]))
    st.html(_table("Measures", [(one.title, one.help) for one in all_measures()]))


@st.dialog("What a file may hold", width="large")
def show_format() -> None:
    """The page of the documentation, which is our own text."""
    st.markdown(FORMAT.read_text("utf-8").split("\n", 1)[-1])


def _table(title: str, lines: Sequence[tuple[str, str]]) -> str:
    rows = "".join(
        f'<tr><th scope="row"><b>{text.plain(name)}</b></th><td>{text.plain(words)}</td></tr>'
        for name, words in lines
    )
    return (
        f'<div class="r13"><h2>{title}</h2></div>'
        f'<table class="r13 guide"><caption class="sr">{title}</caption>'
        f"<tbody>{rows}</tbody></table>"
    )
