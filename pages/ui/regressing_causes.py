"""What stands out where answers got worse: signs of crowding, articles, statements."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import state, text
from pages.ui.regressing import p_words
from pages.ui.reviewing_case import SIGNS
from selection.significance import OddsRatio
from storage.diagnose import Regressions
from storage.suspects import FEWEST, CrowdingRow, Suspect

MOST_ROWS = 8


def crowding_html(found: Regressions) -> str:
    """Each sign of crowding in worse against still-right questions."""
    if not found.crowding:
        return '<p class="r13 soft">No question has known evidence in both prompts.</p>'
    rows = "".join(_sign(row) for row in found.crowding)
    return (
        '<div class="r13"><h2>Is the crowding more than a habit of the change?</h2>'
        '<p class="soft">A larger prompt is larger for every question. Only a sign that grows '
        "more where answers got worse than where they stayed right can have to do with it. "
        "Questions with evidence in both prompts.</p></div>"
        '<table class="r13 headline"><thead><tr><th scope="col">what grew around the evidence</th>'
        '<th scope="col" class="num">typical rise, worse</th>'
        '<th scope="col" class="num">typical rise, still right</th>'
        '<th scope="col" class="num">above the median, worse</th>'
        '<th scope="col" class="num">still right</th>'
        f'{_ODDS_HEAD}<th scope="col" class="last">so</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


_ODDS_HEAD = '<th scope="col" class="num">odds ratio</th><th scope="col" class="num">Holm</th>'


def _sign(row: CrowdingRow) -> str:
    odds = row.odds
    so = "stands out" if row.confirmed else "does not stand out" if odds else "does not grow"
    return (
        f'<tr><th scope="row">{SIGNS[row.sign]}</th>'
        f'<td class="num">{_rise(row.worse)}</td><td class="num">{_rise(row.right)}</td>'
        f"{_shares(odds)}{_odds(odds)}"
        f'<td class="num">{p_words(row.p)}</td><td class="last">{so}</td></tr>'
    )


def _rise(value: float | None) -> str:
    return text.signed(value, digits=0 if value is None or value == int(value) else 1)


def _shares(odds: OddsRatio | None) -> str:
    if odds is None:
        return f'<td class="num">{text.NA}</td><td class="num">{text.NA}</td>'
    return (
        f'<td class="num">{text.out_of(odds.with_one, odds.n_one)}</td>'
        f'<td class="num">{text.out_of(odds.with_other, odds.n_other)}</td>'
    )


def _odds(odds: OddsRatio | None) -> str:
    if odds is None:
        return f'<td class="num">{text.NA}</td>'
    ends = f"{odds.ratio.low:.2g} to {_large(odds.ratio.high)}"
    return f'<td class="num">{odds.ratio.value:.1f} <span class="soft">({ends})</span></td>'


def _large(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def suspects(found: Regressions) -> None:
    """Articles and statements that are added more often to prompts that got worse."""
    listed = found.suspects
    st.html(_documents_head(found))
    for one in listed.documents[:MOST_ROWS]:
        if one.stands_out:
            _suspect(one)
    st.html(
        _kind_html(
            "Statements", [o for o in listed.statements if o.stands_out], listed.statements_tested
        )
    )


def _documents_head(found: Regressions) -> str:
    listed = found.suspects
    some = [one for one in listed.documents if one.stands_out]
    touched = sum(bool(case.suspects) for case in found.cases)
    tested = text.counted(listed.documents_tested, "article")
    if not some:
        words = f"{tested} tested (added to {FEWEST} prompts or more); none stands out."
    else:
        clear = sum(one.clear for one in some)
        words = (
            f"<b>{text.counted(len(some), 'article')} touch "
            f"{text.out_of(touched, found.worse, 'worse questions')}</b>: they are added more "
            "often where answers got worse than where they stayed right. "
            f"{tested} tested (added to {FEWEST} prompts or more); {clear:,} stand out beyond "
            "chance after correction."
        )
    return f'<div class="r13"><h2>Articles to look at</h2><p>{words}</p></div>'


def _suspect(one: Suspect) -> None:
    odds = one.odds
    asked = state.get(state.GROUP) == one.id
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            text.label(text.shortened(one.text, 60)),
            key=f"suspect-{one.id}",
            type="primary" if asked else "secondary",
            width=360,
            help="Show the questions that it was added to",
            on_click=state.put,
            args=(
                {
                    state.GROUP: one.id,
                    state.PART: "questions",
                    state.DIAGNOSIS: None,
                    state.CASE: None,
                    state.PAGE: 1,
                },
            ),
        )
        st.html(f'<p class="r13">{_words(odds, one)}</p>')


def _words(odds: OddsRatio, one: Suspect) -> str:
    sure = "beyond chance" if one.clear else "could still be chance"
    return (
        f"added to {text.out_of(odds.with_one, odds.n_one)} worse and "
        f"{text.out_of(odds.with_other, odds.n_other)} still right; odds ratio "
        f"{odds.ratio.value:.1f} ({odds.ratio.low:.2g} to {_large(odds.ratio.high)}), "
        f'{p_words(one.p)} after Holm <span class="soft">{sure}</span>'
    )


def _kind_html(title: str, some: Sequence[Suspect], tested: int) -> str:
    """Statements as a list; they are read, not opened."""
    rows = "".join(
        f"<li>“{text.plain(text.shortened(one.text, 120))}” "
        f'<span class="soft">{_words(one.odds, one)}</span></li>'
        for one in some[:MOST_ROWS]
    )
    found = (
        f"{text.counted(len(some), 'statement')} of {tested:,} tested stand out by themselves, "
        f"{sum(one.clear for one in some):,} beyond chance after correction."
    )
    return (
        f'<div class="r13"><h2>{title}</h2><p class="soft">{found}</p>'
        f'<ul class="plain">{rows}</ul></div>'
    )


def label_of(name: str) -> str:
    """The filter by an article as the label of a button."""
    return f"Only with “{text.label(text.shortened(name, 50))}” added"
