"""Bringing questions in, and the collections that are stored."""

from __future__ import annotations

import streamlit as st

from pages.ui import about, cache, frame, importing, shelf, state, wayfinding


def main() -> None:
    viewer = frame.ensure_frame("Data")
    collections = cache.collections()
    wayfinding.title("Bring in your own questions")
    asked = wayfinding.chosen(collections) if state.get(state.COLLECTION) else None
    own = asked is not None and not asked.made_up and asked.name == state.get(state.COLLECTION)
    importing.form(asked if own else None, collections)
    st.html('<div class="r13 question"><h2 class="part">Stored collections</h2></div>')
    if not collections:
        st.text("Nothing is stored yet.")
    for one in collections:
        shelf.collection(one)
    shelf.bring_back(collections)
    about.about(viewer)


main()
