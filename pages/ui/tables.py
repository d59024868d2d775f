"""Tables of rows that a person picks from. A row is remembered by its id, never by its position."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages.ui import state, text

HOW = "Click a row to open it; by keyboard: arrows, then Shift and Space."
FEW = 12


def table_key(name: str, ids: Sequence[str]) -> str:
    """A key that changes with the rows: a kept key would keep a position and show another row."""
    seen = hashlib.sha1("\x1f".join(ids).encode("utf-8", "replace"), usedforsecurity=False)
    return f"{name}-{seen.hexdigest()[:12]}"


def pick(
    frame: pd.DataFrame,
    *,
    ids: Sequence[str],
    picked: str | None,
    name: str,
    alt: str,
    columns: Mapping[str, Any] | None = None,
) -> str | None:
    """Draw rows of which one can be picked; returns the id of the picked one.

    Few rows take what they need; more take what the screen has left, and scroll under their head.

    ids: one a row of the frame, in its order. picked: the id to show as picked, if it is there.
    """
    if not ids:
        return None
    position = [ids.index(picked)] if picked in ids else []
    with st.container(key=f"{'few' if len(ids) <= FEW else 'list'}-rows", height="stretch"):
        event = _rows(frame, ids=ids, position=position, name=name, alt=alt, columns=columns)
    return _picked(event["selection"], ids)


def _picked(selection: Mapping[str, Any], ids: Sequence[str]) -> str | None:
    """The id of the row that was ticked, or of the row of the cell that was clicked."""
    at = [*(row for row, _ in selection.get("cells", ())), *selection["rows"]]
    return ids[at[0]] if at and at[0] < len(ids) else None


def _rows(
    frame: pd.DataFrame,
    *,
    ids: Sequence[str],
    position: Sequence[int],
    name: str,
    alt: str,
    columns: Mapping[str, Any] | None,
) -> Any:
    return st.dataframe(
        frame,
        key=table_key(name, ids),
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        selection_default={"selection": {"rows": list(position), "columns": [], "cells": []}},
        hide_index=True,
        placeholder=text.NA,
        width="stretch",
        height="content" if len(ids) <= FEW else "stretch",
        column_config=dict(columns or {}),
        alt=alt,
    )


def pager(total: int, *, rows: int) -> None:
    """Which rows these are, and the ways to the rows before and after. rows: on one page."""
    pages = -(-total // rows)
    if pages < 2:
        return
    now = min(max(1, state.get(state.PAGE)), pages)
    for name, target, icon, key in (
        ("Previous page", now - 1, "chevron_left", "P"),
        ("Next page", now + 1, "chevron_right", "N"),
    ):
        st.button(
            name,
            icon=f":material/{icon}:",
            shortcut=key,
            disabled=not 1 <= target <= pages,
            on_click=state.put,
            args=({state.PAGE: target},),
        )
    st.html(f'<span class="r13 unit">page {now:,} of {pages:,}</span>', width="content")
