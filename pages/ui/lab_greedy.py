"""Greedy coverage on one pool: its gains shrink, and how far it stays from the best possible."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui import cache, downloads, lab, text
from pages.ui.charts import INK
from pages.ui.lanes import HUES, WARNING
from selection.model import Pool
from selection.theory.instance import SETS, contest
from selection.theory.steps import FLOOR, GreedyStep, coverage_steps, shrinking
from storage.views import QuestionView

MOST = 12


def greedy(view: QuestionView) -> None:
    """Both halves: the pool on the bench, and the instance on which greedy loses."""
    steps = _steps(view.pool, view.id, cache.version(view.collection))
    if not steps:
        st.text("No passage covers anything here: every relevance is 0 or below.")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        k = lab.choose_k(len(steps))
        st.html(lab.source_html(view))
        downloads.csv_button("CSV", lambda: rows(steps), file="greedy.csv", key="w-csv")
    st.html(sentence_html(steps, k=k))
    left, right = st.columns(2, gap="medium")
    with left:
        st.altair_chart(value_chart(steps, k=k), alt=value_alt(steps), width="stretch")
    with right:
        st.altair_chart(gain_chart(steps, k=k), alt=gain_alt(steps), width="stretch")
    left, right = st.columns(2, gap="medium")
    left.html(table_html(steps, k=k))
    right.html(instance_html())


@st.cache_data(max_entries=64, show_spinner="Searching for the best possible")
def _steps(_pool: Pool, question: str, stamp: str) -> tuple[GreedyStep, ...]:
    return coverage_steps(_pool, most=MOST)


def sentence_html(steps: Sequence[GreedyStep], *, k: int) -> str:
    """What greedy has after k passages, in one sentence."""
    now = steps[k - 1]
    said = f"{text.counted(k, 'passage')} cover <b>{now.value:.3f}</b>; "
    said += f"the last one, rank {now.rank}, added <b>{now.gain:.3f}</b>"
    if k > 1:
        said += f" after {steps[k - 2].gain:.3f} before it"
    if now.best is not None:
        said += (
            f". The best {k} cover {now.best:.3f}, of which greedy has {now.value / now.best:.1%}"
        )
    said += f"; whatever the best is, the run itself certifies {now.value / now.bound:.1%} of it"
    falls = "No gain exceeds the one before it" if shrinking(tuple(steps)) else "A gain grows"
    return f'<p class="r13 tell">{said}. {falls}.</p>'


def value_chart(steps: Sequence[GreedyStep], *, k: int) -> alt.LayerChart:
    """Coverage after each passage, with the best possible and what is certified."""
    frame = pd.DataFrame(
        [(s.k, s.rank, s.value, s.best, s.bound, s.k == k) for s in steps],
        columns=["k", "rank", "value", "best", "bound", "now"],
    )
    low = float(frame["value"].min())
    high = float(max(frame["bound"].max(), frame["value"].max()))
    room = max((high - low) * 0.08, 1e-6)
    x = alt.X("k:O", title="passages", axis=alt.Axis(labelAngle=0))
    scale = alt.Scale(domain=[low - room, high + 2 * room], zero=False, nice=False)

    def y(name: str) -> alt.Y:
        return alt.Y(f"{name}:Q", title="coverage", scale=scale, axis=alt.Axis(grid=False))

    tips = [
        alt.Tooltip("k:O", title="passages"),
        alt.Tooltip("rank:Q", title="taken last: rank"),
        alt.Tooltip("value:Q", title="greedy", format=".4f"),
        alt.Tooltip("best:Q", title="best possible", format=".4f"),
        alt.Tooltip("bound:Q", title="certified bound", format=".4f"),
    ]
    base = alt.Chart(frame)
    bound = base.mark_line(strokeDash=[5, 4], strokeWidth=1.5, color=WARNING).encode(
        x=x, y=y("bound")
    )
    line = base.mark_line(strokeWidth=2, color=HUES[0]).encode(x=x, y=y("value"))
    points = base.mark_point(filled=True, opacity=1, color=HUES[0]).encode(
        x=x,
        y=y("value"),
        size=alt.condition("datum.now", alt.value(150), alt.value(50)),
        tooltip=tips,
    )
    best = base.mark_point(shape="diamond", size=190, strokeWidth=1.5, color=INK).encode(
        x=x, y=y("best"), tooltip=tips
    )
    names = [
        alt.Chart(frame.tail(1))
        .mark_text(align="right", dx=4, dy=dy, fontWeight=600, color=INK)
        .encode(x=x, y=alt.value(at), text=alt.value(words))
        for words, at, dy in (
            ("certified bound (dashed)", 0, 8),
            ("greedy, ◇ best possible", "height", -8),
        )
    ]
    return alt.layer(bound, line, best, points, *names).properties(height=270)


def gain_chart(steps: Sequence[GreedyStep], *, k: int) -> alt.LayerChart:
    """What each passage after the first added: bars that only get shorter."""
    frame = pd.DataFrame(
        [(s.k, s.rank, s.gain, f"{s.gain:.3f}", s.k == k) for s in steps[1:]],
        columns=["k", "rank", "gain", "words", "now"],
    )
    x = alt.X("k:O", title="passage taken (the first is left out)", axis=alt.Axis(labelAngle=0))
    y = alt.Y("gain:Q", title="what it added", axis=alt.Axis(grid=False))
    bars = (
        alt.Chart(frame)
        .mark_bar(color=HUES[0], stroke=HUES[0], strokeWidth=1.5)
        .encode(
            x=x,
            y=y,
            fillOpacity=alt.condition("datum.now", alt.value(1.0), alt.value(0.35)),
            tooltip=[
                alt.Tooltip("k:O", title="passage taken"),
                alt.Tooltip("rank:Q", title="rank"),
                alt.Tooltip("gain:Q", title="added", format=".4f"),
            ],
        )
    )
    labels = alt.Chart(frame).mark_text(dy=-8, color=INK).encode(x=x, y=y, text="words:N")
    return alt.layer(bars, labels).properties(height=270)


def value_alt(steps: Sequence[GreedyStep]) -> str:
    """The chart in words."""
    said = ", ".join(f"{s.value:.3f} at {s.k}" for s in steps)
    return f"Coverage of greedy by number of passages: {said}."


def gain_alt(steps: Sequence[GreedyStep]) -> str:
    """The chart in words."""
    return f"What each passage added: {', '.join(f'{s.gain:.3f}' for s in steps)}."


def table_html(steps: Sequence[GreedyStep], *, k: int) -> str:
    """Every step as figures."""
    body = "".join(
        f'<tr{" class=now" if s.k == k else ""}><th scope="row" class="num">{s.k}</th>'
        f'<td class="num">{s.rank}</td><td class="num">{s.value:.4f}</td>'
        f'<td class="num">{s.gain:.4f}</td><td class="num">{text.decimal(s.best, digits=4)}</td>'
        f'<td class="num">{text.decimal(_ratio(s.value, s.best), digits=4)}</td>'
        f'<td class="num">{text.decimal(s.bound, digits=4)}</td>'
        f'<td class="num">{text.decimal(_ratio(s.value, s.bound), digits=3)}</td></tr>'
        for s in steps
    )
    heads = "".join(
        f'<th scope="col" class="num">{name}</th>'
        for name in (
            "passages", "rank taken", "coverage", "gain", "best possible", "of the best",
            "certified bound", "certified share",
        )
    )  # fmt: skip
    return (
        '<table class="r13 figures"><caption class="sr">Greedy coverage step by step</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def _ratio(value: float, of: float | None) -> float | None:
    return value / of if of else None


def instance_html() -> str:
    """The instance on which greedy is not the best, drawn cell by cell."""
    two = contest(2)
    universe = sorted({claim for held in SETS.values() for claim in held})
    rows = ""
    for name, held in SETS.items():
        cells = "".join(_cell(claim in held, claim) for claim in universe)
        rows += (
            f'<tr><th scope="row">{name}</th>{cells}<td>{_place(name, two.greedy_ids)}</td>'
            f"<td>{'in' if name in two.best_ids else 'out'}</td></tr>"
        )
    heads = "".join(f'<th scope="col" class="num">{claim + 1}</th>' for claim in universe)
    return (
        '<div class="r13 instance"><h2>Where greedy is not the best</h2>'
        f"<p>With two passages greedy takes {text.listed(two.greedy_ids)} and covers "
        f"<b>{two.greedy} of {two.best}</b> claims; {text.listed(two.best_ids)} cover all of them. "
        f"It has {two.ratio:.2f} of the best, and is promised {FLOOR:.3f}, which is "
        f"{two.floor:.3f} claims.</p>"
        f'<table class="r13 cells"><caption class="sr">Three passages and their claims</caption>'
        f'<thead><tr><th scope="col">passage</th>{heads}<th scope="col">greedy</th>'
        f'<th scope="col">best</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _cell(holds: bool, claim: int) -> str:
    look, word = ("in", "holds") if holds else ("out", "lacks")
    return f'<td class="{look}"><span class="sr">{word} claim {claim + 1}</span></td>'


def _place(name: str, taken: Sequence[str]) -> str:
    return f"step {taken.index(name) + 1}" if name in taken else "out"


def rows(steps: Sequence[GreedyStep]) -> list[dict[str, object]]:
    """The steps as a file."""
    return [
        {
            "passages": s.k,
            "rank": s.rank,
            "coverage": s.value,
            "gain": s.gain,
            "best_possible": s.best,
            "certified_bound": s.bound,
        }
        for s in steps
    ]
