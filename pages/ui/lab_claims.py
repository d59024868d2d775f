"""The ledger of claims: what is said, how far it is true, and the figure measured here and now."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import cache, downloads, text
from selection.model import Pool
from selection.theory.claims import Entry, Status, bench, ledger
from storage.samples.charged_twice import SAMPLE as TWENTY
from storage.views import CollectionView

WORDS = {
    Status.THEOREM: "proved in general; measured here as a check",
    Status.CITED: "known from the literature; only touched by the figure",
    Status.DEMONSTRATED: "seen on data, no law",
    Status.FALSE: "does not hold",
}


def claims(collections: Sequence[CollectionView]) -> None:
    """Draw the whole ledger, measured now."""
    entries = measured(collections)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(summary_html(entries))
        downloads.csv_button("CSV", lambda: rows(entries), file="claims.csv", key="w-csv")
    st.html(claims_html(entries))


def measured(collections: Sequence[CollectionView]) -> tuple[Entry, ...]:
    """Every claim, measured; the worked example is taken from the database, where it is there."""
    stored = next((one for one in collections if one.name == TWENTY.name and one.made_up), None)
    if stored is None:
        return _measured(None, "")
    view = cache.question(stored, cache.first_question(stored), relevance=None)
    return _measured(view.pool, cache.version(stored))


@st.cache_data(max_entries=4, show_spinner="Measuring every claim")
def _measured(_twenty: Pool | None, stamp: str) -> tuple[Entry, ...]:
    return ledger(bench(twenty=_twenty))


def summary_html(entries: Sequence[Entry]) -> str:
    """How many claims hold, in one line."""
    counts = [
        f"{sum(one.claim.status == status for one in entries)} {status.value}" for status in Status
    ]
    return (
        f'<p class="r13">{len(entries)} claims: {text.listed(counts)}. Every figure was measured '
        "when this page was drawn, on the made-up world of the finance pools or on the worked "
        "example of twenty passages.</p>"
    )


def claims_html(entries: Sequence[Entry]) -> str:
    """One row a claim, under a heading for each status."""
    bodies = "".join(
        _body(status, [one for one in entries if one.claim.status == status]) for status in Status
    )
    return (
        '<table class="r13 claimed"><caption class="sr">Claims, their status and the figure for '
        'each</caption><thead><tr><th scope="col">status</th><th scope="col">what is said</th>'
        '<th scope="col">measured now</th><th scope="col">what is right</th></tr></thead>'
        f"{bodies}</table>"
    )


def _body(status: Status, entries: Sequence[Entry]) -> str:
    rows = "".join(
        f'<tr><td><span class="tag {status.value}" title="{WORDS[status]}">{status.value}</span>'
        f'</td><th scope="row">{text.plain(one.claim.says)}</th>'
        f"<td>{_figure(one)}</td><td>{text.plain(one.claim.right)}</td></tr>"
        for one in entries
    )
    return f"<tbody>{rows}</tbody>" if rows else ""


def _figure(entry: Entry) -> str:
    figure = text.plain(entry.measured.figure)
    if entry.measured.agrees:
        return figure
    return f'{figure} <span class="warn-text">does not agree with the status</span>'


def rows(entries: Sequence[Entry]) -> list[dict[str, object]]:
    """The ledger as a file."""
    return [
        {
            "claim": one.claim.says,
            "status": one.claim.status.value,
            "measured": one.measured.figure,
            "agrees": one.measured.agrees,
            "right": one.claim.right,
        }
        for one in entries
    ]
