"""Which selector for this collection: proposed on one half, reported on the other."""

from __future__ import annotations

import streamlit as st

from pages.ui import controls, text
from pages.ui.known_pools import Known, known_pools
from pages.ui.tuning import Setting
from selection.measures import all_measures
from selection.registry import Selector, list_selectors, parse_selector, selector_class
from selection.tuning.advisor import Advice, Candidate, advise
from selection.tuning.profile import Profile, profile

MANY = 400
"""Questions from which it waits for a click: every selector runs on every one."""


@st.cache_resource(max_entries=8, show_spinner=False)
def _advice(_now: Setting, key: tuple[object, ...]) -> Advice | None:
    bar = st.empty()

    def progress(done: int, total: int) -> None:
        bar.progress(done / total, f"{done} of {total} selectors")

    pool = _now.sample
    every = [controls.start(name, pool) for name in list_selectors() if not recorded(name)]
    try:
        return advise(
            _now.data.pools,
            [one for one in every if isinstance(one, Selector)],
            _now.budget,
            next(one for one in all_measures() if one.name == _now.measure.name),
            progress=progress,
        )
    finally:
        bar.empty()


def recorded(name: str) -> bool:
    """Whether it only repeats what was sent once: nothing that could be chosen for later."""
    return any(param.source for param in selector_class(name).params)


def draw(now: Setting) -> None:
    """With gold the competition; without it the profile, next to public pools like it."""
    if not now.data.judged and not now.collection.with_evidence:
        st.html(profile_html(profile(now.data.pools, now.budget)))
        return
    n = len(now.data.pools)
    if n > MANY and not st.toggle(f"Run every selector on all {n:,} questions", key="advise"):
        return
    name, stamp, relevance, _, budget, _, measure = now.key
    try:
        found = _advice(now, (name, stamp, relevance, budget, measure))
    except ValueError as problem:
        st.text(f"Top-k packed cannot run here: {problem}")
        return
    if found is None:
        st.text("Fewer than four questions have a value: too few to choose and to report.")
        return
    st.html(sentence_html(now, found) + table_html(now, found))


def sentence_html(now: Setting, found: Advice) -> str:
    best, mean = found.proposed, found.against.mean
    if best is found.baseline or mean is None:
        words = (
            f"<b>Top-k packed</b>: on {found.chose:,} questions nothing was better than it under "
            "this budget."
        )
    elif found.shown and mean.value > 0:
        words = (
            f"<b>{text.plain(best.selector.label)}</b>: {_ends(mean)} against top-k packed on "
            f"{found.reported:,} questions that did not choose it."
        )
    elif found.shown:
        words = (
            f"{text.plain(best.selector.label)} won on one half and is worse than top-k packed on "
            f"the other ({_ends(mean)}, n = {found.reported:,}): <b>stay with top-k packed</b>."
        )
    else:
        words = (
            f"<b>No difference that {found.reported:,} questions could show.</b> "
            f"{text.plain(best.selector.label)} won on one half; on the other it is {_ends(mean)} "
            "against top-k packed"
        )
        least = found.against.detectable
        words += f"; the smallest they could have shown is {least:.3f}." if least else "."
    return f'<p class="r13 tell">{words}</p>'


def _ends(mean: object) -> str:
    value, low, high = (getattr(mean, name) for name in ("value", "low", "high"))
    return (
        f"{text.signed(value, digits=3)} [{text.signed(low, digits=3)}, "
        f"{text.signed(high, digits=3)}]"
    )


