"""Charts: pure data in, an Altair chart out. Direct labels, and nothing told by colour alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import altair as alt
import pandas as pd

from pages.ui import text
from pages.ui.lanes import HUES, WARNING, Lane, has_facts, stated, supported_by_pool
from pages.ui.ledger import noun
from storage.views import QuestionView

DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [4, 4], [1, 3])
INK = alt.ExprRef("luminance(background) > 0.4 ? '#23262B' : '#E4E2DC'")
"""Dark on a light ground, light on a dark one: the theme does not reach the text inside a chart,
and a picture that is taken away has only its own background to go by."""
HEADROOM = 1.2
"""Room above the highest line for the names at the ends of lines."""
FAR = 1.6
"""A ceiling more than this many times as high as the lines would press them to the ground."""
NEAR = (0.22, 0.12)
"""Ends closer than this (share of the width, share of the height) would print over each other."""
SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down")


def coverage_rows(view: QuestionView, lanes: Sequence[Lane]) -> pd.DataFrame:
    """One row an admission and lane, in order of admission, from nothing spent on.

    Columns: place (int), selector, admission (int), rank (int, 0 at the start), tokens, covered.
    covered counts facts where they are known, else distinct claims.
    """
    facts = has_facts(view.pool)
    rows = []
    for lane in lanes:
        if lane.selection is None or lane.selection.tokens is None:
            continue
        name = f"{lane.place} {lane.label}"
        rows.append((lane.place, name, 0, 0, 0, 0))
        by_step = sorted(lane.admitted, key=lambda step: step.decision.step or 0)
        rows += [
            (
                lane.place,
                name,
                step.decision.step or 0,
                step.decision.rank,
                step.tokens or 0,
                step.facts if facts else step.claims,
            )
            for step in by_step
        ]
    columns = ["place", "selector", "admission", "rank", "tokens", "covered"]
    return pd.DataFrame(rows, columns=columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """What the chart counts: facts or statements, how many there are, how many the pool holds."""

    what: str
    total: int
    held: int


def coverage_scale(view: QuestionView) -> Scale:
    """Facts where they are known, else the distinct claims of the pool."""
    if has_facts(view.pool):
        held = supported_by_pool(view.pool)
        return Scale(what="facts", total=len(view.pool.gold), held=held)
    return Scale(what=f"{noun(view)}s", total=stated(view.pool), held=stated(view.pool))


def coverage_chart(
    rows: pd.DataFrame, scale: Scale, *, budget: int | None
) -> alt.LayerChart | alt.FacetChart:
    """Tokens against what is covered, one line a selector in order of admission.

    A dashed line marks the budget, thin ones everything there is and what the pool holds of it.
    """
    places = sorted(rows["place"].unique())
    top = _top(rows, scale)
    widest = max(int(rows["tokens"].max()), budget or 0, 1)
    x = alt.X(
        "tokens:Q",
        title="tokens sent",
        scale=alt.Scale(domain=[0, widest * 1.04], nice=False),
        axis=alt.Axis(grid=False, format=",d", tickCount=6),
    )
    y = alt.Y(
        "covered:Q",
        title=f"{scale.what} covered",
        scale=alt.Scale(domain=[0, top * HEADROOM], nice=False),
        axis=alt.Axis(grid=False, values=_ticks(top), format=",d"),
    )
    hue = alt.Color(
        "place:N", scale=alt.Scale(domain=places, range=[HUES[p - 1] for p in places]), legend=None
    )
    dash = alt.StrokeDash(
        "place:N",
        scale=alt.Scale(domain=places, range=[DASHES[p - 1] for p in places]),
        legend=None,
    )
    shape = alt.Shape(
        "place:N",
        scale=alt.Scale(domain=places, range=[SHAPES[p - 1] for p in places]),
        legend=None,
    )
    base = alt.Chart(rows)
    line = base.mark_line(interpolate="step-after", strokeWidth=2).encode(
        x=x, y=y, color=hue, strokeDash=dash, order="admission:Q"
    )
    points = (
        base.transform_filter("datum.admission > 0")
        .mark_point(filled=True, size=46, opacity=1)
        .encode(
            x=x,
            y=y,
            color=hue,
            shape=shape,
            tooltip=[
                alt.Tooltip("selector:N", title="selector"),
                alt.Tooltip("rank:Q", title="rank"),
                alt.Tooltip("tokens:Q", title="tokens so far", format=",d"),
                alt.Tooltip("covered:Q", title=f"{scale.what} covered"),
            ],
        )
    )
    labels = _end_labels(rows, widest=widest, top=top)
    return alt.layer(*_rules(scale, budget=budget, top=top, widest=widest), line, points, *labels)


def _end_labels(rows: pd.DataFrame, *, widest: int, top: int) -> list[alt.Chart]:
    """The name of each selector above the end of its line; names that would collide are stacked."""
    ends = rows.groupby("place", sort=True).tail(1)
    placed: list[tuple[float, float, int]] = []
    labels: list[alt.Chart] = []
    for end in ends.itertuples():
        x, y = end.tokens / widest, end.covered / top
        near = [
            up for at, height, up in placed if abs(at - x) < NEAR[0] and abs(height - y) < NEAR[1]
        ]
        up = max(near) + 1 if near else 0
        placed.append((x, y, up))
        frame = pd.DataFrame(
            {"tokens": [end.tokens], "covered": [end.covered], "words": [end.selector[:44]]}
        )
        labels.append(
            alt.Chart(frame)
            .mark_text(
                align="right" if x > NEAR[0] else "left",
                dy=-11 - 14 * up,
                fontWeight=600,
                color=INK,
            )
            .encode(x="tokens:Q", y="covered:Q", text="words:N")
        )
    return labels


def _top(rows: pd.DataFrame, scale: Scale) -> int:
    """All there is, where the lines come near it; else what they reach, so that they are seen."""
    reached = int(rows["covered"].max())
    return max(1, scale.total if scale.total <= FAR * reached else reached)


def _ticks(top: int) -> list[int]:
    """About six round values from 0 to the top."""
    step = next(
        step
        for base in (1, 10, 100, 1000, 10_000, 100_000)
        for step in (base, 2 * base, 5 * base)
        if top / step <= 6
    )
    return list(range(0, top + 1, step))


def _rules(scale: Scale, *, budget: int | None, top: int, widest: int) -> list[alt.Chart]:
    levels = {
        scale.total: f"all {scale.total:,} {scale.what}" if scale.total != 1 else "the one there is"
    }
    if scale.held < scale.total:
        levels[scale.held] = f"{scale.held:,} in the pool"
    rules = []
    for level, words in levels.items():
        if level > top:
            continue
        frame = pd.DataFrame({"covered": [level], "words": [words]})
        rules += [
            alt.Chart(frame)
            .mark_rule(strokeWidth=1, opacity=0.5, color="gray")
            .encode(y="covered:Q"),
            alt.Chart(frame)
            .mark_text(align="right", dx=-4, dy=9, opacity=0.8, color=INK)
            .encode(x=alt.value("width"), y="covered:Q", text="words:N"),
        ]
    if budget is not None:
        side: Literal["left", "right"] = "left" if budget < 0.8 * widest else "right"
        mark = pd.DataFrame({"tokens": [budget], "words": [f"budget {budget:,}"]})
        rules += [
            alt.Chart(mark).mark_rule(strokeDash=[5, 4], color=WARNING).encode(x="tokens:Q"),
            alt.Chart(mark)
            .mark_text(align=side, dx=5 if side == "left" else -5, dy=8, color=INK)
            .encode(x="tokens:Q", y=alt.value(0), text="words:N"),
        ]
    return rules


def coverage_alt(rows: pd.DataFrame, *, what: str) -> str:
    """The chart in words: where each line ends."""
    ends = rows.groupby("selector", sort=False).tail(1)
    said = [
        f"{row.selector} covers {row.covered:,} {what} with {row.tokens:,} tokens"
        for row in ends.itertuples()
    ]
    return text.clean("; ".join(said))
