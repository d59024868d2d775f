"""Controls drawn from the registry: a selector's parameters become widgets by their declaration."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import streamlit as st

from pages.ui import frame, state, text
from pages.ui.lanes import Lane
from selection.changes import Change
from selection.model import Budget, Pool
from selection.registry import Param, Selector, list_selectors, make_selector, selector_class
from storage.views import QuestionView

DEFAULT_K = 20
RELEVANCE_WORDS = {
    "auto": "as it fits the scores",
    "given": "as given",
    "minmax": "min-max in this pool",
    "rank": "by rank",
}
FIRST_CHOICES = ("marginal_gain", "similarity_threshold", "near_duplicate")
"""What stands beside top-k when nothing was chosen: the first that the question can run."""


# What holds when the address says nothing.


def default_tokens(pool: Pool) -> int | None:
    """Half of what the whole pool costs, to one digit: 4,000 for a pool of 8,235 tokens."""
    if pool.tokens is None:
        return None
    half = int(pool.tokens.sum()) / 2
    digits = len(str(int(half))) - 1
    return int(round(half / 10**digits) * 10**digits) if half >= 1 else None


def budget(pool: Pool) -> Budget:
    """The budget that the address asks for, or the default."""
    tokens, cap = state.get(state.BUDGET), state.get(state.CAP)
    if tokens is None:
        tokens = default_tokens(pool)
    return Budget(
        tokens if isinstance(tokens, int) else None, cap if isinstance(cap, int) else None
    )


def chosen(pool: Pool, limits: Budget) -> tuple[Selector, ...]:
    """The selectors that the address asks for; without any, top-k and the first that can run."""
    asked = state.get(state.SELECTORS)
    if asked:
        return asked
    others = (start(name, pool) for name in FIRST_CHOICES)
    runnable = (one for one in others if one is not None and not refusal(one, pool, limits))
    return (make_selector("top_k", k=DEFAULT_K), *[one for one in runnable][:1])


def start(name: str, pool: Pool, *, like: Selector | None = None) -> Selector | None:
    """A selector at its defaults, taking over what another one has set under the same names.

    None where a parameter has no default and the pool offers no value for it.
    """
    cls = selector_class(name)
    values: dict[str, Any] = {}
    for param in cls.params:
        offered = offers(param, pool)
        if like is not None and param in like.params:
            values[param.name] = getattr(like, param.name)
        elif param.default is None and offered:
            values[param.name] = offered[0]
    try:
        return make_selector(name, **values)
    except ValueError:
        return None


def offers(param: Param, pool: Pool) -> tuple[str, ...]:
    """The values on offer for a parameter that names something of the pool."""
    return tuple(getattr(pool, param.source)) if param.source else param.choices


def refusal(selector: Selector, pool: Pool, limits: Budget) -> str:
    """Why a selector cannot run on this question, as a sentence; empty where it can."""
    try:
        selector.check(pool, limits)
    except ValueError as problem:
        return str(problem).removeprefix(f"{selector.name}: ")
    return ""


# Budget, cap and relevance.


def budget_control(pool: Pool, limits: Budget) -> None:
    """The token budget, always at hand; the other limits behind it."""
    st.html('<span class="r13 unit">Budget</span>', width="content")
    key = state.prime("w-budget", limits.tokens)
    st.number_input(
        "Budget in tokens",
        key=key,
        min_value=0,
        max_value=10**state.MOST_DIGITS - 1,
        step=_step(pool),
        value=None,
        placeholder="no limit",
        label_visibility="collapsed",
        disabled=pool.tokens is None,
        on_change=_limit,
        args=(key, state.BUDGET),
        width=132,
    )
    st.html('<span class="r13 unit">tokens</span>', width="content")


def _step(pool: Pool) -> int:
    """A step worth taking: about a fiftieth of the pool, to one digit."""
    total = 0 if pool.tokens is None else int(pool.tokens.sum())
    return 10 ** max(0, len(str(total // 50)) - 1) if total >= 50 else 1


def limits_control(view: QuestionView, limits: Budget) -> None:
    """The cap on passages and how scores are rescaled, behind one button."""
    with st.popover("More", key="limits", help="Cap on passages, and how scores are rescaled"):
        cap = state.prime("w-cap", limits.passages)
        st.number_input(
            "At most this many passages",
            key=cap,
            min_value=0,
            max_value=10**state.MOST_DIGITS - 1,
            step=1,
            value=None,
            placeholder="no limit",
            on_change=_limit,
            args=(cap, state.CAP),
        )
        rel = state.prime("w-rel", state.get(state.RELEVANCE))
        st.selectbox(
            "Relevance",
            ["auto", *state.RELEVANCES],
            key=rel,
            format_func=RELEVANCE_WORDS.__getitem__,
            help="How raw scores become the relevance that selectors read.",
            on_change=_put,
            args=(rel, state.RELEVANCE),
        )
        now = view.sources.relevance
        st.caption(f"Now: {text.label(RELEVANCE_WORDS.get(now, now))}.")


def _limit(key: str, target: state.Key[state.Limit]) -> None:
    value = st.session_state[key]
    state.put({target: state.Unlimited.NONE if value is None else int(value)})


def _put(key: str, target: state.Key[Any]) -> None:
    state.put({target: st.session_state[key]})


# Selectors.


def selector_chips(
    view: QuestionView, lanes: Sequence[Lane], *, full: Sequence[int], limits: Budget
) -> None:
    """One chip a selector, which opens on its parameters; then the list to add from."""
    for lane in lanes:
        with st.popover(_chip(lane), key=f"chip{lane.place}"):
            _selector_panel(view, lane, lanes, full=full, limits=limits)
    _add_menu(view, lanes, limits)


def _chip(lane: Lane) -> str:
    return f"{lane.place} {text.label(lane.label)}"


def _selector_panel(
    view: QuestionView, lane: Lane, lanes: Sequence[Lane], *, full: Sequence[int], limits: Budget
) -> None:
    specs = tuple(one.selector.spec for one in lanes)
    runnable = [name for name, why in roster(view.pool, limits) if not why]
    names = runnable if lane.selector.name in runnable else [lane.selector.name, *runnable]
    key = state.prime(f"w-s{lane.place}", lane.selector.name)
    st.selectbox(
        "Selector",
        names,
        key=key,
        format_func=lambda name: selector_class(name).title,
        on_change=_swap_kind,
        args=(key, lane.place, specs, view.pool),
    )
    st.caption(lane.selector.summary)
    for param in lane.selector.params:
        param_control(param, lane, specs, view.pool)
    st.text(_verdict(lane))
    _panel_buttons(lane, specs, full=full)
    if not lane.selector.yardstick and frame.has_room("tuning"):
        st.page_link(
            frame.path("tuning"),
            label="Tune it over the collection",
            icon=":material/tune:",
            query_params=to_tuning(view, lane.selector, limits),
        )


def to_tuning(view: QuestionView, selector: Selector, limits: Budget) -> dict[str, str | list[str]]:
    """The address of the Tuning page with one selector under this question's limits."""
    return state.address(
        {
            state.COLLECTION: view.collection.name,
            state.SELECTORS: (selector,),
            state.BUDGET: state.Unlimited.NONE if limits.tokens is None else limits.tokens,
            state.CAP: limits.passages,
            state.RELEVANCE: state.get(state.RELEVANCE),
        }
    )


