"""Sweeps of a knob: what every value loses and gains over a whole collection."""

from __future__ import annotations

import streamlit as st

from pages.ui import (
    cache,
    frame,
    parts,
    state,
    text,
    tuning,
    tuning_advice,
    tuning_curve,
    tuning_drops,
    tuning_judging,
    tuning_plane,
    tuning_sure,
    tuning_use,
    wayfinding,
)
from pages.ui.tuning import Setting
from selection.tuning import Walk

PARTS = {
    "drops": "What it loses",
    "sure": "How sure",
    "plane": "Two knobs",
    "judge": "Few judgements",
    "advice": "Which selector",
    "use": "Use this",
}


def main() -> None:
    frame.ensure_frame("Tuning")
    collections = cache.collections()
    collection = wayfinding.chosen(collections)
    if collection is None:
        wayfinding.nothing_stored()
        return
    wayfinding.heading("Tuning", collections, collection)
    now = tuning.setting(collection) if collection.questions else None
    if now is None:
        wayfinding.empty(collection)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="filters"):
        tuning.selector_controls(now)
    walk = tuning.walked(now)
    if not walk.pools:
        st.text(f"{now.selector.title} can run on none of these questions: {walk.left_out[0].why}")
        return
    every, safe = tuning_drops.found(now, walk)
    st.html(tuning_drops.sentence_html(now, walk, every, safe) + left_out_html(walk))
    part = parts.choose(PARTS, state.TUNE)
    if part == "drops":
        drops(now, walk)
    elif part == "sure":
        tuning_sure.draw(now, walk, tuning.scores(now, walk))
    elif part == "plane":
        tuning_plane.draw(now)
    elif part == "judge":
        tuning_judging.draw(now, walk)
    elif part == "advice":
        tuning_advice.draw(now)
    else:
        tuning_use.draw(now, walk)


def drops(now: Setting, walk: Walk) -> None:
    """The curve beside the steps, and the list of one step under both."""
    if not walk.binds:
        if not now.data.judged:
            tuning_drops.conflicts(now)
        return
    every, safe = tuning_drops.found(now, walk)
    table = tuning_curve.rows(now, walk, tuning.scores(now, walk))
    left, right = st.columns([1, 1], gap="medium")
    with left:
        if table.empty:
            st.text(f"{now.measure.title} is not defined for every value on any question.")
        else:
            st.altair_chart(
                tuning_curve.chart(table, now, steers=walk.steers_amount),
                width="stretch",
                alt=tuning_curve.alt_text(table, now),
            )
            st.html(caption_html(now, walk, int(table["n"].iloc[0])))
    with right:
        if every:
            st.html(tuning_drops.steps_html(now, every))
        else:
            st.text(f"No value of {now.knob.title} loses any {tuning_drops.noun(now)}.")
    step = tuning_drops.step_control(every, safe)
    if step is not None:
        tuning_drops.losses(now, walk, step, safe)
    if not now.data.judged:
        tuning_drops.conflicts(now)


def caption_html(now: Setting, walk: Walk, n: int) -> str:
    """What the marks of the curve are."""
    ring = (
        f"ring: where it stands now, {text.plain(tuning.shown(now.now))}; "
        if now.now in (walk.values)
        else ""
    )
    return (
        f'<p class="r13 soft">A point a value of {text.plain(now.knob.title)} '
        f"({len(walk.values):,} tried); {ring}bars: 95 % bootstrap interval of the mean, "
        f"n = {n:,} questions.</p>"
    )


def left_out_html(walk: Walk) -> str:
    """How many questions the selector cannot run on, and why the first."""
    if not walk.left_out:
        return ""
    first = walk.left_out[0]
    return (
        f'<p class="r13 soft">Left out: {text.counted(len(walk.left_out), "question")}, the first '
        f"is {text.plain(first.question)}: {text.plain(first.why)}</p>"
    )


main()
