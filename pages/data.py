"""Bringing questions in, and the collections that are stored."""

from __future__ import annotations

import streamlit as st

from pages.ui import cache, frame, importing, shelf, state, wayfinding


def main() -> None:
    frame.ensure_frame("Data")
    collections = cache.collections()
    st.html('<div class="r13 question"><h1>Bring in your own questions</h1></div>')
    asked = wayfinding.chosen(collections) if state.get(state.COLLECTION) else None
    importing.form(asked if asked is not None and not asked.made_up else None)
    st.html('<div class="r13 question"><h1>Stored collections</h1></div>')
    if not collections:
        st.text("Nothing is stored yet.")
    for one in collections:
        shelf.collection(one)


main()
