"""A sweep of k twice: as one thinks it runs, and as it runs in this window."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui import cache, downloads, text, window, window_bars
from pages.ui.charts import INK
from pages.ui.lanes import WARNING
from pages.ui.ledger import noun
from selection.model import Pool
from selection.window.fill import Filled
from selection.window.slices import NAMES, Name, Window
from selection.window.sweep import KSweep, Point, k_sweep
from storage.views import QuestionView

MOST_KS = 100
"""Values of k that a chart shows: five slices each, twice, stays under 5,000 marks."""
MOST_ROWS = 24
COLOURS = ("#6B7076", "#A3A8AF", "#DCDFE3", "#2F6F9F", "transparent")
"""Told apart by how light they are; retrieval alone has a hue, and none of a selector."""


def sweep(view: QuestionView, slices: Window) -> None:
    """Both charts side by side, the sentence that tells them apart, and the figures."""
    found = _swept(view.pool, slices, view.id, cache.version(view.collection))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.html(sentence_html(found, what=_what(view, found)))
        downloads.csv_button("CSV", lambda: rows(found), file="k-sweep.csv", key="w-csv")
    shown = thinned(found.points)
    left, right = st.columns(2, gap="medium")
    top = max(one.thought.total for one in found.points)
    for place, title, run in (
        (left, "as thought: only retrieval changes", False),
        (right, "as run: the window stays as large as it is", True),
    ):
        with place:
            st.html(f'<p class="r13"><b>{title}</b></p>')
            st.altair_chart(
                chart(shown, slices, run=run, top=top),
                alt=alt_words(found, run=run),
                width="stretch",
            )
    what = _what(view, found)
    left, right = st.columns([5, 4], gap="medium")
    left.html(table_html(found, telling(found), what=what))
    with right:
        st.html(f'<p class="r13"><b>what a larger k brings: {what}</b></p>')
        st.altair_chart(
            bought_chart(shown, found, what=what), alt=bought_alt(found, what), width="stretch"
        )


@st.cache_data(max_entries=64, show_spinner=False)
def _swept(_pool: Pool, slices: Window, question: str, stamp: str) -> KSweep:
    return k_sweep(_pool, slices)


def _what(view: QuestionView, found: KSweep) -> str:
    return found.what if found.what == "facts" else f"{noun(view)}s"


def thinned(points: Sequence[Point]) -> tuple[Point, ...]:
    """Every so many k, the last one always among them."""
    step = -(-len(points) // MOST_KS)
    return tuple(one for one in points if one.k % step == 0 or one.k == len(points))


def telling(found: KSweep) -> tuple[Point, ...]:
    """The k of the table: where the arms part, the ends, and evenly between."""
    points = found.points
    step = -(-len(points) // MOST_ROWS)
    parted = {found.first, (found.first or 0) - 1, found.refused, 1, len(points)}
    return tuple(one for one in points if one.k % step == 0 or one.k in parted)


def bought_chart(points: Sequence[Point], found: KSweep, *, what: str) -> alt.LayerChart:
    """What the first k passages hold, with the k from which another slice pays."""
    frame = pd.DataFrame([(one.k, one.kept) for one in points], columns=["k", "kept"])
    x = alt.X(
        "k:Q",
        title="k",
        scale=alt.Scale(domain=[0, len(found.points)], nice=False),
        axis=alt.Axis(grid=False, format="d"),
    )
    y = alt.Y(
        "kept:Q",
        title=f"{what} of {found.total:,}",
        scale=alt.Scale(domain=[0, max(1, frame["kept"].max()) * 1.1], nice=False),
        axis=alt.Axis(grid=False, format="d"),
    )
    tips = [alt.Tooltip("k:Q"), alt.Tooltip("kept:Q", title=what)]
    base = alt.Chart(frame).encode(x=x, y=y, tooltip=tips)
    layers = [
        base.mark_line(interpolate="step-after", strokeWidth=2, color=COLOURS[3]),
        base.mark_point(filled=True, size=40, opacity=1, color=COLOURS[3]),
    ]
    if found.first is not None:
        mark = pd.DataFrame({"k": [found.first], "words": [f"from k = {found.first} others pay"]})
        late = found.first > len(found.points) / 2
        layers += [
            alt.Chart(mark).mark_rule(strokeDash=[5, 4], color=WARNING, strokeWidth=2).encode(x=x),
            alt.Chart(mark)
            .mark_text(
                align="right" if late else "left",
                dx=-6 if late else 6,
                dy=8 if late else -10,
                color=INK,
                fontWeight=600,
            )
            .encode(x=x, y=alt.value(0 if late else "height"), text="words:N"),
        ]
    return alt.layer(*layers).properties(height=260)


def bought_alt(found: KSweep, what: str) -> str:
    """The chart in words."""
    first, last = found.points[0], found.points[-1]
    return f"{what} held: {first.kept:,} at k 1, {last.kept:,} at k {last.k}, of {found.total:,}."


def sentence_html(found: KSweep, *, what: str) -> str:
    """Where the two arms part, in two sentences."""
    last = found.points[-1]
    if found.first is None:
        said = (
            f"Up to k = {last.k} nothing gives way: the arm that is thought is the arm that runs."
        )
        return f'<p class="r13 tell">{said}</p>'
    before = found.points[found.first - 2] if found.first > 1 else None
    same = f"Up to k = {before.k} no slice gets less than it is allotted. " if before else ""
    said = (
        f"{same}From k = <b>{found.first}</b> on, another slice pays: at k = {last.k} "
        f"{window_bars.taken(last.run)}"
    )
    if before:
        more = last.kept - before.kept
        said += f", for {more:,} more of {found.total:,} {what} than k = {before.k}"
    if found.refused is not None:
        said += f"; from k = {found.refused} on the prompt does not fit and is refused"
    return f'<p class="r13 tell">{said}.</p>'


def chart(points: Sequence[Point], slices: Window, *, run: bool, top: int) -> alt.LayerChart:
    """Stacked slices over k, with a line at the size of the window."""
    frame = pd.DataFrame(
        [
            (one.k, window.TITLES[name], at, _of(one, run).tokens[name])
            for one in points
            for at, name in enumerate(NAMES)
        ],
        columns=["k", "slice", "at", "tokens"],
    )
    titles = [window.TITLES[name] for name in NAMES]
    bars = (
        alt.Chart(frame)
        .mark_bar(stroke="gray", strokeWidth=0.4)
        .encode(
            x=alt.X(
                "k:O",
                title="k",
                axis=alt.Axis(labelAngle=0, labelOverlap=True),
                scale=alt.Scale(paddingInner=0.08),
            ),
            y=alt.Y(
                "tokens:Q",
                title="tokens",
                scale=alt.Scale(domain=[0, top * 1.04], nice=False),
                axis=alt.Axis(grid=False, format=",d"),
            ),
            color=alt.Color(
                "slice:N",
                sort=titles,
                scale=alt.Scale(domain=titles, range=list(COLOURS)),
                legend=alt.Legend(orient="top", title=None, symbolStrokeWidth=1),
            ),
            order=alt.Order("at:Q"),
            tooltip=[
                alt.Tooltip("k:O", title="k"),
                alt.Tooltip("slice:N", title="slice"),
                alt.Tooltip("tokens:Q", title="tokens", format=",d"),
            ],
        )
    )
    line = pd.DataFrame({"tokens": [slices.total], "words": [f"window {slices.total:,}"]})
    rule = alt.Chart(line).mark_rule(strokeDash=[5, 4], color=WARNING, strokeWidth=2)
    words = alt.Chart(line).mark_text(align="left", dx=4, dy=-8, color=INK, fontWeight=600)
    return alt.layer(
        bars,
        rule.encode(y="tokens:Q"),
        words.encode(x=alt.value(0), y="tokens:Q", text="words:N"),
    ).properties(height=300)


def _of(point: Point, run: bool) -> Filled:
    return point.run if run else point.thought


def alt_words(found: KSweep, *, run: bool) -> str:
    """The chart in words: the first and the last k."""
    first, last = found.points[0], found.points[-1]
    parts = [
        f"k {one.k}: "
        + ", ".join(f"{window.TITLES[name]} {_of(one, run).tokens[name]:,}" for name in NAMES)
        for one in (first, last)
    ]
    return f"Tokens of each slice by k. {'; '.join(parts)}."


def table_html(found: KSweep, shown: Sequence[Point], *, what: str) -> str:
    """Every k: what retrieval holds, and what the others are left with."""
    others = [name for name in NAMES if name not in ("system", "retrieval")]
    heads = "".join(
        f'<th scope="col" class="num">{window.TITLES[name]} left</th>' for name in others
    )
    body = "".join(_row(one, others, found.total, first=one.k == found.first) for one in shown)
    return (
        '<table class="r13 figures"><caption class="sr">The sweep as figures</caption><thead><tr>'
        '<th scope="col" class="num">k</th><th scope="col" class="num">retrieval</th>'
        f'<th scope="col" class="num">{what}</th><th scope="col" class="num">most repeated</th>'
        f'{heads}<th scope="col">in this window</th></tr></thead><tbody>{body}</tbody></table>'
    )


def _row(one: Point, others: Sequence[Name], total: int, *, first: bool) -> str:
    cells = "".join(
        f'<td class="num{" lost" if one.run.lost[name] else ""}">{one.run.tokens[name]:,}</td>'
        for name in others
    )
    return (
        f'<tr{" class=first" if first else ""}><th scope="row" class="num">{one.k}</th>'
        f'<td class="num">{one.thought.tokens["retrieval"]:,}</td>'
        f'<td class="num">{text.out_of(one.kept, total)}</td><td class="num">{one.copies}×</td>'
        f"{cells}<td>{_words(one)}</td></tr>"
    )


def _words(one: Point) -> str:
    if one.run.over:
        return f"refused: {one.run.over:,} too many"
    if one.run.changed:
        return window_bars.taken(one.run)
    if one.run.dropped:
        return f"{text.counted(one.run.dropped, 'passage')} dropped"
    return f"{one.run.back:,} back to history" if one.run.back else "exact"


def rows(found: KSweep) -> list[dict[str, object]]:
    """The sweep as a file."""
    return [
        {
            "k": one.k,
            "retrieval": one.thought.tokens["retrieval"],
            found.what: one.covered,
            f"{found.what}_kept": one.kept,
            "most_repeated": one.copies,
            **{f"{name}_left": one.run.tokens[name] for name in NAMES},
            "handed_back": one.run.back,
            "passages_dropped": one.run.dropped,
            "tokens_too_many": one.run.over,
        }
        for one in found.points
    ]
