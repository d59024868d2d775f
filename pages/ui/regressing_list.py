"""The list of questions that got worse: its filters, its rows, and its files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from pages.ui import downloads, state, tables, text
from pages.ui.regressing import NAMES
from storage.commands.diagnose import case_document
from storage.diagnose import Regressions
from storage.reviews import Standing
from storage.studies.case import Case

ROWS = tables.FEW
OPEN, CLOSED = "not reviewed", "reviewed"
MOST_VALUES = 40
Reviews = Mapping[str, Standing]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """The cases that the address leaves, in the order of the file, and every case."""

    cases: tuple[Case, ...]
    all: tuple[Case, ...]


def verdict(reviews: Reviews, question: str) -> str:
    """The verdict that counts; empty where there is none."""
    now = reviews[question].current if question in reviews else None
    return now.verdict if now else ""


def listed(found: Regressions, reviews: Reviews) -> Listed:
    """What is left by diagnosis, group, verdict, locale or tag, and a part of the text."""
    left = [case for case in found.cases if _wanted(case, reviews)]
    return Listed(cases=tuple(left), all=found.cases)


def _wanted(case: Case, reviews: Reviews) -> bool:
    kind, group = state.get(state.DIAGNOSIS), state.get(state.GROUP)
    where, find = state.get(state.WHERE), (state.get(state.SEARCH) or "").casefold()
    return (
        kind in (None, str(case.diagnosis))
        and (group is None or group in case.suspects)
        and (where is None or where in set(values(case)))
        and (not find or find in case.text.casefold() or find in case.question.casefold())
        and _has_verdict(verdict(reviews, case.question))
    )


def _has_verdict(now: str) -> bool:
    asked = state.get(state.VERDICT)
    if asked in (OPEN, CLOSED):
        return bool(now) == (asked == CLOSED)
    return asked is None or asked == now


def values(case: Case) -> Iterator[str]:
    """The metadata of a question as name=value, one for each value."""
    for name, value in case.metadata.items():
        for one in value if isinstance(value, list | tuple) else (value,):
            if isinstance(one, str | int) and not isinstance(one, bool):
                yield f"{name}={one}"


def filters(found: Regressions, reviews: Reviews) -> None:
    """Find, verdict, and one value of the metadata; each says how many there are."""
    key = state.prime("w-find", state.get(state.SEARCH) or "")
    st.text_input(
        "Find",
        key=key,
        placeholder="part of a question",
        on_change=_put,
        args=(key, state.SEARCH),
        width=135,
    )
    given = Counter(verdict(reviews, case.question) for case in found.cases)
    open_now = given.pop("", 0)
    counts = {OPEN: open_now, CLOSED: given.total(), **dict(sorted(given.items()))}
    _choice("Verdict", state.VERDICT, counts, nothing="any verdict")
    pairs = Counter(pair for case in found.cases for pair in values(case))
    names = Counter(pair.split("=")[0] for pair in pairs)
    few = {p: n for p, n in sorted(pairs.items()) if names[p.split("=")[0]] <= MOST_VALUES}
    if few:
        _choice("Where", state.WHERE, few, nothing="everywhere")


def _choice(
    label: str, key: state.Key[str | None], counts: Mapping[str, int], *, nothing: str
) -> None:
    now = state.get(key) or ""
    options = ["", *counts, *([now] if now and now not in counts else [])]
    widget = state.prime(f"w-{key.name}", now)
    st.selectbox(
        label,
        options,
        format_func=lambda one: f"{text.clean(one)} ({counts.get(one, 0):,})" if one else nothing,
        key=widget,
        on_change=_put,
        args=(widget, key),
        width=150,
    )


def _put(widget: str, key: state.Key[str | None]) -> None:
    said = st.session_state[widget]
    state.put({key: (said or "").strip() or None, state.CASE: None, state.PAGE: 1})


def address_of(listed: Listed, case: Case) -> dict[state.Key[Any], Any]:
    """What the address says when a case is opened: the case, and the page of the list it is on."""
    at = next((i for i, one in enumerate(listed.cases) if one is case), 0)
    return {state.CASE: case.question, state.PAGE: at // ROWS + 1}


def table(listed: Listed, reviews: Reviews, case: Case | None) -> str | None:
    """One page of the list; returns the id of the question that was picked."""
    start = (max(1, state.get(state.PAGE)) - 1) * ROWS
    rows = listed.cases[start : start + ROWS]
    picked = case.question if case else None
    return tables.pick(
        to_frame(rows, reviews),
        ids=[one.question for one in rows],
        picked=picked,
        # A row that was picked earlier must not outlive a step to the next question.
        name=f"worse-{tables.table_key('at', [picked or ''])}",
        alt="Questions that got worse, one a row; pick a row to review it",
        columns={
            "question": st.column_config.TextColumn("Question", width=245),
            "verdict": st.column_config.TextColumn("Verdict", width=95),
            "diagnosis": st.column_config.TextColumn("Diagnosis", width=85),
        },
    )


def to_frame(rows: Sequence[Case], reviews: Reviews) -> pd.DataFrame:
    """Cases as a typed frame."""
    return pd.DataFrame(
        {
            "question": pd.Series([text.clean(one.text) for one in rows], dtype="str"),
            "verdict": pd.Series(
                [text.clean(verdict(reviews, one.question)) for one in rows], dtype="str"
            ),
            "diagnosis": pd.Series([NAMES[one.diagnosis] for one in rows], dtype="str"),
        }
    )


def hand_over(listed: Listed, reviews: Reviews, found: Regressions) -> None:
    """The filtered list as CSV and as JSON lines, built on the click."""
    name = downloads.file_name(found.collection, found.candidate, "worse")
    count = text.counted(len(listed.cases), "question")
    downloads.csv_button(
        "CSV",
        lambda: [csv_row(case, reviews) for case in listed.cases],
        file=f"{name}.csv",
        key="worse-csv",
        help=f"The list as filtered, {count}, for a spreadsheet.",
    )
    st.download_button(
        "JSON lines",
        data=lambda: json_lines(listed.cases, reviews),
        file_name=f"{name}.jsonl",
        mime="application/x-ndjson",
        on_click="ignore",
        key="worse-jsonl",
        help=f"The list as filtered, {count}, with everything that is known of each.",
        type="tertiary",
        icon=":material/download:",
    )


def csv_row(case: Case, reviews: Reviews) -> dict[str, object]:
    """One question for a spreadsheet."""
    now = reviews[case.question].current if case.question in reviews else None
    return {
        "id": case.question,
        "question": case.text,
        "diagnosis": str(case.diagnosis),
        "why": case.why,
        "verdict": now.verdict if now else "",
        "note": now.note if now else "",
        "reviewer": now.reviewer if now else "",
        "reviewed_at": now.reviewed_at.isoformat() if now else "",
        "answer_before": case.before.answer,
        "answer_after": case.after.answer,
        "tokens_added": case.tokens_added,
        "repeated": case.repeated,
        "where": "; ".join(values(case)),
    }


def json_lines(cases: Sequence[Case], reviews: Reviews) -> bytes:
    """One JSON document a question, with its whole history of verdicts."""
    lines = [json.dumps(_document(case, reviews), ensure_ascii=False) for case in cases]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _document(case: Case, reviews: Reviews) -> dict[str, Any]:
    history = reviews[case.question].history if case.question in reviews else ()
    return {
        **case_document(case),
        "verdict": verdict(reviews, case.question) or None,
        "reviews": [
            {
                "verdict": one.verdict,
                "note": one.note,
                "reviewer": one.reviewer,
                "reviewed_at": one.reviewed_at.isoformat(),
                "group": one.group,
            }
            for one in history
        ],
    }
