"""The curve of a knob: a measure against tokens, with its band."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from pages.ui import text
from pages.ui.charts import INK
from pages.ui.lanes import HUES, WARNING
from pages.ui.tuning import Setting, shown
from selection.model import FloatArray
from selection.significance import mean_bands
from selection.tuning import Walk
from selection.tuning.complete import complete

MOST_LABELS = 8


def rows(now: Setting, found: Walk, scores: FloatArray) -> pd.DataFrame:
    """One row a value: value, words, tokens, mean, low, high, n, current (bool), place (int)."""
    known, columns = complete(scores)
    table = []
    for at, interval in zip(
        columns.tolist(), mean_bands(scores[np.ix_(known, columns)]), strict=False
    ):
        if interval is None:
            continue
        value = found.values[at]
        spent = found.tokens[known, at].mean()
        table.append(
            {
                "place": at,
                "words": shown(value),
                "value": float(value) if found.knob.ordered else None,
                "tokens": spent if np.isfinite(spent) else None,
                "passages": float(found.passages[known, at].mean()),
                "mean": interval.value,
                "low": interval.low,
                "high": interval.high,
                "n": len(known),
                "current": value == now.now,
            }
        )
    return pd.DataFrame(table)


def chart(table: pd.DataFrame, now: Setting, *, steers: bool) -> alt.LayerChart:
    """What is sent against the mean, a point a value; the knob itself where it sends no more.

    Passages stand in where tokens are not known. steers: whether the knob decides how much is sent.
    """
    across = "tokens" if table["tokens"].notna().all() else "passages"
    titles = {name: f"{name} sent, mean of a question" for name in ("tokens", "passages")}
    formats = {"tokens": ",.0f", "passages": ",.1f"}
    if not steers and table["value"].notna().all():
        across = "value"
    x = alt.X(
        f"{across}:Q",
        title=titles.get(across, now.knob.title),
        scale=alt.Scale(zero=False, nice=True),
        axis=alt.Axis(grid=False, format=formats.get(across, ",.4~g"), tickCount=6),
    )
    share = now.measure.unit == "share"
    title = f"{now.measure.title}, mean"
    y = alt.Y(
        "mean:Q",
        title=title,
        scale=alt.Scale(zero=False),
        axis=alt.Axis(format=".2f" if share else ",.4~g", tickCount=6),
    )
    base = alt.Chart(table)
    tooltip = [
        alt.Tooltip("words:N", title=now.knob.title),
        alt.Tooltip("mean:Q", title=now.measure.title, format=".3f"),
        alt.Tooltip("low:Q", title="95 % from", format=".3f"),
        alt.Tooltip("high:Q", title="to", format=".3f"),
        alt.Tooltip("tokens:Q", title="tokens a question", format=",.1f"),
        alt.Tooltip("passages:Q", title="passages a question", format=",.1f"),
        alt.Tooltip("n:Q", title="questions"),
    ]
    band = base.mark_rule(color=HUES[0], opacity=0.35, strokeWidth=5).encode(
        x=x, y=alt.Y("low:Q", title=title), y2="high:Q"
    )
    line = base.mark_line(color=HUES[0], strokeWidth=1.5).encode(x=x, y=y, order="place:Q")
    points = base.mark_point(filled=True, size=55, opacity=1, color=HUES[0]).encode(
        x=x, y=y, tooltip=tooltip
    )
    mark = base.transform_filter("datum.current")
    ring = mark.mark_point(size=190, strokeWidth=2, color=WARNING, filled=False).encode(x=x, y=y)
    labels = (
        alt.Chart(_labelled(table, across))
        .mark_text(dy=-13, fontWeight=600, color=INK)
        .encode(x=x, y=y, text="words:N")
    )
    return alt.layer(band, line, points, ring, labels).properties(height=300)


def _labelled(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Some points by name: the ends, where the knob stands, and others far from one another."""
    if len(table) <= MOST_LABELS:
        return table
    places = np.linspace(0, len(table) - 1, MOST_LABELS).round().astype(int)
    keep = table.index.isin(places) & ~table["current"].to_numpy(dtype=bool)
    across = table[column]
    reach = max(float(across.max() - across.min()), 1e-9)
    chosen: list[int] = [at for at in table.index if table.loc[at, "current"]]
    for at in table.index[keep]:
        if all(abs(across[at] - across[other]) > 0.08 * reach for other in chosen):
            chosen.append(at)
    return table.loc[sorted(chosen)]


def alt_text(table: pd.DataFrame, now: Setting) -> str:
    """The curve in words: its ends, its best point and where the knob stands."""
    best = table.loc[table["mean"].idxmin() if now.lower else table["mean"].idxmax()]
    said = [("lowest", table.iloc[0]), ("best", best), ("highest", table.iloc[-1])]
    said += [("now", row) for _, row in table[table["current"]].iterrows()]
    parts = [
        f"{name}: {now.knob.title} {row['words']}, {now.measure.title} {row['mean']:.3f}"
        for name, row in said
    ]
    return text.clean("; ".join(parts))
