"""Mass on the right answer for every selector and k, with all knobs free and the seeds swept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import altair as alt
import pandas as pd
import streamlit as st

from pages.ui import downloads, lab, lab_knobs, lab_lines, text
from pages.ui.charts import INK
from pages.ui.lanes import WARNING
from selection.significance import mean_interval
from selection.theory.finance import SEED, Draw, world
from selection.theory.frontier import best_masses
from selection.theory.reading import NAMES, Knobs, Reading, readings
from selection.theory.seeds import Swept, swept

SEEDS = range(40)
HEIGHT = 330
CAVEAT = (
    "No language model answers here: a softmax over sixteen made-up companies does, and every "
    "further passage takes weight from the others. It shows the mechanism, not its size."
)


def answer() -> None:
    """The knobs, the curve over k, and one dot a seed."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="dials"):
        knobs = lab_knobs.all_knobs()
        seed = lab_knobs.seed()
        lab_knobs.back(
            lab_knobs.TAU.key,
            lab_knobs.LAMBDA.key,
            lab_knobs.QUALITY.key,
            lab_knobs.SEED_OF_WORLD,
        )
    found, best = _read(seed, knobs)
    k = lab.choose_k(len(best))
    many = _swept(k, knobs)
    st.html(sentence_html(found, many, seed=seed, k=k))
    left, right = st.columns([5, 4], gap="medium")
    with left:
        st.altair_chart(mass_chart(found, best, k=k), alt=mass_alt(found, k=k), width="stretch")
    with right:
        st.altair_chart(seed_chart(many, seed=seed), alt=seed_alt(many), width="stretch")
    st.html(table_html(found, best, many, k=k))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="r13 soft">{CAVEAT}</p>')
        downloads.csv_button("CSV", lambda: rows(found), file="mass.csv", key="w-csv")


@st.cache_data(max_entries=64, show_spinner="Reading every selection")
def _read(seed: int, knobs: Knobs) -> tuple[tuple[Reading, ...], tuple[float, ...]]:
    made = world(Draw(seed=seed))
    return readings(made, knobs=knobs), best_masses(made, tau=knobs.tau)


@st.cache_data(max_entries=64, show_spinner="Drawing the world anew for every seed")
def _swept(k: int, knobs: Knobs) -> Swept:
    return swept(SEEDS, k=k, knobs=knobs)


def sentence_html(found: Sequence[Reading], many: Swept, *, seed: int, k: int) -> str:
    """The order at k here, and in how many seeds it is the same."""
    now = sorted((one for one in found if one.k == k), key=lambda one: one.mass)
    order = " &lt; ".join(f"{NAMES[one.selector]} <b>{one.mass:.3f}</b>" for one in now)
    names = [one.selector for one in now]
    same = sum(
        all(many.masses[low][at] < many.masses[high][at] for low, high in pairwise(names))
        for at in range(len(many.seeds))
    )
    top = names[-1]
    wins = sum(
        many.masses[top][at] == max(column[at] for column in many.masses.values())
        for at in range(len(many.seeds))
    )
    which = "the published world" if seed == SEED else f"the world of seed {seed}"
    return (
        f'<p class="r13 tell">With {text.counted(k, "passage")}, in {which}: {order}. '
        f"Of {len(many.seeds)} worlds (seeds 0 to {max(many.seeds)}) <b>{same}</b> have exactly "
        f"this order, {many.ordered} have top-k below MMR below both others, and {NAMES[top]} is "
        f"first in {wins}.</p>"
    )


def mass_chart(found: Sequence[Reading], best: Sequence[float], *, k: int) -> alt.LayerChart:
    """Mass on the right answer by number of passages, with the most that any set can reach."""
    frame = pd.DataFrame(
        [(NAMES[one.selector], one.k, one.mass, one.entropy, one.reached) for one in found],
        columns=["name", "k", "mass", "entropy", "reached"],
    )
    ceiling = pd.DataFrame({"k": range(1, len(best) + 1), "mass": list(best)})
    low = min(frame["mass"].min(), min(best))
    high = max(frame["mass"].max(), max(best))
    domain = (float(low) - 0.04, float(high) + 0.03)
    x = alt.X(
        "k:Q",
        title="passages",
        scale=alt.Scale(domain=[0.6, len(best) + 0.6], nice=False),
        axis=alt.Axis(grid=False, values=list(range(1, len(best) + 1)), format="d"),
    )
    y = alt.Y(
        "mass:Q",
        title="mass on the right answer",
        scale=alt.Scale(domain=list(domain), zero=False, nice=False),
        axis=alt.Axis(grid=False),
    )
    base = alt.Chart(frame)
    line = base.mark_line(strokeWidth=2).encode(
        x=x, y=y, color=lab_lines.hue(), strokeDash=lab_lines.dash()
    )
    points = base.mark_point(filled=True, size=55, opacity=1).encode(
        x=x,
        y=y,
        color=lab_lines.hue(),
        shape=lab_lines.shape(),
        tooltip=[
            alt.Tooltip("name:N", title="selector"),
            alt.Tooltip("k:Q", title="passages"),
            alt.Tooltip("mass:Q", title="mass", format=".4f"),
            alt.Tooltip("entropy:Q", title="entropy in bits", format=".3f"),
            alt.Tooltip("reached:Q", title="pools with the deciding passage"),
        ],
    )
    top = alt.Chart(ceiling).mark_line(strokeDash=[2, 3], color="gray").encode(x=x, y=y)
    top_name = (
        alt.Chart(ceiling.head(2).tail(1))
        .mark_text(align="left", dx=8, dy=-8, color=INK)
        .encode(x=x, y=y, text=alt.value("best possible, any set"))
    )
    here = (
        alt.Chart(pd.DataFrame({"k": [k]}))
        .mark_rule(strokeDash=[5, 4], color=WARNING, opacity=0.8)
        .encode(x=x)
    )
    labels = lab_lines.apart_labels(frame, x="k", y="mass")
    return alt.layer(here, top, line, points, top_name, *labels).properties(height=HEIGHT)