def _panel_buttons(lane: Lane, specs: tuple[str, ...], *, full: Sequence[int]) -> None:
    with st.container(horizontal=True):
        if lane.place not in full:
            st.button(
                "Show in full", key=f"w-full{lane.place}", on_click=_show, args=(lane.place, full)
            )
        if lane.place > 1:
            st.button(
                "Make it the baseline",
                key=f"w-first{lane.place}",
                on_click=_front,
                args=(lane.place, specs),
            )
        if len(specs) > 1:
            st.button("Remove", key=f"w-drop{lane.place}", on_click=_drop, args=(lane.place, specs))


def _verdict(lane: Lane) -> str:
    """What the selector does now, beside its knobs: the table may be covered by the panel."""
    if lane.selection is None:
        return lane.problem
    sent = text.counted(len(lane.selection.ranks), "passage")
    return (
        f"{sent}, {text.whole(lane.selection.tokens)} tokens, {text.left(lane.selection.remaining)}"
    )


def param_control(param: Param, lane: Lane, specs: tuple[str, ...], pool: Pool) -> None:
    """The widget of one parameter, by its type, bounds, choices and source."""
    value = getattr(lane.selector, param.name)
    key = state.prime(f"w-s{lane.place}-{lane.selector.name}-{param.name}", value)
    title = param.label if len(param.label) == 1 else param.label[:1].upper() + param.label[1:]
    common: dict[str, Any] = {
        "key": key,
        "help": param.help,
        "on_change": _set,
        "args": (key, lane.place, param.name, specs),
    }
    if param.type is bool:
        st.toggle(title, **common)
    elif param.type is str:
        options = offers(param, pool)
        st.selectbox(title, options if value in options else (value, *options), **common)
    elif param.type is float and param.low is not None and param.high is not None:
        st.slider(title, float(param.low), float(param.high), step=0.01, **common)
    else:
        st.number_input(
            title,
            min_value=None if param.low is None else param.type(param.low),
            max_value=None if param.high is None else param.type(param.high),
            step=1 if param.type is int else 0.1,
            **common,
        )


