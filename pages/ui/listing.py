"""The list of questions: its filters, its rows, its pages, and the file of all that is filtered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

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
    "right": "stayed right",
    "wrong": "stayed wrong",
}
COLUMNS: dict[str, Any] = {
    "question": st.column_config.TextColumn("Question", width=560),
    "outcome": st.column_config.TextColumn("Outcome", width=110),
    "evidence": st.column_config.NumberColumn(
        "Evidence", format="rank %d", width=84, help="Rank of the first answer-bearing passage."
    ),
    "repetition": st.column_config.NumberColumn(
        "Repetition",
        format="%.0f%%",
        width=84,
        help="Share of what the candidates state that another one has stated before.",
    ),
    "candidates": st.column_config.NumberColumn("Candidates", format="localized", width=88),
    "tokens": st.column_config.NumberColumn("Tokens", format="localized", width=74),
    "facts": st.column_config.NumberColumn("Facts", format="localized", width=60),
    "about": st.column_config.TextColumn("About", width=130),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the list shows: everything that the address says of it."""

    search: str
    outcome: str
    where: tuple[str, str] | None
    sort: str
    descending: bool
    offset: int
    limit: int

    @property
    def filtered(self) -> bool:
        return bool(self.search or self.outcome or self.where)


def asked() -> Asked:
    """What the address asks for."""
    name, is_pair, value = (state.get(state.WHERE) or "").partition("=")
    return Asked(
        search=state.get(state.SEARCH) or "",
        outcome=state.get(state.OUTCOME),
        where=(name, value) if is_pair else None,
        sort=state.get(state.SORT),
        descending=state.get(state.DOWN) == "1",
        offset=(max(1, state.get(state.PAGE)) - 1) * ROWS,
        limit=ROWS,
    )


def page(collection: CollectionView) -> Page:
    """The rows that the address asks for; a page beyond the last one is the last one."""
    wanted = asked()
    found = cache.questions(collection, **asdict(wanted))
    if not found.rows and found.total:
        last = (found.total - 1) // ROWS * ROWS
        found = cache.questions(collection, **asdict(replace(wanted, offset=last)))
    return found


def filters(collection: CollectionView) -> None:
    """Search, outcome and metadata (where there are any), order and direction."""
    find = state.prime("w-find", state.get(state.SEARCH) or "")
    st.text_input(
        "Find",
        key=find,
        placeholder="a part of a question or its id",
        on_change=_found,
        args=(find,),
        width=280,
    )
    if collection.with_outcomes or state.get(state.OUTCOME):
        _choice("Outcome", state.OUTCOME, OUTCOME_WORDS, width=210)
    about(collection)
    _choice("Sort by", state.SORT, SORT_WORDS, width=190)
    key = state.prime("w-down", state.get(state.DOWN) == "1")
    st.toggle("Highest first", key=key, on_change=_turned, args=(key,))


def _choice(title: str, what: state.Key[str], words: dict[str, str], *, width: int) -> None:
    key = state.prime(f"w-{what.name}", state.get(what))
    st.selectbox(
        title,
        list(words),
        format_func=words.__getitem__,
        key=key,
        on_change=_chosen,
        args=(key, what),
        width=width,
    )


def about(collection: CollectionView) -> None:
    """One value of the metadata, out of those by which questions can be told apart."""
    pairs = [
        f"{name}={value}" for name, values in cache.metadata(collection).items() for value in values
    ]
    now = state.get(state.WHERE)
    if now is not None and now not in pairs:
        pairs.append(now)
    if pairs:
        key = state.prime("w-where", now or "")
        st.selectbox(
            "About",
            ["", *pairs],
            format_func=lambda pair: text.clean(pair.replace("=", ": ", 1)) if pair else "anything",
            key=key,
            on_change=_chosen,
            args=(key, state.WHERE),
            width=190,
        )


def _found(key: str) -> None:
    state.put({state.SEARCH: st.session_state[key].strip() or None, state.PAGE: 1})


def _chosen(key: str, what: state.Key[Any]) -> None:
    state.put({what: st.session_state[key] or what.default, state.PAGE: 1})


def _turned(key: str) -> None:
    state.put({state.DOWN: "1" if st.session_state[key] else "", state.PAGE: 1})


def show_all() -> None:
    """Take every filter away."""
    state.put({state.SEARCH: None, state.OUTCOME: "", state.WHERE: None, state.PAGE: 1})


def table(collection: CollectionView, page: Page) -> str | None:
    """The rows; returns the id of the question that was picked to be opened."""
    frame = to_frame(page.rows, names=cache.metadata(collection))
    return tables.pick(
        frame,
        ids=[row.id for row in page.rows],
        picked=None,
        name="questions",
        alt="Questions, one a row; pick a row to open it",
        columns={name: COLUMNS[name] for name in frame.columns},
    )


def to_frame(rows: Sequence[QuestionRow], *, names: Iterable[str] = ()) -> pd.DataFrame:
    """Rows as a typed frame; a column about which nothing is known is left out."""
    shown = list(names)
    percent = [None if row.redundancy is None else 100 * row.redundancy for row in rows]
    frame = pd.DataFrame(
        {
            "question": pd.Series([text.clean(row.question) for row in rows], dtype="str"),
            "outcome": pd.Series([_outcome(row) for row in rows], dtype="str"),
            "evidence": pd.Series([row.evidence_rank for row in rows], dtype="Int64"),
            "repetition": pd.Series(percent, dtype="Float64"),
            "candidates": pd.Series([row.candidates for row in rows], dtype="Int64"),
            "tokens": pd.Series([row.tokens for row in rows], dtype="Int64"),
            "facts": pd.Series([row.facts for row in rows], dtype="Int64"),
            "about": pd.Series([_about(row, shown) for row in rows], dtype="str"),
        }
    )
    blank = [name for name in ("outcome", "about") if frame[name].eq("").all()] + [
        name for name in ("evidence", "facts", "tokens", "repetition") if frame[name].isna().all()
    ]
    return frame.drop(columns=blank)


def _outcome(row: QuestionRow) -> str:
    return OUTCOME_WORDS.get(row.outcome, row.outcome) if row.outcome else ""


def _about(row: QuestionRow, names: Sequence[str]) -> str:
    values = (row.metadata.get(name) for name in names)
    return ", ".join(text.clean(value) for value in values if isinstance(value, str))


def download(collection: CollectionView) -> None:
    """Everything that the filter leaves, as CSV, built on click."""
    downloads.csv_button(
        "Download as CSV",
        lambda wanted=asked(): _rows(collection, wanted),
        file=f"{downloads.file_name(collection.name, 'questions')}.csv",
        key="questions-csv",
        help="All questions that match the filter, not just this page.",
    )


def _rows(collection: CollectionView, wanted: Asked) -> list[dict[str, object]]:
    everything = replace(wanted, offset=0, limit=MOST_ROWS)
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
