"""A chosen setting as code, what it needs at request time, and a replay that it picks the same."""

from __future__ import annotations

import streamlit as st

from pages.ui import cache, text, tuning
from pages.ui.tuning import Setting
from selection.model import Budget
from selection.registry import parse_selector
from selection.tuning import Walk
from selection.tuning.replay import MOST_TIMED, Replay, replay
from selection.tuning.snippets import requirements, snippets


@st.cache_resource(max_entries=32, show_spinner="Running the code on stored questions")
def _replay(
    _now: Setting, name: str, stamp: str, relevance: str | None, spec: str, budget: Budget
) -> Replay:
    pools = [
        cache.question(_now.collection, pool.id, relevance=relevance).pool
        for pool in _now.data.pools[:MOST_TIMED]
    ]
    return replay(pools, parse_selector(spec), budget, given=_now.data.given)


def draw(now: Setting, walk: Walk) -> None:
    """The value, the three forms, and what the replay found."""
    at = tuning.value_control(now, walk, now.knob.title.capitalize(), default=now.now)
    selector, budget = walk.setting(at)
    pool = now.sample
    forms = snippets(selector, budget, pool, given=now.data.given)
    for tab, one in zip(st.tabs([form.name for form in forms]), forms, strict=True):
        with tab:
            if one.package:
                st.html(f'<p class="r13 soft">Needs the package {text.plain(one.package)}.</p>')
            st.code(one.code, language="python")
    found = _replay(
        now,
        now.collection.name,
        cache.version(now.collection),
        now.relevance,
        selector.spec,
        budget,
    )
    needs = [one.title for one in requirements(selector, budget, pool)]
    st.html(needs_html(now, needs) + replay_html(found))


def needs_html(now: Setting, needs: list[str]) -> str:
    words = text.plain(text.listed(needs) or "nothing but its id")
    scaled = {
        "minmax": " Scores were rescaled to 0 to 1 within each pool here; do the same there.",
        "rank": " Scores were replaced by ranks here; do the same there.",
        "mixed": " Scores were rescaled in some pools here; see each question.",
    }.get(now.data.relevance, "")
    return f'<p class="r13">At request time it needs of every passage: {words}.{scaled}</p>'


def replay_html(found: Replay) -> str:
    if found.problem:
        return f'<p class="r13 soft">Not replayed. {text.plain(found.problem)}</p>'
    words = (
        f"The Python code picks the same ranks on {found.same:,} of {found.n:,} stored questions"
    )
    if found.milliseconds is not None:
        words += f"; {found.milliseconds:.2g} ms a call, median, on this machine"
    if found.different:
        words += f". Different on {text.plain(text.listed(list(found.different[:5])))}"
    return f'<p class="r13">{words}.</p>'