def roster(pool: Pool, limits: Budget) -> list[tuple[str, str]]:
    """Every selector with why it cannot run here; those that can (an empty reason) come first."""
    found = []
    for name in list_selectors():
        selector = start(name, pool)
        why = _unnamed(name) if selector is None else refusal(selector, pool, limits)
        found.append((name, why))
    return sorted(found, key=lambda entry: (bool(entry[1]), selector_class(entry[0]).title.lower()))


def _unnamed(name: str) -> str:
    words = text.listed(
        [param.label for param in selector_class(name).params if param.default is None]
    )
    return f"needs a recorded {words}, and this question has none."


def _add_menu(view: QuestionView, lanes: Sequence[Lane], limits: Budget) -> None:
    specs = tuple(lane.selector.spec for lane in lanes)
    with (
        st.popover(
            "Add", icon=":material/add:", key="add", disabled=len(specs) >= state.MOST_SELECTORS
        ),
        st.container(gap=None, key="roster"),
    ):
        for name, why in roster(view.pool, limits):
            cls = selector_class(name)
            st.button(
                cls.title,
                key=f"w-add-{name}",
                help=None if why else cls.summary,
                disabled=bool(why),
                on_click=_add,
                args=(name, specs, view.pool),
                width="stretch",
                type="tertiary",
            )
            if why:
                st.html(f'<p class="r13 soft refusal">{text.plain(why)}</p>')


# Callbacks. Each starts from the address as it is now: two changes may arrive together. A value
# that the registry refuses, or a place that is gone, changes nothing.


def _now(specs: tuple[str, ...]) -> list[Selector]:
    asked = state.get(state.SELECTORS)
    return list(asked or state.SELECTORS.read(specs))


def _replace(place: int, other: Selector | None, selectors: list[Selector]) -> None:
    if other is not None and place <= len(selectors):
        selectors[place - 1] = other
        state.put({state.SELECTORS: tuple(selectors)})


def _set(key: str, place: int, name: str, specs: tuple[str, ...]) -> None:
    selectors = _now(specs)
    old = selectors[min(place, len(selectors)) - 1]
    with suppress(ValueError):
        changed = make_selector(old.name, **{**old.values, name: st.session_state[key]})
        _replace(place, changed, selectors)


def _swap_kind(key: str, place: int, specs: tuple[str, ...], pool: Pool) -> None:
    selectors = _now(specs)
    old = selectors[min(place, len(selectors)) - 1]
    with suppress(ValueError):
        _replace(place, start(st.session_state[key], pool, like=old), selectors)


def _add(name: str, specs: tuple[str, ...], pool: Pool) -> None:
    other = start(name, pool)
    if other is not None:
        state.put({state.SELECTORS: (*_now(specs), other)[: state.MOST_SELECTORS]})


def _drop(place: int, specs: tuple[str, ...]) -> None:
    selectors = _now(specs)
    del selectors[place - 1 : place]
    state.put({state.SELECTORS: tuple(selectors), state.FULL: (1, 2)})


def _front(place: int, specs: tuple[str, ...]) -> None:
    selectors = _now(specs)
    chosen_one = selectors[place - 1 : place]
    del selectors[place - 1 : place]
    state.put({state.SELECTORS: (*chosen_one, *selectors), state.FULL: (1, 2)})


def _show(place: int, full: Sequence[int]) -> None:
    state.put({state.FULL: (full[0], place)})


def apply_change(place: int, change: Change, specs: tuple[str, ...]) -> None:
    """Move one knob as a smallest change asks: a limit of the budget, or a selector's parameter."""
    if change.knob in ("tokens", "passages"):
        limit = state.BUDGET if change.knob == "tokens" else state.CAP
        state.put({limit: int(change.after)})
        return
    selectors = _now(specs)
    if place <= len(selectors):
        old = selectors[place - 1]
        with suppress(ValueError):
            _replace(
                place,
                make_selector(old.name, **{**old.values, change.knob: change.after}),
                selectors,
            )


def add_best(specs: tuple[str, ...]) -> None:
    """Lay the best set on judged facts beside the others, in full where there is a second lane."""
    selectors = (*_now(specs), make_selector("optimum", objective="gold"))[: state.MOST_SELECTORS]
    first = state.get(state.FULL)[0]
    shown = (first if first < len(selectors) else 1, len(selectors))
    state.put({state.SELECTORS: selectors, state.FULL: shown})
