"""On which step a collection stands, where its data come from, and the one button to the next."""

from __future__ import annotations

import re
from dataclasses import dataclass

import streamlit as st

from pages.ui import frame, state, text
from storage.views import CollectionView, Sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One step of the ladder. next: the button to the step after it, empty on the last."""

    name: str
    next: str
    gain: str


RUNGS = (
    Rung(name="texts only", next="Add outcomes", gain="which questions got worse or better"),
    Rung(name="outcomes of arms", next="Add what was sent", gain="the recorded selection, by rank"),
    Rung(name="what was sent", next="Add answer-bearing passages", gain="evidence recall"),
    Rung(
        name="answer-bearing passages",
        next="Add gold facts",
        gain="fact recall, and the best possible",
    ),
    Rung(name="gold facts", next="", gain=""),
)

_METHOD = re.compile(r"^.+(?=, computed$)|(?<=\()[^()]+(?=\))")
"""BM25 in "BM25, computed"; o200k in "counted (o200k)"."""


def step_words(collection: CollectionView) -> str:
    """The step in words: step 5 of 5, gold facts."""
    return f"step {collection.step + 1} of {len(RUNGS)}, {RUNGS[collection.step].name}"


def provenance_html(collection: CollectionView, sources: Sources) -> str:
    """Chips: what is given, computed and counted, and the step; how, where the pointer rests."""
    said = {
        "claims": sources.claims,
        "tokens": sources.tokens,
        "scores": sources.scores,
        "similarity": sources.similarity,
    }
    if sources.reordered:
        said["ranking"] = "by score, computed"
    groups: dict[str, list[str]] = {}
    for name, words in said.items():
        groups.setdefault(_origin(words), []).append(_named(name, words))
    relevance = {"minmax": "min-max"}.get(sources.relevance, sources.relevance)
    chips = [f"<b>{origin}:</b> {', '.join(names)}" for origin, names in groups.items()]
    chips += [f"<b>relevance:</b> {text.plain(relevance)}"]
    chips += [f"<b>step {collection.step + 1} of {len(RUNGS)}</b>"]
    said |= {"relevance": relevance, "data": step_words(collection)}
    whole = text.plain("; ".join(f"{name}: {words}" for name, words in said.items()))
    shown = "".join(f'<span class="chip">{chip}</span>' for chip in chips)
    return (
        f'<p class="r13 provenance" title="{whole}"><span class="sr">{whole}</span>'
        f'<span class="shown" aria-hidden="true">{shown}</span></p>'
    )


def _named(name: str, words: str) -> str:
    """What came from there, with the method where there is one; narrow screens leave it out."""
    if words.startswith("statements"):
        return "statements"
    how = _METHOD.search(words)
    return f'{name}<i class="how"> ({text.plain(how[0])})</i>' if how else name


def _origin(words: str) -> str:
    """One word for where something came from: given, computed, counted, or both where mixed."""
    known = [word for word in ("given", "counted", "computed") if word in words]
    return " and ".join(known) or "known"


def next_step(collection: CollectionView) -> None:
    """The one button to the next step; nothing on the last, or before there is a Data page."""
    rung = RUNGS[collection.step]
    if rung.next and frame.has_room("data"):
        st.page_link(
            frame.path("data"),
            label=rung.next,
            help=f"Shows {rung.gain}.",
            icon=":material/arrow_forward:",
            query_params=state.address({state.COLLECTION: collection.name}),
        )