def seed_chart(many: Swept, *, seed: int) -> alt.LayerChart:
    """One dot a seed and selector; the bar is the mean, the ring the seed that is shown."""
    frame = pd.DataFrame(
        [
            (NAMES[name], one, mass, one == seed)
            for name, masses in many.masses.items()
            for one, mass in zip(many.seeds, masses, strict=True)
        ],
        columns=["name", "seed", "mass", "now"],
    )
    y = alt.Y(
        "name:N",
        sort=lab_lines.TITLES,
        title=None,
        axis=alt.Axis(labelLimit=140, ticks=False, domain=False),
    )
    x = alt.X(
        "mass:Q",
        title=f"mass on the right answer, {len(many.seeds)} seeds",
        scale=alt.Scale(zero=False),
        axis=alt.Axis(grid=False),
    )
    base = alt.Chart(frame)
    dots = base.mark_point(filled=True, size=40, opacity=0.75).encode(
        x=x,
        y=y,
        color=lab_lines.hue(),
        shape=lab_lines.shape(),
        tooltip=[
            alt.Tooltip("name:N", title="selector"),
            alt.Tooltip("seed:Q", title="seed"),
            alt.Tooltip("mass:Q", title="mass", format=".4f"),
        ],
    )
    ring = (
        base.transform_filter("datum.now")
        .mark_point(size=170, strokeWidth=2, color=INK)
        .encode(x=x, y=y)
    )
    means = base.mark_tick(thickness=3, size=34, color=INK).encode(x="mean(mass):Q", y=y)
    return alt.layer(dots, means, ring).properties(height=HEIGHT)


def mass_alt(found: Sequence[Reading], *, k: int) -> str:
    """The curve in words, at k and where everything is sent."""
    said = [f"{NAMES[one.selector]} {one.mass:.3f}" for one in found if one.k == k]
    return f"Mass on the right answer at {k} passages: {', '.join(said)}."


def seed_alt(many: Swept) -> str:
    """The dots in words: mean and range."""
    said = [
        f"{NAMES[name]} mean {many.mean(name):.3f}, {min(masses):.3f} to {max(masses):.3f}"
        for name, masses in many.masses.items()
    ]
    return f"Over {len(many.seeds)} seeds: {'; '.join(said)}."


def table_html(found: Sequence[Reading], best: Sequence[float], many: Swept, *, k: int) -> str:
    """At k: mass, how often the deciding passage is reached, entropy, and the mean over seeds."""
    now = {one.selector: one for one in found if one.k == k}
    pools = len(next(iter(now.values())).masses)
    base = now["top_k"]
    body = ""
    for name, one in now.items():
        ahead = [a - b for a, b in zip(many.masses[name], many.masses["top_k"], strict=True)]
        lead = mean_interval(ahead)
        range_ = (
            "baseline"
            if name == "top_k" or lead is None
            else f"{text.signed(lead.value, digits=3)} "
            f"({text.signed(lead.low, digits=3)} to {text.signed(lead.high, digits=3)})"
        )
        body += (
            f'<tr><th scope="row" class="hue{lab_lines.PLACES[name] + 1}">'
            f'<span class="swatch">{lab_lines.PLACES[name] + 1}</span> {NAMES[name]}</th>'
            f'<td class="num">{one.mass:.4f}</td>'
            f'<td class="num">{text.decimal(one.mass / best[k - 1], digits=3)}</td>'
            f'<td class="num">{text.out_of(one.reached, pools)}</td>'
            f'<td class="num">{one.entropy:.3f}</td>'
            f'<td class="num">{text.signed(one.entropy - base.entropy, digits=3)}</td>'
            f'<td class="num">{many.mean(name):.3f}</td><td class="num">{range_}</td></tr>'
        )
    return (
        f'<table class="r13 figures"><caption class="sr">At {k} passages</caption><thead><tr>'
        '<th scope="col">selector</th><th scope="col" class="num">mass here</th>'
        '<th scope="col" class="num">of the best possible</th>'
        '<th scope="col" class="num">pools with the deciding passage</th>'
        '<th scope="col" class="num">entropy, bits</th>'
        '<th scope="col" class="num">to top-k</th>'
        f'<th scope="col" class="num">mean of {len(many.seeds)} seeds</th>'
        '<th scope="col" class="num">ahead of top-k (95 %)</th></tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def rows(found: Sequence[Reading]) -> list[dict[str, object]]:
    """The curves as a file."""
    return [
        {
            "selector": NAMES[one.selector],
            "passages": one.k,
            "mass": one.mass,
            "entropy_bits": one.entropy,
            "pools_reached": one.reached,
            "pools": len(one.masses),
        }
        for one in found
    ]
