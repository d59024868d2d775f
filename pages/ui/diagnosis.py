"""What the doctor says of files that can be stored: oddities, and what measures will say."""

from __future__ import annotations

import streamlit as st

from pages.ui import text
from storage.doctor import Examination
from storage.doctor.examination import finding_words, outlook_words


def expected(found: Examination) -> None:
    """Both lists, closed at first: what was found is counted on the label."""
    noticed = text.counted(len(found.findings), "thing")
    about = f"{noticed} to know before storing" if found.findings else "Nothing odd was found"
    with st.expander(f"{about}; what the measures will say"):
        if found.findings:
            _list("Found", [finding_words(one, found.questions) for one in found.findings])
        _list("Measures", [outlook_words(one) for one in found.outlooks])


def _list(title: str, lines: list[str]) -> None:
    items = "".join(f"<li>{text.plain(text.shortened(line, 600))}</li>" for line in lines)
    st.html(f'<div class="r13"><h3>{text.plain(title)}</h3><ul>{items}</ul></div>')
