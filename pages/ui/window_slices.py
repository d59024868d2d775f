"""The control of the slices: size, floor and place in the eviction, behind one button."""

from __future__ import annotations

import streamlit as st

from pages.ui import state, text, window
from selection.window.slices import NAMES, Name, Window


def control(slices: Window) -> None:
    """One line a slice. The size of retrieval is the budget, which has its own control."""
    label = f"Slices, {text.whole(slices.total)} tokens"
    with st.popover(label, key="slices", help="Size, floor and eviction of every slice"):
        st.html(
            '<p class="r13 soft">A slice that gives way shrinks to its floor at most; place 1 '
            "shrinks first. What retrieval leaves over goes to history.</p>"
        )
        for name in NAMES:
            _line(slices, name)
        st.button(
            "Back to the defaults",
            on_click=state.put,
            args=({window.SLICES: ()},),
            disabled=not state.get(window.SLICES),
            type="tertiary",
        )


def _line(slices: Window, name: Name) -> None:
    one = slices[name]
    title, shown = window.TITLES[name].capitalize(), "visible" if name == NAMES[0] else "collapsed"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.html(f'<span class="r13 slice-name">{title}</span>', width=80)
        for column, value, most, word in (
            ("size", one.size, None, "Size"),
            ("floor", one.floor, one.size, "Floor"),
        ):
            key = state.prime(f"w-{name}-{column}", value)
            st.number_input(
                word if shown == "visible" else f"{word} of {name}",
                key=key,
                min_value=0,
                max_value=10**state.MOST_DIGITS - 1 if most is None else most,
                step=100,
                label_visibility=shown,
                disabled=name == "retrieval" and column == "size",
                on_change=_set,
                args=(key, name, column, slices),
                width=140,
            )
        key = state.prime(f"w-{name}-place", one.place or 0)
        st.selectbox(
            "Gives way" if shown == "visible" else f"Place of {name}",
            range(window.MOST_PLACES + 1),
            key=key,
            format_func=lambda place: "never" if place == 0 else f"at place {place}",
            label_visibility=shown,
            on_change=_set,
            args=(key, name, "place", slices),
            width=140,
        )


def _set(key: str, name: Name, column: str, slices: Window) -> None:
    """Write all slices: a later change of the budget must not move those that were set."""
    value = st.session_state[key]
    parts = []
    for one in slices.slices:
        size, floor, place = one.size, one.floor, one.place
        if one.name == name:
            size = int(value) if column == "size" and value is not None else size
            floor = int(value) if column == "floor" and value is not None else floor
            place = (value or None) if column == "place" else place
        parts.append((one.name, size, min(floor, size), place))
    state.put({window.SLICES: tuple(parts)})
