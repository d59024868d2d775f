"""The list of questions: its filters, its rows, its pages, and the file of all that is filtered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import pandas as pd
import streamlit as st

from pages.ui import cache, downloads, state, tables, text
from storage.views import CollectionView, Page, QuestionRow

ROWS = 50
MOST_ROWS = 100_000
SORT_WORDS = {
    "position": "order of the file",
    "question": "question",
    "candidates": "candidates",
    "tokens": "tokens of the pool",
    "redundancy": "repetition",
    "facts": "facts",
    "evidence": "rank of the evidence",
    "outcome": "outcome",
}
OUTCOME_WORDS = {
    "": "any outcome",
    "worse": "got worse",
    "better": "got better",
    "right": "right before and after",
    "wrong": "wrong before and after",
}
PLACES = ("locale", "topic", "product", "region")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the list shows: everything that the address says of it."""

    search: str
    outcome: str
    sort: str
    descending: bool
    offset: int
    limit: int


def asked() -> Asked:
    """What the address asks for."""
    return Asked(
        search=state.get(state.SEARCH) or "",
        outcome=state.get(state.OUTCOME),
        sort=state.get(state.SORT),
        descending=state.get(state.DOWN) == "1",
        offset=(max(1, state.get(state.PAGE)) - 1) * ROWS,
        limit=ROWS,
    )


def page(collection: CollectionView) -> Page:
    """The rows that the address asks for."""
    return cache.questions(collection, **asdict(asked()))


def filters(collection: CollectionView) -> None:
    """Search, outcome (where there are outcomes), order and direction."""
    find = state.prime("w-find", state.get(state.SEARCH) or "")
    st.text_input(
        "Find",
        key=find,
        placeholder="a part of a question or its id",
        on_change=_found,
        args=(find,),
        width=320,
    )
    if collection.with_outcomes:
        key = state.prime("w-outcome", state.get(state.OUTCOME))
        st.selectbox(
            "Outcome",
            list(OUTCOME_WORDS),
            format_func=OUTCOME_WORDS.__getitem__,
            key=key,
            on_change=_chosen,
            args=(key, state.OUTCOME),
            width=230,
        )
    key = state.prime("w-sort", state.get(state.SORT))
    st.selectbox(
        "Sort by",
        list(SORT_WORDS),
        format_func=SORT_WORDS.__getitem__,
        key=key,
        on_change=_chosen,
        args=(key, state.SORT),
        width=220,
    )
    key = state.prime("w-down", state.get(state.DOWN) == "1")
    st.toggle("Highest first", key=key, on_change=_turned, args=(key,))


def _found(key: str) -> None:
    state.put({state.SEARCH: st.session_state[key].strip() or None, state.PAGE: 1})


def _chosen(key: str, what: state.Key[str]) -> None:
    state.put({what: st.session_state[key], state.PAGE: 1})


def _turned(key: str) -> None:
    state.put({state.DOWN: "1" if st.session_state[key] else "", state.PAGE: 1})


def table(page: Page) -> str | None:
    """The rows; returns the id of the question that was picked to be opened."""
    columns = {
        "question": st.column_config.TextColumn("Question", width="large"),
        "candidates": st.column_config.NumberColumn("Candidates", format="localized"),
        "tokens": st.column_config.NumberColumn("Tokens", format="localized"),
        "repetition": st.column_config.NumberColumn(
            "Repetition",
            format="percent",
            help="Share of the pool's statements that repeat another one.",
        ),
        "facts": st.column_config.NumberColumn("Facts", format="localized"),
        "evidence": st.column_config.NumberColumn(
            "Evidence at rank", help="Rank of the first answer-bearing passage."
        ),
        "outcome": st.column_config.TextColumn("Outcome"),
        "place": st.column_config.TextColumn("Where"),
    }
    frame = to_frame(page.rows)
    return tables.pick(
        frame,
        ids=[row.id for row in page.rows],
        picked=None,
        name="questions",
        alt="Questions, one a row; pick a row to open it",
        columns={name: columns[name] for name in frame.columns},
        height=min(ROWS, len(page.rows)) * 35 + 38 if len(page.rows) < 17 else 640,
    )


def to_frame(rows: Sequence[QuestionRow]) -> pd.DataFrame:
    """Rows as a typed frame; a column about which nothing is known is left out."""
    frame = pd.DataFrame(
        {
            "question": pd.Series([text.clean(row.question) for row in rows], dtype="str"),
            "outcome": pd.Series([_outcome(row) for row in rows], dtype="str"),
            "evidence": pd.Series([row.evidence_rank for row in rows], dtype="Int64"),
            "repetition": pd.Series([row.redundancy for row in rows], dtype="Float64"),
            "candidates": pd.Series([row.candidates for row in rows], dtype="Int64"),
            "tokens": pd.Series([row.tokens for row in rows], dtype="Int64"),
            "facts": pd.Series([row.facts for row in rows], dtype="Int64"),
            "place": pd.Series([_place(row) for row in rows], dtype="str"),
        }
    )
    blank = [name for name in ("outcome", "place") if frame[name].eq("").all()] + [
        name for name in ("evidence", "facts") if frame[name].isna().all()
    ]
    return frame.drop(columns=blank)


def _outcome(row: QuestionRow) -> str:
    return OUTCOME_WORDS[row.outcome] if row.outcome else ""


def _place(row: QuestionRow) -> str:
    return ", ".join(text.clean(row.metadata[name]) for name in PLACES if row.metadata.get(name))


def download(collection: CollectionView) -> None:
    """Everything that the filter leaves, as CSV, built on click."""
    downloads.csv_button(
        "Download as CSV",
        lambda: _rows(collection),
        file=f"{downloads.file_name(collection.name, 'questions')}.csv",
        key="questions-csv",
        help="All questions that match the filter, not just this page.",
    )


def _rows(collection: CollectionView) -> list[dict[str, object]]:
    everything = replace(asked(), offset=0, limit=MOST_ROWS)
    return [
        {
            "id": row.id,
            "question": row.question,
            "outcome": row.outcome,
            "candidates": row.candidates,
            "tokens": row.tokens,
            "repetition": row.redundancy,
            "facts": row.facts,
            "evidence_rank": row.evidence_rank,
        }
        for row in cache.questions(collection, **asdict(everything)).rows
    ]
