"""The review as one file to hand over: what got worse, why, the verdicts, and every question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import streamlit as st

from pages.ui import cache, downloads, regressing, reviewing_case, state, text
from pages.ui.frame import ROOMS_STYLE, STYLE
from pages.ui.regressing_list import Listed, Reviews, verdict
from selection.diagnosis import Diagnosis
from storage.case_texts import CaseTexts, case_texts
from storage.diagnose import Regressions
from storage.html import Markup, document, element, joined, table
from storage.studies.case import Case
from storage.views import CollectionView

OWN_STYLE = Path(__file__).with_name("regressing.css")
MOST_WHOLE = 1_000
"""Questions that are shown with all that is known of them; a file with more opens slowly."""
EXTRA = """
.tell b { font-weight: 600; }
details.q { border-top: 1px solid var(--line); }
details.q > summary { display: grid; grid-template-columns: 0.6rem 1fr 11rem 10rem; gap: 0.8rem; }
details.q > summary::before { content: "+"; }
details.q[open] > summary::before { content: "\2212"; }
details.q[open] > summary > :first-child { font-weight: 600; }
details.q > div { padding: 0.2rem 0 1rem; }
.case-head { min-height: 0; } .case-head .asked { display: none; }
"""
Texts = Callable[[Sequence[str]], Mapping[str, CaseTexts]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """What the file is about. filters: how the list was narrowed, in words; empty for all of it."""

    collection: CollectionView
    found: Regressions
    listed: Listed
    reviews: Reviews
    filters: tuple[str, ...]


def button(one: Reviewed) -> None:
    """The list as filtered, as one file; built on the click."""

    def made() -> bytes:
        texts = partial(case_texts, cache.engine(), one.collection.name)
        return review_file(one, texts=texts, saved_at=datetime.now(UTC))

    st.download_button(
        "HTML",
        data=made,
        file_name=f"{downloads.file_name(one.found.collection, one.found.candidate, 'worse')}.html",
        mime="text/html",
        on_click="ignore",
        key="worse-html",
        help="The list as filtered, with causes and verdicts, as one file that opens anywhere.",
        type="tertiary",
        icon=":material/download:",
    )


def filters() -> tuple[str, ...]:
    """How the address narrows the list, in words."""
    kind = state.get(state.DIAGNOSIS)
    named = (
        ("diagnosis", regressing.NAMES[Diagnosis(kind)] if kind in set(Diagnosis) else kind),
        ("verdict", state.get(state.VERDICT)),
        ("where", state.get(state.WHERE)),
        ("added passage", state.get(state.GROUP)),
        ("text", state.get(state.SEARCH)),
    )
    return tuple(f"{name}: {value}" for name, value in named if value)


def review_file(one: Reviewed, *, texts: Texts, saved_at: datetime) -> bytes:
    """The file. texts: question ids -> wording of their facts and passages."""
    found, shown = one.found, one.listed.cases
    whole = shown[:MOST_WHOLE]
    wording = texts([case.question for case in whole])
    made_up = element("span", "made up", class_="tag made-up") if one.collection.made_up else None
    name = f"{found.collection}: from {found.baseline} to {found.candidate}"
    body = joined(
        [
            element("h1", name, " ", made_up),
            Markup(regressing.opening_html(found)),
            _counts(found),
            Markup(regressing.split_html(found)),
            _verdicts(one),
            element("h2", _heading(one)),
            *(_question(case, one.reviews, wording.get(case.question)) for case in whole),
            _rest(len(shown) - len(whole)),
        ]
    )
    return document(
        title=name,
        body=body,
        about=[
            f"Collection {found.collection}{', made-up data' if made_up else ''}",
            "what the two prompts held is compared; no model was asked again",
        ],
        saved_at=saved_at,
        css="".join(one.read_text("utf-8") for one in (STYLE, ROOMS_STYLE, OWN_STYLE)) + EXTRA,
    )


def _counts(found: Regressions) -> Markup:
    """One row a diagnosis, and their sum."""
    rows = [
        (regressing.name_of(kind, found), regressing.MEANINGS[kind], f"{found.counts[kind]:,}")
        for kind in regressing.NAMES
        if found.counts[kind]
    ]
    rows.append(("All that got worse", regressing.sum_words(found), f"{found.worse:,}"))
    return table(["diagnosis", "what it says", "questions"], rows, caption="Why", numbers=1)


def _verdicts(one: Reviewed) -> Markup:
    """How far the review is, what people decided, and who they are."""
    given = [
        now.current
        for case in one.found.cases
        if (now := one.reviews.get(case.question)) and now.current
    ]
    done = text.out_of(len(given), one.found.worse, "questions reviewed")
    if not given:
        return element("p", f"{done}: nobody has given a verdict yet.")
    people = text.listed(sorted({review.reviewer for review in given}))
    rows = Counter(review.verdict for review in given).most_common()
    return table(
        ["verdict", "questions"],
        [(name, f"{count:,}") for name, count in rows],
        caption=f"Verdicts: {done}, by {people}",
        numbers=1,
    )


def _heading(one: Reviewed) -> str:
    shown = text.out_of(len(one.listed.cases), one.found.worse, "that got worse")
    return f"{shown}{': ' + '; '.join(one.filters) if one.filters else ''}"


def _question(case: Case, reviews: Reviews, texts: CaseTexts | None) -> Markup:
    """A line that opens: everything that is known of one question, and what people said."""
    said = verdict(reviews, case.question) or "not reviewed"
    line = element(
        "summary",
        element("span", case.text),
        element("span", regressing.NAMES[case.diagnosis], class_="soft"),
        element("span", said, class_="soft"),
    )
    parts = [Markup(reviewing_case.head_html(case))]
    if texts is not None:
        parts.append(Markup(reviewing_case.case_html(case, texts)))
    if case.question in reviews:
        parts.append(Markup(reviewing_case.history_html(reviews[case.question].history)))
    return element("details", line, element("div", joined(parts)), class_="q")


def _rest(more: int) -> Markup | None:
    if more <= 0:
        return None
    words = f"and {text.counted(more, 'question')} more: the list as CSV or JSON lines has them all"
    return element("p", words, class_="soft")
