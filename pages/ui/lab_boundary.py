"""Where the lead of diversity ends, and where it turns round."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui import downloads, lab_knobs, lab_lines, text
from pages.ui.charts import INK
from selection.theory.boundary import SEEDS, Lead, leads
from selection.theory.finance import KAPPA
from selection.theory.reading import NAMES, Knobs

HEIGHT = 320
K = 3


def boundary() -> None:
    """Both worlds side by side: copies that are beside the point, and copies that are true."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="dials"):
        knobs = lab_knobs.all_knobs()
        lab_knobs.back(lab_knobs.TAU.key, lab_knobs.LAMBDA.key, lab_knobs.QUALITY.key)
    found = _found(knobs)
    st.html(sentence_html(found))
    low = min(one.mean.low for one in found) - 0.02
    high = max(one.mean.high for one in found) + 0.02
    left, right = st.columns(2, gap="medium")
    for place, on_answer, title in (
        (left, False, "the near-copies fit the whole sector"),
        (right, True, "the near-copies are about the right company"),
    ):
        part = [one for one in found if one.on_answer == on_answer]
        with place:
            st.html(f'<p class="r13"><b>{title}</b></p>')
            st.altair_chart(chart(part, domain=(low, high)), alt=alt_words(part), width="stretch")
    st.html(table_html(found))
    downloads.csv_button("CSV", lambda: rows(found), file="boundary.csv", key="w-csv")


@st.cache_data(max_entries=32, show_spinner="Drawing worlds")
def _found(knobs: Knobs) -> tuple[Lead, ...]:
    return leads(k=K, knobs=knobs)


def sentence_html(found: Sequence[Lead]) -> str:
    """Where the gap is, where it vanishes, where it turns: all read off what was measured."""
    apart = _of(found, False)
    loosest, published = min(apart), KAPPA.generic
    gone = [kappa for kappa in apart if _open(apart[kappa])]
    behind = [kappa for kappa, one in apart.items() if all(lead.mean.high < 0 for lead in one)]
    true = _of(found, True)
    wins = all(lead.mean.high < 0 for one in true.values() for lead in one)
    parts = [
        f"With copies as tight as published (kappa {published:g}) the three put "
        f"{_range(apart[published])} more mass on the answer than top-k."
    ]
    if gone:
        parts.append(
            f"Where passages hardly repeat (kappa {text.listed([f'{k:g}' for k in gone])}), at "
            "least one lead cannot be told from none."
        )
    if behind and loosest in behind:
        parts.append(f"At kappa {loosest:g} top-k is ahead of all three.")
    parts.append(
        "Where what repeats is true, top-k is ahead of all three at every tightness."
        if wins
        else "Where what repeats is true, top-k is ahead of some."
    )
    return f'<p class="r13 tell">{" ".join(parts)}</p>'


def _of(found: Sequence[Lead], on_answer: bool) -> dict[float, list[Lead]]:
    by_kappa: dict[float, list[Lead]] = {}
    for one in found:
        if one.on_answer == on_answer:
            by_kappa.setdefault(one.kappa, []).append(one)
    return by_kappa


def _open(found: Sequence[Lead]) -> bool:
    return any(one.mean.low <= 0 <= one.mean.high for one in found)


def _range(found: Sequence[Lead]) -> str:
    values = [one.mean.value for one in found]
    return f"{min(values):.2f} to {max(values):.2f}"


