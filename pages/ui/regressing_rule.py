"""Which setting of the registry explains what the two arms really sent."""

from __future__ import annotations

import streamlit as st

from pages.ui import cache, frame, text, wayfinding
from pages.ui.saving import limit_words
from storage.diagnose import Regressions
from storage.production import MOST, Production, Rule, production
from storage.views import CollectionView

MOST_LINKS = 8


@st.cache_resource(max_entries=16, show_spinner="Trying every setting on what was sent")
def _production(name: str, arm: str, stamp: str) -> Production | str:
    """The rules of an arm, or why there are none."""
    try:
        return production(cache.engine(), name, arm)
    except ValueError as problem:
        return str(problem)


def rules(collection: CollectionView, found: Regressions) -> None:
    """For each arm the rule that explains it best, in a sentence, and the runners-up."""
    for arm in (found.baseline, found.candidate):
        answer = _production(collection.name, arm, cache.version(collection))
        st.html(f'<div class="r13"><h2>{text.plain(arm)}</h2></div>')
        if isinstance(answer, str):
            st.text(text.clean(answer))
            continue
        st.html(sentence_html(answer) + table_html(answer))
        _unexplained(collection, answer.rules[0])


def sentence_html(found: Production) -> str:
    """The best rule in words, how much it explains, and which dial never mattered."""
    best = found.rules[0]
    whole = best.exact == best.n
    close = "" if whole else f" Elsewhere it comes near: {best.overlap:.0%} overlap on average."
    few = f" Looked at {found.n:,} questions, evenly spaced." if found.n >= MOST else ""
    outside = (
        f" In {text.counted(found.outside, 'question')} passages were sent that are no candidates."
        if found.outside
        else ""
    )
    return (
        f'<div class="r13"><p class="tell"><b>{text.plain(best.selector.label)}, '
        f"{limit_words(best.budget)}</b>, sends exactly what was sent in "
        f"{text.out_of(best.exact, best.n, 'questions')} ({best.exact / max(1, best.n):.0%})."
        f'{close}</p><p class="soft">{_dials(best)}{outside}{few} Others may explain the same; '
        "of equal ones the plainest is named.</p></div>"
    )


def _dials(rule: Rule) -> str:
    """Which dial binds, as far as the questions tell."""
    parts = []
    if rule.k_binds is not None:
        parts.append(
            "k never binds."
            if not rule.k_binds
            else f"k binds in {text.out_of(rule.k_binds, rule.n)}."
        )
    if rule.budget.tokens is not None:
        parts.append(f"The budget keeps a candidate out in {rule.bound.get('over_budget', 0):,}.")
    if rule.budgets is not None and rule.budgets[0] < rule.budgets[1]:
        first, last = rule.budgets
        parts.append(f"Any budget from {first:,} to {last:,} tokens explains these questions.")
    return " ".join(parts)


def table_html(found: Production) -> str:
    """The best rules, one a row."""
    rows = "".join(
        f'<tr><th scope="row">{text.plain(rule.selector.label)}</th>'
        f'<td class="num">{text.whole(rule.budget.tokens)}</td>'
        f'<td class="num">{text.out_of(rule.exact, rule.n)}</td>'
        f'<td class="num">{rule.overlap:.3f}</td></tr>'
        for rule in found.rules
    )
    return (
        '<div class="wide-table"><table class="r13 headline"><caption class="sr">Rules that '
        'explain what was sent</caption><thead><tr><th scope="col">rule</th>'
        '<th scope="col" class="num">budget</th><th scope="col" class="num">exactly the same</th>'
        '<th scope="col" class="num">overlap</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _unexplained(collection: CollectionView, best: Rule) -> None:
    """The way to questions that the best rule does not explain."""
    if not best.differ:
        return
    more = len(best.differ) - MOST_LINKS
    st.text(
        f"Not explained: {len(best.differ):,}" + (f", the first {MOST_LINKS}:" if more > 0 else ":")
    )
    with st.container(horizontal=True, gap="small"):
        for name in best.differ[:MOST_LINKS]:
            st.page_link(
                frame.path("question"),
                label=text.label(text.shortened(name, 30)),
                query_params=wayfinding.to(collection, name),
            )
