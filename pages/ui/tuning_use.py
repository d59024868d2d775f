"""A chosen setting as code, what it needs at request time, and a replay that it picks the same."""

from __future__ import annotations

import streamlit as st

from pages.ui import cache, text, tuning
from pages.ui.tuning import Setting, shown
from pages.ui.tuning_drops import found, noun
from selection.model import Budget
from selection.registry import parse_selector
from selection.tuning import Walk, facts, lone_statements
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
    replayed = _replay(
        now,
        now.collection.name,
        cache.version(now.collection),
        now.relevance,
        selector.spec,
        budget,
    )
    needs = [one.title for one in requirements(selector, budget, pool)]
    st.html(loss_html(now, walk, at) + needs_html(now, needs) + replay_html(replayed))


def loss_html(now: Setting, walk: Walk, at: int) -> str:
    """What the value gives up, beside the code: as against the last safe value, or the one now."""
    universe = facts if now.data.judged else lone_statements
    base = found(now, walk)[1].value if walk.steers_amount else now.now
    most, lost, where = walk.at(base), 0, 0
    for pool, orders in zip(walk.pools, walk.orders, strict=True):
        held = universe(pool)
        gone = (held.covered(orders[most]) & ~held.covered(orders[at])).bit_count()
        lost, where = lost + gone, where + bool(gone)
    if not lost:
        return ""
    what = text.counted(lost, noun(now))
    return (
        f'<p class="r13"><span class="tag warn">not free</span> With this value {what} that '
        f"{text.plain(shown(walk.values[most]))} sends {'is' if lost == 1 else 'are'} missing, in "
        f"{where:,} of {text.counted(len(walk.pools), 'question')}.</p>"
    )


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
