"""The room under the head lines: the ledger, or a view that is closed until asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator as Place

from pages.ui import charts, downloads, firmness, matrix, passages, state, stepping
from pages.ui.lanes import Lane
from pages.ui.ledger import ledger_rows, ledger_table, noun
from selection.model import Budget
from storage.views import QuestionView

TITLES: Mapping[str, str] = {
    "ledger": "Ledger",
    "matrix": "Claims by rank",
    "chart": "Tokens against facts",
    "texts": "Texts",
    "step": "Step through",
}


def in_full(lanes: Sequence[Lane]) -> tuple[int, ...]:
    """Places of the lanes that are shown in full: two, as the address says or the first two."""
    first, second = state.get(state.FULL)
    here = range(1, len(lanes) + 1)
    if first in here and second in here:
        return first, second
    return tuple(here)[:2]


def on_screen(
    lanes: Sequence[Lane], *, full: Sequence[int], limits: Budget
) -> dict[state.Key[Any], Any]:
    """Everything that is set, by key of the address, defaults said as well."""
    none = state.Unlimited.NONE
    return {
        state.SELECTORS: tuple(lane.selector for lane in lanes),
        state.FULL: (full[0], full[1]) if len(full) == 2 else (1, 2),
        state.BUDGET: none if limits.tokens is None else limits.tokens,
        state.CAP: none if limits.passages is None else limits.passages,
        state.RELEVANCE: state.get(state.RELEVANCE),
        state.VIEW: state.get(state.VIEW),
        state.STEP: state.get(state.STEP),
        state.WALKED: state.get(state.WALKED),
        firmness.SHOWN: state.get(firmness.SHOWN),
    }


def view_control(view: QuestionView) -> None:
    """What the room shows; what the chart counts stands in its name."""
    titles = {**TITLES, "chart": f"Tokens against {charts.coverage_scale(view).what}"}
    if noun(view) == "statement":
        titles["matrix"] = "Statements by rank"
    key = state.prime("w-view", state.get(state.VIEW))
    st.segmented_control(
        "View",
        state.VIEWS,
        key=key,
        format_func=titles.__getitem__,
        required=True,
        label_visibility="collapsed",
        on_change=_open,
        args=(key,),
    )


def _open(key: str) -> None:
    state.put({state.VIEW: st.session_state[key] or "ledger"})


def file_button(view: QuestionView, lanes: Sequence[Lane]) -> None:
    """What is on screen as a file, built on the click."""
    files: dict[str, Callable[[], Sequence[Mapping[str, object]]]] = {
        "ledger": lambda: ledger_rows(view, lanes),
        "matrix": lambda: matrix.matrix_rows(view, lanes),
        "chart": lambda: charts.coverage_rows(view, lanes).to_dict("records"),
    }
    asked = state.get(state.VIEW)
    rows = files.get(asked, files["ledger"])
    name = asked if asked in files else "ledger"
    file = f"{downloads.file_name(name, view.collection.name, view.id)}.csv"
    downloads.csv_button("CSV", rows, file=file, key="w-csv", help=f"{TITLES[name]} as a file")


def panel(
    view: QuestionView, lanes: Sequence[Lane], *, full: Sequence[int], notes: str, reserve: bool
) -> Place | None:
    """The view that is open, and only that; the notes stand beside it where there are any.

    reserve: keep a place on top of the notes; it is returned, to be filled later.
    """
    place = None
    draw = {"ledger": _ledger, "matrix": _matrix, "chart": _chart, "texts": _texts, "step": _step}
    asked = state.get(state.VIEW)
    with st.container(horizontal=True, wrap=False, key="room", gap="small"):
        with st.container(key="panel"):
            if view.candidates:
                draw[asked](view, lanes, full)
            else:
                st.text(
                    "Nothing was retrieved for this question, so there is nothing to select from."
                )
        if notes or reserve:
            with scrolling("beside", "Notes", width=260, gap=None):
                place = st.container(key="losses", gap="xsmall") if reserve else None
                st.html(notes or "<p></p>")
    return place


@contextmanager
def scrolling(key: str, what: str, **box: Any) -> Iterator[None]:
    """A box that scrolls, with a stop for the keyboard: from there the arrow keys move it."""
    with st.container(key=key, **box):
        st.html(
            f'<div class="reach" tabindex="0" role="group" aria-label="{what}: '
            'arrow keys scroll"></div>'
        )
        yield


def _ledger(view: QuestionView, lanes: Sequence[Lane], full: Sequence[int]) -> None:
    wide = [lane for lane in lanes if lane.place in full]
    asked = firmness.asked() and firmness.offered(wide)
    known = all(lane.varied for lane in wide if firmness.may_vary(lane))
    note = st.empty()
    with scrolling("scroll", "Ledger"):
        table = st.empty()
        table.html(ledger_table(view, lanes, full=full, firm=asked and known))
    if not asked:
        return
    if not known:
        note.html('<p class="r13 soft legend">Selecting again from varied inputs…</p>')
        table.html(ledger_table(view, lanes, full=full, firm=True))
    note.html(firmness.note_html(wide))


def _matrix(view: QuestionView, lanes: Sequence[Lane], full: Sequence[int]) -> None:
    if not view.pool.claim_bits.known.any():
        st.text("No claims are known of these passages.")
        return
    with scrolling("scroll", "Claims by rank"):
        st.html(matrix.matrix_table(view, lanes, full=full))


def _chart(view: QuestionView, lanes: Sequence[Lane], full: Sequence[int]) -> None:
    rows = charts.coverage_rows(view, lanes)
    if rows.empty:
        st.text("There is nothing to draw: the tokens of these passages are not known.")
        return
    scale = charts.coverage_scale(view)
    budget = next((lane.selection.budget.tokens for lane in lanes if lane.selection), None)
    st.altair_chart(
        charts.coverage_chart(rows, scale, budget=budget),
        alt=charts.coverage_alt(rows, what=scale.what),
        width="stretch",
        height="stretch",
    )


def _texts(view: QuestionView, lanes: Sequence[Lane], full: Sequence[int]) -> None:
    with scrolling("scroll", "Texts"):
        st.html(passages.texts_html(view, lanes, ranks=[one.rank for one in view.candidates]))


def _step(view: QuestionView, lanes: Sequence[Lane], full: Sequence[int]) -> None:
    running = [lane for lane in lanes if lane.selection is not None]
    if not running:
        st.text("No selector can run on this question; there is nothing to step through.")
        return
    lane = _walked(running)
    key = state.prime("w-walk", lane.place)
    names = {one.place: f"{one.place} {one.label}" for one in running}
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="walk"):
        st.selectbox(
            "Selector",
            list(names),
            key=key,
            format_func=names.__getitem__,
            label_visibility="collapsed",
            on_change=_put,
            args=(key, state.WALKED),
            width=260,
        )
        at = min(state.get(state.STEP), len(lane.steps))
        slider = state.prime("w-step", at)
        st.slider(
            "Decision",
            0,
            len(lane.steps),
            key=slider,
            format=f"%d of {len(lane.steps)}",
            label_visibility="collapsed",
            on_change=_put,
            args=(slider, state.STEP),
        )
    with scrolling("scroll", "This decision"):
        st.html(stepping.moment_html(view, lane, at=at))


def _walked(running: Sequence[Lane]) -> Lane:
    asked = state.get(state.WALKED)
    fallback = running[min(1, len(running) - 1)]
    return next((lane for lane in running if lane.place == asked), fallback)


def _put(key: str, target: state.Key[Any]) -> None:
    state.put({target: st.session_state[key]})
