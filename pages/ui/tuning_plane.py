"""Two knobs at once, as a map with its numbers on it."""

from __future__ import annotations

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui import downloads, text, tuning
from pages.ui.tuning import Setting, shown
from selection.measures import all_measures
from selection.tuning import Knob, values_for
from selection.tuning.plane import Plane, plane


@st.cache_resource(max_entries=16, show_spinner=False)
def _plane(_now: Setting, key: tuple[object, ...], across: Knob, down: Knob) -> Plane:
    bar = st.empty()

    def progress(done: int, total: int) -> None:
        bar.progress(done / total, f"{done} of {total} rows of the map")

    values = [
        values_for(_now.selector, _now.budget, one, _now.data.pools) for one in (across, down)
    ]
    found = plane(
        _now.data.pools,
        _now.selector,
        _now.budget,
        across,
        down,
        *values,
        next(one for one in all_measures() if one.name == _now.measure.name),
        progress=progress,
    )
    bar.empty()
    return found


def draw(now: Setting) -> None:
    """The choice of the second knob, the map, and its download."""
    other = tuning.second_knob(now)
    if other is None:
        st.text("This selector has one knob only, so there is no second one to turn.")
        return
    found = _plane(now, now.key, now.knob, other)
    if not found.n:
        st.text(f"{now.measure.title} is not defined for every value on any question.")
        return
    table = rows(found)
    st.html(best_html(now, found, table))
    st.altair_chart(chart(table, now, found), width="stretch", alt=alt_text(now, found, table))
    downloads.csv_button(
        "CSV",
        lambda: [{str(k): v for k, v in one.items()} for one in table.to_dict("records")],
        file=f"{downloads.file_name(now.collection.name, now.knob.name, other.name)}.csv",
        key="plane-csv",
    )


def rows(found: Plane) -> pd.DataFrame:
    """One row a pair: across, down (words), x, y (places), mean, tokens."""
    return pd.DataFrame(
        [
            {
                "across": shown(right),
                "down": shown(below),
                "x": x,
                "y": y,
                "mean": found.means[y, x],
                "tokens": found.tokens[y, x],
            }
            for y, below in enumerate(found.down_values)
            for x, right in enumerate(found.across_values)
        ]
    )


def _best(now: Setting, table: pd.DataFrame) -> pd.Series:
    sign = 1 if now.lower else -1
    return (
        table.assign(order=(sign * table["mean"]).round(9)).sort_values(["order", "tokens"]).iloc[0]
    )


def best_html(now: Setting, found: Plane, table: pd.DataFrame) -> str:
    best = _best(now, table)
    digits = 0 if now.measure.unit == "tokens" else 3
    return (
        f'<p class="r13">Mean {text.plain(now.measure.title)} of {found.n:,} questions. Best: '
        f"<b>{text.plain(found.across.title)} {text.plain(best['across'])}, "
        f"{text.plain(found.down.title)} {text.plain(best['down'])}</b> with "
        f"{text.decimal(float(best['mean']), digits=digits)}, of equals the one with the fewest "
        'tokens. <span class="soft">Chosen on the questions that it is measured on, so it '
        "flatters; see “How sure”.</span></p>"
    )


def chart(table: pd.DataFrame, now: Setting, found: Plane) -> alt.LayerChart:
    digits = ".0f" if now.measure.unit == "tokens" else ".2f"
    base = alt.Chart(table).encode(
        x=alt.X("across:N", sort=None, title=found.across.title, axis=alt.Axis(labelAngle=0)),
        y=alt.Y("down:N", sort=None, title=found.down.title),
    )
    low, high = float(table["mean"].min()), float(table["mean"].max())
    cells = base.mark_rect().encode(
        color=alt.Color(
            "mean:Q",
            title=now.measure.title,
            scale=alt.Scale(scheme="blues", domain=[low, high if high > low else low + 1]),
            legend=None,
        ),
        tooltip=[
            alt.Tooltip("across:N", title=found.across.title),
            alt.Tooltip("down:N", title=found.down.title),
            alt.Tooltip("mean:Q", title=now.measure.title, format=".3f"),
            alt.Tooltip("tokens:Q", title="tokens a question", format=",.0f"),
        ],
    )
    middle = low + 0.6 * (high - low)
    words = base.mark_text().encode(
        text=alt.Text("mean:Q", format=digits),
        color=alt.condition(f"datum.mean > {middle}", alt.value("#ffffff"), alt.value("#1b1e23")),
    )
    return alt.layer(cells, words).properties(height=max(160, 34 * len(found.down_values)))


def alt_text(now: Setting, found: Plane, table: pd.DataFrame) -> str:
    best = _best(now, table)
    return text.clean(
        f"{now.measure.title} by {found.across.title} and {found.down.title}, "
        f"{table['mean'].min():.3f} to {table['mean'].max():.3f}; best at {best['across']} and "
        f"{best['down']}"
    )
