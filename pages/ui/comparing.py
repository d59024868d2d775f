"""What the Comparisons page draws: means beside the baseline, and pairs of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from pages.ui import cache, downloads, state, tables, text
from pages.ui.lanes import HUES
from selection.measures import Measure, all_measures
from selection.registry import Selector, parse_selector
from storage.saved import delete_comparison, rename_comparison
from storage.views import ComparisonView, ResultPage, ResultRow

ROWS = 50
MOST_ROWS = 100_000
STALE = '<span class="tag warn">data changed since</span>'
HEADLINE = ("claim_recall", "evidence_recall", "redundancy", "tokens")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which pairs are shown: a selector against the baseline under one measure."""

    selector: str
    measure: Measure
    changed_only: bool
    offset: int


def words(spec: str) -> str:
    """A selector as a person reads it; one that no longer exists stays as it was written."""
    try:
        return parse_selector(spec).label
    except ValueError:
        return spec


def name_html(one: ComparisonView) -> str:
    """The name, and whether the data changed since it was saved."""
    return f"{text.plain(one.name)} {STALE if one.stale else ''}"


def facts_html(one: ComparisonView) -> str:
    """Collection, budget, when and by whom, and the note."""
    limits = [
        f"{one.budget_tokens:,} tokens" if one.budget_tokens is not None else "",
        text.counted(one.budget_passages, "passage") if one.budget_passages is not None else "",
    ]
    budget = text.listed([limit for limit in limits if limit]) or "no limit"
    facts = (
        f"{text.plain(one.collection)}, {text.counted(one.questions, 'question')}; "
        f"budget {budget}; relevance {text.plain(one.relevance)}; "
        f"saved {one.saved_at:%Y-%m-%d %H:%M} UTC by {text.plain(one.author)}, "
        f"version {text.plain(one.code_version)}"
    )
    note = f"<p>{text.plain(one.note)}</p>" if one.note else ""
    return f'<div class="r13"><p class="soft">{facts}</p>{note}</div>'


