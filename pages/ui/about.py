"""What runs here, who is looking, and who did what: at the end of the Data page."""

from __future__ import annotations

import streamlit as st

from pages.ui import cache, gate, text
from pages.ui.gate import Viewer
from storage import __version__
from storage.access import Role
from storage.deeds import Deed, deeds
from storage.engine import shown_url

SHOWN = 50


def about(viewer: Viewer) -> None:
    """Version and database, who has signed in and the way out, and for editors the deeds."""
    st.html('<div class="r13 question"><h2 class="part">About</h2></div>')
    where = f", data in {shown_url(cache.engine().url)}" if gate.may(Role.EDITOR) else ""
    st.text(f"Rank 13 {__version__}{where}")
    if gate.signing_in():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(f"Signed in as {text.clean(viewer.name)}, {viewer.role.title}")
            st.button("Sign out", on_click=st.logout, type="tertiary")
    if gate.may(Role.EDITOR):
        with st.expander("Who did what", on_change="rerun") as opened:
            if opened.open:
                done = [one for one in deeds(cache.engine()) if gate.sees(one.collection)]
                st.html(deeds_html(done[:SHOWN]))


def deeds_html(done: list[Deed]) -> str:
    """The latest deeds, the newest first."""
    if not done:
        return '<p class="r13">Nobody has changed anything yet.</p>'
    rows = "".join(
        f'<tr><th scope="row">{one.at:%Y-%m-%d %H:%M}</th>'
        + "".join(
            f"<td>{text.plain(part)}</td>" for part in (one.who, one.deed, one.collection, one.what)
        )
        + "</tr>"
        for one in done
    )
    head = "".join(
        f'<th scope="col">{name}</th>' for name in ("UTC", "who", "did", "collection", "what")
    )
    return (
        '<table class="r13"><caption class="sr">Who did what</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )
