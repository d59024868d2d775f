"""Questions of two runs, one a row, by their difference: which are listed, and taking them away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from pages.ui import cache, downloads, state, tables, text
from pages.ui.contrast import HEADLINE
from pages.ui.runs import RunView
from selection.measures import Measure, all_measures
from selection.registry import parse_selector
from storage.contrast import Standing
from storage.pair_page import WHICH, Which
from storage.views import ResultPage, ResultRow

ROWS = 50
MOST_ROWS = 100_000
WORDS: Mapping[Which, str] = {
    "changed": "Changed",
    "worse": "Worse",
    "better": "Better",
    "all": "All",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which pairs are shown: a run against the baseline under one measure."""

    baseline: RunView
    other: RunView
    measure: Measure
    which: Which
    same_data: bool
    offset: int

    @property
    def query(self) -> dict[str, Any]:
        """What the database is asked for, but for the place in the list."""
        return {
            "measure": self.measure.name,
            "higher_is_better": self.measure.better != "lower",
            "which": self.which,
            "same_data": self.same_data,
        }


def defined(runs: Sequence[RunView]) -> dict[str, Measure]:
    """The measures that have a value for at least one question of some run, by name."""
    return {
        m.name: m
        for m in all_measures()
        if any(one.of.means.get(one.selector, {}).get(m.name, (None, 0))[1] for one in runs)
    }


def asked(runs: Sequence[RunView]) -> Asked:
    """What the address asks for, or what comes first."""
    measures = defined(runs)
    name = state.get(state.MEASURE)
    if name not in measures:
        name = next((m for m in HEADLINE if m in measures), next(iter(measures)))
    wanted = state.get(state.SELECTED)
    others = runs[1:]
    return Asked(
        baseline=runs[0],
        other=next((one for one in others if wanted in (one.key, one.selector)), others[0]),
        measure=measures[name],
        which=next(one for one in WHICH if one == state.get(state.WHICH)),
        same_data=bool(state.get(state.SAME)),
        offset=(max(1, state.get(state.PAGE)) - 1) * ROWS,
    )


def settled(now: Asked, runs: Sequence[RunView], standings: Sequence[Standing]) -> Asked:
    """The same, with the first run that differs at all, where the address names none."""
    if state.get(state.SELECTED) is not None:
        return now
    moved = (
        run
        for run, one in zip(runs, standings, strict=True)
        if one.against is not None and one.against.test.ties < one.against.test.n
    )
    return replace(now, other=next(moved, now.other))


def measure_control(runs: Sequence[RunView], now: Asked) -> None:
    measures = defined(runs)
    key = state.prime("w-measure", now.measure.name)
    st.selectbox(
        "Measure",
        list(measures),
        format_func=lambda one: measures[one].title,
        key=key,
        help=now.measure.help,
        on_change=_put,
        args=(key, state.MEASURE),
    )


def same_control(now: Asked) -> None:
    """Whether questions whose data changed in between are left out."""
    key = state.prime("w-same", now.same_data)
    st.toggle("Same data only", key=key, on_change=_same, args=(key,))


def controls(runs: Sequence[RunView], now: Asked) -> None:
    """Which run stands against the baseline in the list, and which of its questions."""
    others = {one.key: one.label for one in runs[1:]}
    if len(others) > 1:
        key = state.prime("w-selected", now.other.key)
        st.selectbox(
            "Run",
            list(others),
            format_func=lambda one: text.clean(others[one]),
            key=key,
            on_change=_put,
            args=(key, state.SELECTED),
        )
    key = state.prime("w-which", now.which)
    st.segmented_control(
        "Questions",
        list(WHICH),
        format_func=lambda one: WORDS[one],
        key=key,
        required=True,
        on_change=_put,
        args=(key, state.WHICH),
    )


def _put(key: str, what: state.Key[Any]) -> None:
    state.put({what: st.session_state[key], state.PAGE: 1})


def _same(key: str) -> None:
    state.put({state.SAME: "1" if st.session_state[key] else "", state.PAGE: 1})


def pairs(now: Asked) -> ResultPage:
    """The pairs that are asked for; a page beyond the last one is the last one."""
    found = _read(now, limit=ROWS)
    if not found.rows and found.total:
        found = _read(replace(now, offset=(found.total - 1) // ROWS * ROWS), limit=ROWS)
    return found


def _read(now: Asked, *, limit: int) -> ResultPage:
    return cache.pair_page(
        now.baseline.run, now.other.run, **now.query, offset=now.offset, limit=limit
    )


def pairs_html(page: ResultPage, now: Asked) -> str:
    """How the pairs fell: better, worse, equal, how many have no value, and how to open one."""
    n = page.better + page.worse + page.equal
    said = (
        f"{page.better:,} higher, {page.worse:,} lower"
        if now.measure.better is None
        else f"{page.better:,} better, {page.worse:,} worse"
    )
    missing = f"; {page.undefined:,} without a value" if page.undefined else ""
    first = "best" if now.which == "better" else "worst"
    how = f"The {first} first. {tables.HOW}" if page.rows else ""
    return (
        f'<p class="r13"><b>{said}</b>, {page.equal:,} equal of {n:,} pairs{missing}. '
        f'<span class="soft">{how}</span></p>'
    )


def table(page: ResultPage, now: Asked) -> str | None:
    """The pairs; returns the id of the question that was picked."""
    whole = now.measure.unit == "tokens"
    plain, signed = ("localized", "%+.0f") if whole else ("%.3f", "%+.3f")
    number = {
        name: st.column_config.NumberColumn(title, format=form, width=190)
        for name, title, form in (
            ("baseline", text.clean(now.baseline.label), plain),
            ("value", text.clean(now.other.label), plain),
            ("difference", "Difference", signed),
        )
    }
    return tables.pick(
        to_frame(page.rows),
        ids=[row.question for row in page.rows],
        picked=None,
        name=f"pairs-{now.measure.name}",
        alt="Questions by their difference, one a row; pick a row to open it",
        columns={"question": st.column_config.TextColumn("Question", width=640), **number},
    )


def to_frame(rows: tuple[ResultRow, ...]) -> pd.DataFrame:
    """Pairs as a typed frame."""
    return pd.DataFrame(
        {
            "question": pd.Series([text.clean(r.text or r.question) for r in rows], dtype="str"),
            "baseline": pd.Series([r.baseline for r in rows], dtype="Float64"),
            "value": pd.Series([r.value for r in rows], dtype="Float64"),
            "difference": pd.Series([r.difference for r in rows], dtype="Float64"),
        }
    )


def download(now: Asked) -> None:
    """All pairs that are listed, not just this page, as CSV."""
    downloads.csv_button(
        "Download as CSV",
        lambda: [
            {
                "question": row.question,
                "text": row.text,
                "measure": now.measure.name,
                "baseline": row.baseline,
                "value": row.value,
                "difference": row.difference,
            }
            for row in _read(replace(now, offset=0), limit=MOST_ROWS).rows
        ],
        file=f"{downloads.file_name(now.other.of.name, now.measure.name)}.csv",
        key="pairs-csv",
    )


def to_question(runs: Sequence[RunView], question: str | None = None) -> dict[str, Any]:
    """The address of one question with the selectors of some runs and the budget of the last."""
    readable = []
    for spec in dict.fromkeys(run.selector for run in runs):
        try:
            readable.append(parse_selector(spec))
        except ValueError:
            continue
    one = runs[-1].of
    return state.address(
        {
            state.COLLECTION: one.collection,
            state.QUESTION: question,
            state.SELECTORS: tuple(readable),
            state.BUDGET: state.Unlimited.NONE if one.budget_tokens is None else one.budget_tokens,
            state.CAP: one.budget_passages,
            state.RELEVANCE: "auto" if one.relevance == "default" else one.relevance,
        }
    )
