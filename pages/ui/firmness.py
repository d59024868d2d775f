"""How firmly each passage is selected, as a small bar in the ledger: on demand, from one seed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import state
from pages.ui.lanes import Lane
from selection.stability import SCORE_NOISE, TOKEN_ERROR, Stability

SHOWN = state.choice_key("firm", ("", "1"), "")
CLOSE = 0.05
"""A passage that is out is marked where it would come in at least this often."""


def offered(lanes: Sequence[Lane]) -> bool:
    """Whether there is a selector whose picks can be varied; an exact optimum has none."""
    return any(may_vary(lane) for lane in lanes)


def may_vary(lane: Lane) -> bool:
    """Whether the stability of a lane can be asked for."""
    return lane.selection is not None and lane.selector.name != "optimum" and bool(lane.steps)


def asked() -> bool:
    """Whether the bars are to be shown, as the address says."""
    return bool(state.get(SHOWN))


def button(lanes: Sequence[Lane]) -> None:
    """Shows the bars, or takes them away."""
    if not offered(lanes):
        return
    st.button(
        "Hide stability" if asked() else "Stability",
        key="w-firm",
        type="tertiary",
        help="How often each passage stays when ties, scores and token counts vary a little.",
        on_click=_turn,
    )


def _turn() -> None:
    state.put({SHOWN: "" if asked() else "1"})


def note_html(lanes: Sequence[Lane]) -> str:
    """What the bars say, and from which seed; and which selectors could not be varied."""
    known = (lane.stability for lane in lanes if may_vary(lane))
    found = next((one for one in known if one is not None), None)
    if found is None:
        return '<p class="r13 soft legend">The stability of these selectors is not known.</p>'
    exact = [lane for lane in lanes if lane.selection is not None and not may_vary(lane)]
    but = " The exact best set is not varied." if exact else ""
    return (
        f'<p class="r13 soft legend">The bar is the share of {found.runs:,} runs in which a '
        "passage stays when ties fall otherwise, scores shift by "
        f"{SCORE_NOISE:.0%} of their spread and token counts are off by up to "
        f"{TOKEN_ERROR:.0%} (seed {found.seed}).{but}</p>"
    )


def bar(found: Stability | None, *, rank: int, admitted: bool) -> str:
    """HTML of the bar of one passage; nothing where it is out and stays out."""
    if found is None:
        return ""
    share = float(found.share[rank - 1])
    if not admitted and share < CLOSE:
        return ""
    verb = "stays" if admitted else "would come in"
    said = f"{verb} in {round(share * found.runs):,} of {found.runs:,} runs"
    return (
        f'<span class="stay" role="img" aria-label="{said}" title="{said}">'
        f'<i style="width:{share:.0%}"></i></span>'
    )
