"""How sure is the best value: flat or sharp, and what it is worth on questions without a say."""

from __future__ import annotations

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui import text
from pages.ui.charts import INK
from pages.ui.lanes import HUES
from pages.ui.tuning import Setting, shown
from selection.model import FloatArray
from selection.tuning import Halves, Peak, Walk, halves, peak

MOST_BARS = 24


def draw(now: Setting, walk: Walk, scores: FloatArray) -> None:
    """The distribution of the best value on the left, the two halves on the right."""
    best = peak(walk, scores, lower=now.lower)
    if best is None:
        st.text(f"{now.measure.title} is not defined for any question of this collection.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        st.html(peak_html(now, best))
        table = bars(walk, best)
        st.altair_chart(chart(table, now), width="stretch", alt=alt_text(table, now))
    with right:
        st.html(halves_html(now, halves(walk, scores, current=now.now, lower=now.lower)))


def peak_html(now: Setting, best: Peak) -> str:
    title, many = text.plain(now.knob.title), len(best.likely)
    found = f"<b>{title} {text.plain(shown(best.best))}</b> is best over all {best.n:,} questions"
    if many == 1:
        sure = "and it stays best in at least 95 % of the resamples: a sharp peak."
    else:
        sure = (
            f"but {many:,} values share 95 % of the resamples, from "
            f"{text.plain(shown(best.likely[0]))} to {text.plain(shown(best.likely[-1]))}: "
            "between them these questions cannot decide."
        )
    small = (
        f"Best {text.plain(now.measure.title)}; of equal means the one with the fewest tokens. "
        f"{best.resamples:,} bootstrap resamples of the questions, seed {best.seed}."
    )
    return f'<p class="r13">{found}, {sure}</p><p class="r13 soft">{small}</p>'


def bars(walk: Walk, best: Peak) -> pd.DataFrame:
    """Every value in its order; where they are many, those that were best most often."""
    table = pd.DataFrame(
        {
            "words": [shown(v) for v in walk.values],
            "share": best.shares,
            "place": range(len(best.shares)),
        }
    )
    if len(table) > MOST_BARS:
        table = table[table["share"] > 0].nlargest(MOST_BARS, "share").sort_values("place")
    table["label"] = [f"{share:.0%}" if share else "" for share in table["share"]]
    return table


def chart(table: pd.DataFrame, now: Setting) -> alt.LayerChart:
    base = alt.Chart(table).encode(
        x=alt.X(
            "words:N",
            sort=None,
            title=now.knob.title,
            axis=alt.Axis(labelAngle=0, labelOverlap=True),
        ),
        y=alt.Y(
            "share:Q",
            title="share of resamples",
            axis=alt.Axis(format=".0%"),
            scale=alt.Scale(domain=[0, 1.08]),
        ),
    )
    bar = base.mark_bar(color=HUES[0], width={"band": 0.7}).encode(
        tooltip=[
            alt.Tooltip("words:N", title=now.knob.title),
            alt.Tooltip("share:Q", title="best in", format=".1%"),
        ]
    )
    layers = [bar]
    if len(table) <= MOST_BARS:
        layers.append(base.mark_text(dy=-8, color=INK, fontWeight=600).encode(text="label:N"))
    return alt.layer(*layers).properties(height=260)


def alt_text(table: pd.DataFrame, now: Setting) -> str:
    said = [f"{row.words} in {row.share:.0%}" for row in table.itertuples()]
    return text.clean(f"How often each {now.knob.title} was best: {', '.join(said)}")


def halves_html(now: Setting, split: Halves | None) -> str:
    """Which figure is which: one chose, the other reports."""
    if split is None:
        return (
            '<p class="r13">With fewer than four questions there is nothing to choose on one half '
            "and to report on the other.</p>"
        )
    digits = 0 if now.measure.unit == "tokens" else 3

    def said(value: float) -> str:
        return text.decimal(value, digits=digits)

    chosen = text.plain(shown(split.chosen))
    rows = (
        (
            "chosen on one half",
            f"{split.chose:,} questions",
            said(split.on_chosen_half.value),
            f"{said(split.on_chosen_half.low)} to {said(split.on_chosen_half.high)}",
            "flatters: these questions chose it",
        ),
        (
            "reported on the other",
            f"{split.reported:,} questions",
            said(split.on_other.value),
            f"{said(split.on_other.low)} to {said(split.on_other.high)}",
            "the figure to believe",
        ),
    )
    body = "".join(
        f'<tr><th scope="row">{name}</th><td>{n}</td><td class="num">{mean}</td>'
        f'<td class="num">{ends}</td><td class="soft">{what}</td></tr>'
        for name, n, mean, ends, what in rows
    )
    head = "".join(
        f'<th scope="col"{cls}>{name}</th>'
        for name, cls in (
            ("", ""),
            ("n", ""),
            ("mean", ' class="num"'),
            ("95 %", ' class="num"'),
            ("", ""),
        )
    )
    table = (
        '<table class="r13 headline"><caption class="sr">Chosen and reported</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )
    return (
        f'<p class="r13">One half of the questions proposes <b>{text.plain(now.knob.title)} '
        f'{chosen}</b>. <span class="soft">Seeded split, seed {split.seed}.</span></p>{table}'
        f'<p class="r13">{_against(now, split, digits)}</p>'
    )


def _against(now: Setting, split: Halves, digits: int) -> str:
    found = split.against
    if found is None or found.mean is None:
        return ""
    if split.chosen == split.current:
        return "That is where the knob stands now."
    mean = found.mean
    words = (
        f"Against {text.plain(shown(split.current))} now, on the other half: "
        f"{text.signed(mean.value, digits=digits)} [{text.signed(mean.low, digits=digits)}, "
        f"{text.signed(mean.high, digits=digits)}], {found.wins:,} better, {found.losses:,} worse, "
        f"{found.ties:,} equal of {found.n:,}"
    )
    if found.p is None:
        return f"{words}; {found.note}."
    p = "p < 0.001" if found.p < 0.001 else f"p = {found.p:.3f}"
    words += f", {p} (sign flips)"
    if found.detectable is not None and mean.low <= 0 <= mean.high:
        words += (
            f". No difference that {found.n:,} questions could show: it would have to be "
            f"{found.detectable:.3f} or more"
        )
    return f"{words}."