def means_html(one: ComparisonView) -> str:
    """Selectors by measures: the mean, its n, and the difference to the baseline."""
    measures = [m for m in all_measures() if m.name in HEADLINE]
    measures.sort(key=lambda m: HEADLINE.index(m.name))
    head = "".join(f'<th scope="col" class="num">{text.plain(m.title)}</th>' for m in measures)
    rows = "".join(_mean_row(one, place, measures) for place in range(len(one.selectors)))
    return (
        '<table class="r13 headline means"><caption class="sr">Means over questions</caption>'
        f'<thead><tr><th scope="col">mean over questions</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _mean_row(one: ComparisonView, place: int, measures: list[Measure]) -> str:
    spec = one.selectors[place]
    hue = place % len(HUES) + 1
    cells = "".join(_mean_cell(one, place, m) for m in measures)
    return (
        f'<tr class="hue{hue}"><th scope="row"><span class="swatch">{place + 1}</span> '
        f"{text.plain(words(spec))}</th>{cells}</tr>"
    )


def _mean_cell(one: ComparisonView, place: int, measure: Measure) -> str:
    mean, n = one.means.get(one.selectors[place], {}).get(measure.name, (None, 0))
    base, _ = one.means.get(one.selectors[0], {}).get(measure.name, (None, 0))
    digits = 0 if measure.unit == "tokens" else 3
    difference = None if mean is None or base is None or not place else mean - base
    shown = "" if difference is None else text.signed(difference, digits=digits)
    over = f"n = {n:,}" if n else ""
    return (
        f'<td class="num">{text.decimal(mean, digits=digits)} '
        f'<span class="soft">{over}</span><span class="diff">{shown}</span></td>'
    )


def controls(one: ComparisonView) -> Asked:
    """Which selector, which measure, and whether equal questions are shown; from the address."""
    others = list(one.selectors[1:])
    measures = defined(one)
    selector = state.get(state.SELECTED)
    selector = selector if selector in others else others[0]
    name = state.get(state.MEASURE)
    if name not in measures:
        name = next((m for m in HEADLINE if m in measures), next(iter(measures)))
    key = state.prime("w-selected", selector)
    st.selectbox(
        "Selector", others, format_func=words, key=key, on_change=_put, args=(key, state.SELECTED)
    )
    key = state.prime("w-measure", name)
    st.selectbox(
        "Measure",
        list(measures),
        format_func=lambda one: measures[one].title,
        key=key,
        help=measures[name].help,
        on_change=_put,
        args=(key, state.MEASURE),
    )
    everything = state.get(state.EVERYTHING) == "1"
    key = state.prime("w-everything", everything)
    st.toggle("Also equal ones", key=key, on_change=_everything, args=(key,))
    return Asked(
        selector=selector,
        measure=measures[name],
        changed_only=not everything,
        offset=(max(1, state.get(state.PAGE)) - 1) * ROWS,
    )


def defined(one: ComparisonView) -> dict[str, Measure]:
    """The measures that have a value for at least one question, by name."""
    return {
        m.name: m
        for m in all_measures()
        if any(means.get(m.name, (None, 0))[1] for means in one.means.values())
    }


def pairs(one: ComparisonView, asked: Asked) -> ResultPage:
    """The pairs that the address asks for; a page beyond the last one is the last one."""
    found = cache.result_page(one.name, **query(asked))
    if not found.rows and found.total:
        last = replace(asked, offset=(found.total - 1) // ROWS * ROWS)
        found = cache.result_page(one.name, **query(last))
    return found


def _put(key: str, what: state.Key[Any]) -> None:
    state.put({what: st.session_state[key], state.PAGE: 1})


def _everything(key: str) -> None:
    state.put({state.EVERYTHING: "1" if st.session_state[key] else "", state.PAGE: 1})


def query(asked: Asked, *, limit: int = ROWS) -> dict[str, Any]:
    """What the database is asked for."""
    return {
        "selector": asked.selector,
        "measure": asked.measure.name,
        "higher_is_better": asked.measure.better != "lower",
        "changed_only": asked.changed_only,
        "offset": asked.offset,
        "limit": limit,
    }


def pairs_html(page: ResultPage, asked: Asked) -> str:
    """How the pairs fell: better, worse, equal, how many have no value, and how to open one."""
    n = page.better + page.worse + page.equal
    said = (
        f"{page.better:,} higher, {page.worse:,} lower"
        if asked.measure.better is None
        else f"{page.better:,} better, {page.worse:,} worse"
    )
    missing = f"; {page.undefined:,} without a value" if page.undefined else ""
    return (
        f'<p class="r13"><b>{said}</b>, {page.equal:,} equal of {n:,} pairs{missing}. '
        f'<span class="soft">The worst first. {tables.HOW if page.rows else ""}</span></p>'
    )


def table(one: ComparisonView, page: ResultPage, asked: Asked) -> str | None:
    """The pairs; returns the id of the question that was picked."""
    whole = asked.measure.unit == "tokens"
    plain, signed = ("localized", "%+.0f") if whole else ("%.3f", "%+.3f")
    number = {
        name: st.column_config.NumberColumn(title, format=form, width=190)
        for name, title, form in (
            ("baseline", text.clean(words(one.selectors[0])), plain),
            ("value", text.clean(words(asked.selector)), plain),
            ("difference", "Difference", signed),
        )
    }
    return tables.pick(
        to_frame(page.rows),
        ids=[row.question for row in page.rows],
        picked=None,
        name=f"pairs-{asked.measure.name}",
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


def download(one: ComparisonView, asked: Asked) -> None:
    """All pairs that are shown, not just this page, as CSV."""
    downloads.csv_button(
        "Download as CSV",
        lambda: [
            {
                "question": row.question,
                "text": row.text,
                "measure": asked.measure.name,
                "baseline": row.baseline,
                "value": row.value,
                "difference": row.difference,
            }
            for row in cache.result_page(
                one.name, **{**query(asked, limit=MOST_ROWS), "offset": 0}
            ).rows
        ],
        file=f"{downloads.file_name(one.name, asked.measure.name)}.csv",
        key="pairs-csv",
    )


def to_question(
    one: ComparisonView, specs: Sequence[str], question: str | None = None
) -> dict[str, Any]:
    """The address of one question with selectors and the budget of the comparison."""
    return state.address(
        {
            state.COLLECTION: one.collection,
            state.QUESTION: question,
            state.SELECTORS: readable(specs),
            state.BUDGET: state.Unlimited.NONE if one.budget_tokens is None else one.budget_tokens,
            state.CAP: one.budget_passages,
            state.RELEVANCE: "auto" if one.relevance == "default" else one.relevance,
        }
    )


def readable(specs: Sequence[str]) -> tuple[Selector, ...]:
    """The selectors that still exist as they were written."""
    found = []
    for spec in specs:
        try:
            found.append(parse_selector(spec))
        except ValueError:
            continue
    return tuple(found)


def to_brief(one: ComparisonView) -> dict[str, Any]:
    """The address of the brief from the baseline to the selector that is looked at."""
    asked = state.get(state.SELECTED)
    return state.address(
        {
            state.COLLECTION: one.collection,
            state.COMPARISON: one.name,
            state.SELECTED: asked if asked in one.selectors[1:] else one.selectors[1],
        }
    )


def rename_control(one: ComparisonView) -> None:
    """A new name and note; an opened comparison stays open under its new name."""
    with st.popover("Rename", key=f"rename-{one.name}", type="tertiary"):
        with st.form(f"w-rename-{one.name}", border=False):
            name = st.text_input("Name", value=one.name, max_chars=200)
            note = st.text_area("Note", value=one.note, max_chars=2000, height="content")
            sent = st.form_submit_button("Save", type="primary")
        if sent:
            _rename(one, name, note)


def _rename(one: ComparisonView, name: str, note: str) -> None:
    try:
        rename_comparison(cache.engine(), one.name, to=name, note=note)
    except ValueError as problem:
        st.text(str(problem))
        return
    cache.forget()
    if state.get(state.COMPARISON) == one.name:
        state.put({state.COMPARISON: name.strip()})
    st.rerun()


def delete_control(one: ComparisonView) -> None:
    """Deleting asks first, and says what goes."""
    with st.popover("Delete", key=f"delete-{one.name}", type="tertiary"):
        st.text(
            f"Deletes “{text.clean(one.name)}” with its results for "
            f"{text.counted(one.questions, 'question')}. The collection stays."
        )
        if st.button("Delete it", key=f"really-{one.name}", type="primary"):
            delete_comparison(cache.engine(), one.name)
            cache.forget()
            if state.get(state.COMPARISON) == one.name:
                state.put({state.COMPARISON: None})
            st.rerun()
