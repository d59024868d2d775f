"""Taking things away: files that are built on the click, and safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def safe_cell(value: object) -> object:
    """A cell that no spreadsheet runs: a text that starts like a formula gets an apostrophe."""
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value


def csv_bytes(rows: Sequence[Mapping[str, object]]) -> bytes:
    """Rows of one shape as a CSV file in UTF-8, with a mark that spreadsheets recognise."""
    out = io.StringIO()
    names = list(rows[0]) if rows else []
    writer = csv.writer(out)
    writer.writerow([safe_cell(name) for name in names])
    writer.writerows([[safe_cell(row[name]) for name in names] for row in rows])
    return ("\ufeff" + out.getvalue()).encode("utf-8", "replace")


def csv_button(
    title: str,
    rows: Callable[[], Sequence[Mapping[str, object]]],
    *,
    file: str,
    key: str,
    help: str | None = None,
) -> None:
    """A button whose file is built on the click, and only then."""
    st.download_button(
        title,
        data=lambda: csv_bytes(rows()),
        file_name=file,
        mime="text/csv",
        on_click="ignore",
        key=key,
        help=help,
        type="tertiary",
        icon=":material/download:",
    )


def file_name(*parts: str) -> str:
    """A file name out of texts from outside: letters, digits and hyphens only."""
    words = ["".join(c if c.isalnum() else "-" for c in part).strip("-")[:40] for part in parts]
    return "-".join(word for word in words if word).lower() or "rank-13"
