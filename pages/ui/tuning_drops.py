"""The drop list: what each step of the knob loses, and the last value that is safe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages.ui import downloads, frame, state, tables, text
from pages.ui.tuning import Setting, shown
from selection.tuning import (
    Loss,
    Safe,
    Step,
    Walk,
    facts,
    last_safe,
    lone_statements,
    number_conflicts,
    safe_range,
    steps,
)
from selection.tuning.risks import weight

MOST_ROWS = 500


@st.cache_resource(max_entries=16, show_spinner="Finding what each step loses")
def _found(_walk: Walk, key: tuple[object, ...], judged: bool) -> tuple[tuple[Step, ...], Safe]:
    universe = facts if judged else lone_statements
    return steps(_walk, universe), last_safe(_walk, universe)


def found(now: Setting, walk: Walk) -> tuple[tuple[Step, ...], Safe]:
    """Every step with what goes, and the last safe value; kept."""
    return _found(walk, now.key[:-1], now.data.judged)


def noun(now: Setting) -> str:
    return "fact" if now.data.judged else "lone statement"


def sentence_html(now: Setting, walk: Walk, every: Sequence[Step], safe: Safe) -> str:
    """The answer in words: how far the knob may go, and what the next value costs."""
    title = text.plain(now.knob.title)
    n = len(walk.pools)
    if not walk.binds:
        ends = [shown(walk.values[at]) for at in (walk.from_open[0], walk.from_open[-1])]
        words = (
            f"<b>{title} never binds here</b>: from {text.plain(ends[0])} to {text.plain(ends[1])} "
            f"every one of {text.counted(n, 'question')} is sent the same passages."
        )
        return f'<p class="r13 tell">{words}</p>'
    thing = noun(now)
    if not walk.steers_amount and walk.knob.ordered and now.now in walk.values:
        return _range_html(now, walk)
    if safe.value is None:
        words = f"No value of {title} sends any {thing}, so there is nothing to lose."
        return f'<p class="r13 tell">{words}</p>'
    words = (
        f"<b>{title} {text.plain(shown(safe.value))} is the last safe value</b>: no {thing} that "
        f"{text.plain(shown(walk.values[walk.from_open[0]]))} sends is missing"
    )
    step = next((one for one in every if one.after == safe.first_lost), None)
    if step is None:
        words += f", down to the last value tried, in {text.counted(n, 'question')}."
    else:
        words += f". {_cost(step, n, thing)}"
    if not now.data.judged:
        words += (
            ' <span class="soft">Nobody has judged what these questions need: this is risk, '
            "not loss.</span>"
        )
    return f'<p class="r13 tell">{words}</p>'


def _range_html(now: Setting, walk: Walk) -> str:
    """For a knob that changes what is sent and not how much: how far it may move from here."""
    found = safe_range(
        walk, walk.values.index(now.now), facts if now.data.judged else lone_statements
    )
    title, at = text.plain(now.knob.title), text.plain(shown(found.now))
    low, high = text.plain(shown(found.low)), text.plain(shown(found.high))
    if found.low == found.high:
        words = f"<b>{title} {at}</b>: the next value either way loses a {noun(now)} that it sends"
    else:
        words = (
            f"<b>{title} may move from {low} to {high}</b> without losing any {noun(now)} that "
            f"{at} sends"
        )
    small = "It changes which passages are sent, hardly how much"
    small += "." if now.data.judged else "; nobody has judged what is needed: risk, not loss."
    return f'<p class="r13 tell">{words}. <span class="soft">{small}</span></p>'


def _cost(step: Step, n: int, thing: str) -> str:
    where = len({one.question for one in step.lost})
    single = sum(one.single is True for one in step.lost)
    words = (
        f"At {text.plain(shown(step.after))}, {text.counted(len(step.lost), thing)} "
        f"{'goes' if len(step.lost) == 1 else 'go'} in {where:,} of {text.counted(n, 'question')}"
    )
    if single:
        hang = "hangs" if single == 1 else "hang"
        words += f"; {single:,} of them {hang} on a passage that adds one claim only"
    return f"{words}."


def steps_html(now: Setting, every: Sequence[Step]) -> str:
    """One line a step: what goes, in how many questions, what hangs on one claim, what returns."""
    thing = noun(now)
    body = "".join(
        f'<tr><th scope="row">{text.plain(shown(one.before))} → {text.plain(shown(one.after))}</th>'
        f'<td class="num">{len(one.lost):,}</td>'
        f'<td class="num">{sum(x.single is True for x in one.lost):,}</td>'
        f'<td class="num">{len({x.question for x in one.lost}):,}</td>'
        f'<td class="num">{_returned(one)}</td></tr>'
        for one in every
    )
    return (
        '<div class="steps-scroll" tabindex="0"><table class="r13 headline">'
        '<caption class="sr">What each step of the knob loses</caption><thead><tr>'
        f'<th scope="col">{text.plain(now.knob.title)}</th>'
        f'<th scope="col" class="num">{thing}s lost</th>'
        '<th scope="col" class="num">on one claim</th>'
        '<th scope="col" class="num">questions that lose</th>'
        '<th scope="col" class="num">come back</th></tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _returned(step: Step) -> str:
    if step.monotone:
        return "0"
    return f'{len(step.back):,} <span class="tag warn" title="{NOT_MONOTONE}">not monotone</span>'


NOT_MONOTONE = (
    "Sending less brings something back: what was in its way is skipped. "
    "The other way round, raising the limit loses it."
)


def step_control(every: Sequence[Step], safe: Safe) -> Step | None:
    """One step, from the address; at first the one after the last safe value."""
    if not every:
        return None
    names = {f"{shown(one.before)} → {shown(one.after)}": one for one in every}
    first = next((name for name, one in names.items() if one.after == safe.first_lost), None)
    asked = state.get(state.DROP_STEP)
    chosen = asked if asked in names else first or next(iter(names))
    key = state.prime("w-tune-step", chosen)
    st.selectbox("Step", list(names), key=key, on_change=_step, args=(key,), width=220)
    return names[chosen]


def _step(key: str) -> None:
    state.put({state.DROP_STEP: st.session_state[key]})


def ordered(now: Setting, step: Step) -> list[Loss]:
    """What goes, then what returns; without gold those that weigh most first."""
    every = [*step.lost, *step.back]
    if now.data.judged:
        return every
    return sorted(every, key=lambda one: (one.back, -len(weight(one.thing)), one.question))


def losses(now: Setting, walk: Walk, step: Step, safe: Safe) -> None:
    """The list of one step; a picked row opens the question with both settings."""
    every = ordered(now, step)
    rows = [_row(now, walk, one, safe) for one in every[:MOST_ROWS]]
    ids = [f"{at}" for at in range(len(rows))]
    picked = tables.pick(
        pd.DataFrame(rows),
        ids=ids,
        picked=None,
        name="drops",
        alt=f"What the step from {shown(step.before)} to {shown(step.after)} loses",
        columns={
            "question": st.column_config.TextColumn(width="large"),
            noun(now): st.column_config.TextColumn(width="large"),
        },
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        many = text.counted(len(every), "row")
        more = f"the first {MOST_ROWS:,} of {many}" if len(every) > MOST_ROWS else many
        st.html(f'<p class="r13 soft">{more}. {tables.HOW}</p>')
        downloads.csv_button(
            "CSV",
            lambda: [_row(now, walk, one, safe) for one in every],
            file=f"{downloads.file_name(now.collection.name, now.knob.name, 'drops')}.csv",
            key="drops-csv",
        )
    if picked is not None:
        st.switch_page(
            frame.path("question"),
            query_params=to_question(now, walk, step, every[int(picked)]),
        )


def to_question(now: Setting, walk: Walk, step: Step, loss: Loss) -> dict[str, str | list[str]]:
    """The question with the settings before and after; of a limit the one after."""
    pool = walk.pools[loss.question]
    before, _ = walk.setting(walk.values.index(step.before))
    after, budget = walk.setting(walk.values.index(step.after))
    return state.address(
        {
            state.COLLECTION: now.collection.name,
            state.QUESTION: pool.id,
            state.SELECTORS: tuple(dict.fromkeys((before, after))),
            state.BUDGET: _limit(budget.tokens),
            state.CAP: _limit(budget.passages),
            state.RELEVANCE: now.relevance or "auto",
        }
    )


def _limit(value: int | None) -> Any:
    return state.Unlimited.NONE if value is None else value


def _row(now: Setting, walk: Walk, one: Loss, safe: Safe) -> dict[str, object]:
    pool = walk.pools[one.question]
    place = now.data.pools.index(pool) if len(walk.pools) != len(now.data.pools) else one.question
    words = now.data.facts[place].get(one.thing, one.thing) if now.data.judged else one.thing
    row: dict[str, object] = {
        "question": text.clean(pool.question or pool.id),
        noun(now): text.clean(words),
        "effect": "comes back" if one.back else "lost",
    }
    if not now.data.judged:
        row["it has a"] = text.listed(list(weight(one.thing))) or "–"
    row |= {
        "at rank": ", ".join(map(str, one.ranks)),
        "still at": shown(one.kept),
        "not at": shown(one.gone),
        "one-claim passage": {True: "yes", False: "no", None: text.NA}[one.single],
        "came in": ", ".join(map(str, one.entered)) or "–",
        "went out": ", ".join(map(str, one.evicted)) or "–",
        "question safe to": shown(safe.every[one.question]),
    }
    if one.back:
        row |= {"still at": shown(one.gone), "not at": shown(one.kept)}
    return row


def conflicts(now: Setting) -> None:
    """Statements that are equal but for a number: dropping either may drop the right one."""
    rows = [
        {
            "question": text.clean(pool.question or pool.id),
            "statements": " / ".join(text.clean(words) for words in one.statements[:4]),
            "at ranks": " / ".join(",".join(map(str, ranks)) for ranks in one.ranks[:4]),
        }
        for pool in now.data.pools
        for one in number_conflicts(pool)
    ]
    if not rows:
        return
    with st.expander(f"{text.counted(len(rows), 'conflict')}: equal but for a number or a unit"):
        st.dataframe(
            pd.DataFrame(rows[:MOST_ROWS]),
            hide_index=True,
            alt="Statements that differ in a number",
        )
