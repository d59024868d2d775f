"""On which step a collection stands, where its data come from, and the one button to the next."""

from __future__ import annotations

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


def step_words(collection: CollectionView) -> str:
    """The step in words: step 5 of 5, gold facts."""
    return f"step {collection.step + 1} of {len(RUNGS)}, {RUNGS[collection.step].name}"


def provenance_html(collection: CollectionView, sources: Sources) -> str:
    """Chips: where claims, tokens, scores and similarity come from, and the step."""
    said = {
        "claims": sources.claims,
        "tokens": sources.tokens,
        "scores": sources.scores,
        "similarity": sources.similarity,
        "relevance": {"minmax": "min-max"}.get(sources.relevance, sources.relevance),
    }
    if sources.reordered:
        said["ranking"] = "by score, computed"
    chips = "".join(
        f'<span class="chip"><b>{name}:</b> {text.plain(words)}</span>'
        for name, words in said.items()
    )
    step = f'<span class="chip"><b>{step_words(collection)}</b></span>'
    return f'<p class="r13 provenance">{chips}{step}</p>'


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
