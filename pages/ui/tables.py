"""Tables of rows that a person picks from. A row is remembered by its id, never by its position."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages.ui import state


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
    height: int | None = None,
) -> str | None:
    """Draw rows of which one can be picked; returns the id of the picked one.

    ids: one a row of the frame, in its order. picked: the id to show as picked, if it is there.
    """
    if not ids:
        return None
    position = [ids.index(picked)] if picked in ids else []
    event = st.dataframe(
        frame,
        key=table_key(name, ids),
        on_select="rerun",
        selection_mode="single-row",
        selection_default={"selection": {"rows": position, "columns": [], "cells": []}},
        hide_index=True,
        width="stretch",
        height=height or "auto",
        column_config=dict(columns or {}),
        alt=alt,
    )
    rows = event["selection"]["rows"]
    return ids[rows[0]] if rows and rows[0] < len(ids) else None


def pager(total: int, *, rows: int) -> None:
    """Which rows these are, and the ways to the rows before and after. rows: on one page."""
    pages = -(-total // rows)
    if pages < 2:
        return
    now = min(max(1, state.get(state.PAGE)), pages)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for name, target, icon, key in (
            ("Previous page", now - 1, "chevron_left", "Left"),
            ("Next page", now + 1, "chevron_right", "Right"),
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