def table_html(now: Setting, found: Advice) -> str:
    digits = 0 if now.measure.unit == "tokens" else 3
    sign = -1 if now.lower else 1

    def row(one: Candidate) -> str:
        name = text.plain(one.selector.label)
        tag = ""
        if one is found.proposed:
            tag = ' <span class="tag">proposed</span>'
        elif one is found.baseline:
            name, tag = "top-k packed", ' <span class="tag">baseline</span>'
        return (
            f'<tr><th scope="row">{name}{tag}</th>'
            f'<td class="num">{text.decimal(sign * one.chosen, digits=digits)}</td>'
            f'<td class="num">{text.decimal(sign * one.reported, digits=digits)}</td>'
            f'<td class="num">{text.whole(one.tokens)}</td></tr>'
        )

    every = sorted((found.baseline, *found.ranking), key=lambda one: -one.chosen)
    refused = "".join(
        f"<li>{text.plain(title)}: {text.plain(why)}</li>" for title, why in found.refused
    )
    left_out = (
        f'<details class="r13"><summary>{len(found.refused):,} could not run</summary>'
        f"<ul>{refused}</ul></details>"
        if refused
        else ""
    )
    return (
        '<table class="r13 headline"><caption class="sr">Every selector on both halves</caption>'
        f'<thead><tr><th scope="col">mean {text.plain(now.measure.title)}</th>'
        f'<th scope="col" class="num">half that chose, n = {found.chose:,}</th>'
        f'<th scope="col" class="num">half that reports, n = {found.reported:,}</th>'
        '<th scope="col" class="num">tokens a question</th></tr></thead>'
        f"<tbody>{''.join(map(row, every))}</tbody></table>"
        f'<p class="r13 soft">Defaults of every selector; seeded split, seed {found.seed}. '
        f"Yardsticks that know the answer are left out.</p>{left_out}"
    )


def profile_html(mine: Profile) -> str:
    """These pools beside public ones, and what selectors were worth there."""
    known = known_pools()
    head = "".join(
        f'<th scope="col" class="num">{name}</th>'
        for name in ("pools", "candidates", "near repeats", "repeated statements")
    )
    body = _row(
        "<b>these pools</b>",
        (mine.questions, mine.candidates, mine.near_repeats, mine.repeated_claims),
        "nobody has judged what they need",
    )
    body += "".join(
        _row(
            text.plain(one.name),
            (one.questions, one.candidates, one.near_repeats, one.repeated_claims),
            _worth(one),
        )
        for one in known
    )
    near = min(known, key=lambda one: _distance(mine, one), default=None)
    like = ""
    if near is not None:
        like = (
            f'<p class="r13 tell">By repetition these pools look most like '
            f"<b>{text.plain(near.name)}</b>. Best there: {text.plain(_worth(near))}.</p>"
        )
    return (
        f'{like}<table class="r13 headline"><caption class="sr">Profiles of pools</caption>'
        f'<thead><tr><th scope="col"></th>{head}<th scope="col">best there, against top-k packed'
        f"</th></tr></thead><tbody>{body}</tbody></table>"
        '<p class="r13 soft">Public pools were measured with what is known to hold their evidence. '
        "A likeness in repetition is no proof that the same selector is best here: facts for a "
        "few dozen of your questions would be.</p>"
    )


def _row(name: str, figures: tuple[int, float, float | None, float | None], worth: str) -> str:
    questions, candidates, near, again = figures
    shown = (f"{questions:,}", f"{candidates:,.0f}", _share(near), _share(again))
    cells = "".join(f'<td class="num">{value}</td>' for value in shown)
    return f'<tr><th scope="row">{name}</th>{cells}<td class="soft">{text.plain(worth)}</td></tr>'


def _share(value: float | None) -> str:
    return text.NA if value is None else f"{value:.0%}"


def _worth(one: Known) -> str:
    if one.gain <= 0:
        return f"nothing was better than top-k packed, n = {one.questions}"
    shown = "" if one.low > 0 else ", not shown to differ"
    ends = f"[{text.signed(one.low, digits=3)}, {text.signed(one.high, digits=3)}]"
    gain = f"{text.signed(one.gain, digits=3)} {ends}, n = {one.questions}{shown}"
    return f"{parse_selector(one.best).label} {gain}"


def _distance(mine: Profile, other: Known) -> float:
    pairs = (
        (mine.near_repeats, other.near_repeats),
        (mine.repeated_claims, other.repeated_claims),
    )
    known = [abs(a - b) for a, b in pairs if a is not None]
    return sum(known) / len(known) if known else 0.0