def chart(found: Sequence[Lead], *, domain: tuple[float, float]) -> alt.LayerChart:
    """The lead over top-k by tightness, with its interval; 0 is top-k itself."""
    frame = pd.DataFrame(
        [
            (NAMES[one.selector], one.kappa, one.mean.value, one.mean.low, one.mean.high)
            for one in found
        ],
        columns=["name", "kappa", "lead", "low", "high"],
    )
    x = alt.X(
        "kappa:Q",
        title="kappa of the copies: hardly alike to nearly equal",
        scale=alt.Scale(domain=[0, float(frame["kappa"].max()) * 1.38], nice=False),
        axis=alt.Axis(grid=False, values=sorted(frame["kappa"].unique().tolist())),
    )
    scale = alt.Scale(domain=list(domain), nice=False)
    title = f"mass ahead of top-k, {K} passages"
    y = alt.Y(
        "lead:Q",
        title=title,
        scale=scale,
        axis=alt.Axis(grid=False, format="+.2f"),
    )
    base = alt.Chart(frame)
    zero = pd.DataFrame({"lead": [0.0], "words": ["top-k"]})
    rule = alt.Chart(zero).mark_rule(strokeWidth=1.5, color="gray").encode(y=y)
    band = base.mark_errorbar(thickness=1.5).encode(
        x=x,
        y=alt.Y("low:Q", scale=scale, title=title),
        y2="high:Q",
        color=lab_lines.hue(),
    )
    line = base.mark_line(strokeWidth=2).encode(
        x=x, y=y, color=lab_lines.hue(), strokeDash=lab_lines.dash()
    )
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        x=x,
        y=y,
        color=lab_lines.hue(),
        shape=lab_lines.shape(),
        tooltip=[
            alt.Tooltip("name:N", title="selector"),
            alt.Tooltip("kappa:Q", title="kappa"),
            alt.Tooltip("lead:Q", title="ahead of top-k", format="+.3f"),
            alt.Tooltip("low:Q", title="interval from", format="+.3f"),
            alt.Tooltip("high:Q", title="to", format="+.3f"),
        ],
    )
    labels = lab_lines.end_labels(frame, x="kappa", y="lead", domain=domain, height=HEIGHT)
    zero_name = (
        alt.Chart(zero)
        .mark_text(align="left", dx=3, dy=-8, color=INK)
        .encode(x=alt.value(0), y=y, text="words:N")
    )
    return alt.layer(rule, band, line, points, labels, zero_name).properties(height=HEIGHT)


def alt_words(found: Sequence[Lead]) -> str:
    """The chart in words: the loosest and the tightest."""
    ends = (min(one.kappa for one in found), max(one.kappa for one in found))
    said = [
        f"kappa {one.kappa:g}, {NAMES[one.selector]} {one.mean.value:+.3f}"
        for one in found
        if one.kappa in ends
    ]
    return f"Mass ahead of top-k, mean of {len(SEEDS)} seeds: {'; '.join(said)}."


def table_html(found: Sequence[Lead]) -> str:
    """Every lead with its interval."""
    names = [name for name in NAMES if name != "top_k"]
    heads = "".join(
        f'<th scope="col" class="num">{NAMES[name]}{side}</th>'
        for side in (", fit the sector", ", about the answer")
        for name in names
    )
    body = ""
    for kappa in sorted({one.kappa for one in found}):
        cells = "".join(
            f'<td class="num">{text.signed(one.mean.value, digits=3)} <span class="soft">'
            f"({text.signed(one.mean.low, digits=3)} to {text.signed(one.mean.high, digits=3)})"
            "</span></td>"
            for on_answer in (False, True)
            for one in found
            if one.kappa == kappa and one.on_answer == on_answer
        )
        body += f'<tr><th scope="row" class="num">{kappa:g}</th>{cells}</tr>'
    return (
        f'<table class="r13 figures"><caption class="sr">Mass ahead of top-k</caption><thead><tr>'
        f'<th scope="col" class="num">kappa</th>{heads}</tr></thead><tbody>{body}</tbody></table>'
        f'<p class="r13 soft">Mean of {len(SEEDS)} worlds with its interval at 95 %, sixteen pools '
        "each; kappa 0 would be no likeness at all.</p>"
    )


def rows(found: Sequence[Lead]) -> list[dict[str, object]]:
    """Both charts as a file."""
    return [
        {
            "copies_on_answer": one.on_answer,
            "kappa": one.kappa,
            "selector": NAMES[one.selector],
            "ahead_of_top_k": one.mean.value,
            "low": one.mean.low,
            "high": one.mean.high,
            "seeds": len(SEEDS),
        }
        for one in found
    ]
