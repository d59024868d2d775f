"""What the Tuning page is set to: selector, knob, measure and budget, and the walk that follows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.ui import cache, controls, state, text
from pages.ui.lanes import Lane
from selection.measures import Measure, all_measures
from selection.model import Budget, FloatArray, Pool
from selection.registry import Param, Selector, list_selectors, make_selector, selector_class
from selection.tuning import Knob, Walk, knobs_of, values_for, walk
from selection.tuning.knobs import value_now
from storage.tunable import MANY, Tunable, tunable
from storage.views import CollectionView

FIRST = ("marginal_gain", "mmr", "top_k")
"""What the page opens with: the first that the collection can run."""
MEASURES = ("claim_recall", "evidence_recall", "redundancy")
"""What it opens with: the first that is defined."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Everything that the address says, with defaults filled in.

    sample: the first question's pool with all that is stored of it.
    """

    collection: CollectionView
    data: Tunable
    selector: Selector
    budget: Budget
    knob: Knob
    measure: Measure
    relevance: str | None
    sample: Pool

    @property
    def now(self) -> Any:
        """Where the knob stands."""
        return value_now(self.selector, self.budget, self.knob)

    @property
    def key(self) -> tuple[object, ...]:
        """What a kept answer depends on, the knob and the measure included."""
        return (
            self.collection.name,
            cache.version(self.collection),
            self.relevance,
            self.selector.spec,
            self.budget,
            self.knob,
            self.measure.name,
        )

    @property
    def lower(self) -> bool:
        return self.measure.better == "lower"


def setting(collection: CollectionView) -> Setting | None:
    """Read the address; None for a collection without any candidate."""
    relevance = state.get(state.RELEVANCE)
    scale = None if relevance == "auto" else relevance
    first = cache.question(collection, cache.first_question(collection), relevance=scale).pool
    selector = _selector(first, controls.budget(first))
    data = tunable_of(collection, scale, selector)
    if not data.pools:
        return None
    budget = _budget(data.pools)
    every = knobs_of(selector)
    asked = state.get(state.KNOB)
    knob = next((one for one in every if one.name == asked), every[0])
    return Setting(
        collection=collection,
        data=data,
        selector=selector,
        budget=budget,
        knob=knob,
        measure=_measure(collection, data),
        relevance=scale,
        sample=first,
    )


def tunable_of(collection: CollectionView, scale: str | None, selector: Selector) -> Tunable:
    """The collection as a selector needs it; small ones are read whole, and once for all."""
    needs = frozenset(selector.needs) if collection.questions > MANY else frozenset()
    return _tunable(collection.name, scale, needs, cache.version(collection))


@st.cache_resource(max_entries=4, show_spinner="Reading every question")
def _tunable(name: str, relevance: str | None, needs: frozenset[str], stamp: str) -> Tunable:
    return tunable(cache.engine(), name, relevance=relevance, needs=needs)


def _budget(pools: Sequence[Pool]) -> Budget:
    """What the address asks for; else half of a typical pool, to one digit."""
    by_cost = sorted(pools, key=lambda pool: 0 if pool.tokens is None else int(pool.tokens.sum()))
    return controls.budget(by_cost[len(by_cost) // 2])


def _selector(pool: Pool, budget: Budget) -> Selector:
    asked = state.get(state.SELECTORS)
    if asked:
        return asked[0]
    able = (controls.start(name, pool) for name in FIRST)
    found = (one for one in able if one is not None and not controls.refusal(one, pool, budget))
    return next(found, make_selector("top_k", k=controls.DEFAULT_K))


def _measure(collection: CollectionView, data: Tunable) -> Measure:
    known = {one.name: one for one in all_measures()}
    asked = state.get(state.MEASURE)
    if asked in known:
        return known[asked]
    defined = (data.judged, collection.with_evidence > 0, True)
    return known[next(name for name, yes in zip(MEASURES, defined, strict=True) if yes)]


# The walk, kept: every part of the page reads the same one.


@st.cache_resource(max_entries=16, show_spinner=False)
def _walk(
    name: str,
    relevance: str | None,
    stamp: str,
    spec: str,
    tokens: int | None,
    passages: int | None,
    knob: Knob,
    _selector: Selector,
    _pools: tuple[Pool, ...],
) -> Walk:
    budget = Budget(tokens, passages)
    bar = st.empty()

    def progress(done: int, total: int) -> None:
        bar.progress(done / total, f"{done:,} of {text.counted(total, 'question')}")

    values = values_for(_selector, budget, knob, _pools)
    found = walk(_pools, _selector, budget, knob, values, progress=progress)
    bar.empty()
    return found


def walked(now: Setting, knob: Knob | None = None) -> Walk:
    """Every question at every value of the knob; run once, then kept."""
    return _walk(
        now.collection.name,
        now.relevance,
        cache.version(now.collection),
        now.selector.spec,
        now.budget.tokens,
        now.budget.passages,
        knob or now.knob,
        now.selector,
        now.data.pools,
    )


@st.cache_resource(max_entries=32, show_spinner="Measuring")
def _scores(_walk: Walk, key: tuple[object, ...], measure: str) -> FloatArray:
    return _walk.measured(next(one for one in all_measures() if one.name == measure))


def scores(now: Setting, found: Walk) -> FloatArray:
    """The measure of every question at every value, shape (questions, values)."""
    return _scores(found, now.key, now.measure.name)


# Controls.


def selector_controls(now: Setting) -> None:
    """Selector and its parameters, budget, knob and measure."""
    pool = now.sample
    runnable = [name for name, why in controls.roster(pool, now.budget) if not why]
    names = [name for name in runnable if knobs_of_class(name)]
    if now.selector.name not in names:
        names = [now.selector.name, *names]
    key = state.prime("w-tune-selector", now.selector.name)
    st.selectbox(
        "Selector",
        names,
        key=key,
        format_func=lambda name: selector_class(name).title,
        on_change=_swap,
        args=(key, pool, now.selector),
        width=200,
    )
    if now.selector.params:
        with st.popover("Its parameters", key="tune-params"):
            st.caption(now.selector.summary)
            for param in now.selector.params:
                _param(param, now, pool)
    _knob_control("Knob", state.KNOB, list(knobs_of(now.selector)), now.knob)
    _measure_control(now)
    controls.budget_control(pool, now.budget)


def knobs_of_class(name: str) -> bool:
    """Whether a selector has anything to turn; the token budget counts only beside own knobs."""
    return name in list_selectors() and not selector_class(name).yardstick


def _knob_control(title: str, key_of: state.Key[str | None], every: list[Knob], now: Knob) -> None:
    titles = {one.name: one.title for one in every}
    key = state.prime(f"w-tune-{key_of.name}", now.name)
    st.selectbox(
        title,
        list(titles),
        key=key,
        format_func=lambda name: text.label(titles.get(name, name)),
        on_change=_put,
        args=(key, key_of),
        width=180,
    )


def second_knob(now: Setting) -> Knob | None:
    """The other axis of the map: chosen, else the token budget, else the next knob there is."""
    others = [one for one in knobs_of(now.selector) if one != now.knob]
    asked = state.get(state.OTHER_KNOB)
    chosen = next((one for one in others if one.name == asked), None)
    if chosen is None:
        usable = [one for one in others if one.name == "tokens"] or others
        chosen = next(iter(usable), None)
    if chosen is not None:
        _knob_control("Second knob", state.OTHER_KNOB, others, chosen)
    return chosen


def _measure_control(now: Setting) -> None:
    every = {one.name: one for one in all_measures() if not one.costly}
    every.setdefault(now.measure.name, now.measure)
    key = state.prime("w-tune-measure", now.measure.name)
    st.selectbox(
        "Measure",
        list(every),
        key=key,
        format_func=lambda name: every[name].title,
        help=now.measure.help,
        on_change=_put,
        args=(key, state.MEASURE),
        width=200,
    )


def value_control(now: Setting, found: Walk, title: str, *, default: Any) -> int:
    """One of the tried values, kept in the address; returns its place."""
    words = [shown(value) for value in found.values]
    asked = state.get(state.TRY)
    at = words.index(asked) if asked in words else found.at(default)
    key = state.prime("w-tune-try", words[at])
    st.selectbox(
        title, list(dict.fromkeys(words)), key=key, on_change=_put, args=(key, state.TRY), width=180
    )
    return at


def shown(value: Any) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "no limit"
    return (
        f"{value:,}"
        if isinstance(value, int)
        else f"{value:.4g}"
        if isinstance(value, float)
        else value
    )


def _param(param: Param, now: Setting, pool: Pool) -> None:
    lane = Lane(place=1, selector=now.selector, selection=None)
    controls.param_control(param, lane, (now.selector.spec,), pool)


def _put(key: str, target: state.Key[Any]) -> None:
    dropped = {state.DROP_STEP: None, state.TRY: None} if target is not state.TRY else {}
    state.put({target: st.session_state[key], **dropped})


def _swap(key: str, pool: Pool, old: Selector) -> None:
    with suppress(ValueError):
        other = controls.start(st.session_state[key], pool, like=old)
        if other is not None:
            state.put(
                {
                    state.SELECTORS: (other,),
                    state.KNOB: None,
                    state.OTHER_KNOB: None,
                    state.DROP_STEP: None,
                    state.TRY: None,
                }
            )
