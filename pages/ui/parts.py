"""The parts of a page, of which one is open; which one is in the address."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.ui import state


def choose(parts: Mapping[str, str], key: state.Key[str]) -> str:
    """Draw the choice and return the part that is open. parts: value of the key -> its title."""
    widget = state.prime(f"w-{key.name}", state.get(key))
    st.segmented_control(
        "Part",
        list(parts),
        format_func=parts.__getitem__,
        key=widget,
        label_visibility="collapsed",
        required=True,
        on_change=_open,
        args=(widget, key),
    )
    return state.get(key)


def _open(widget: str, key: state.Key[str]) -> None:
    state.put({key: st.session_state[widget] or key.default})
