"""Which change a brief is about: two arms, a saved comparison, or two selectors run now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import streamlit as st

from pages.ui import brief_words, cache, controls, regressing, state, text
from selection.model import Budget
from selection.registry import make_selector, parse_selector
from storage.brief import Brief
from storage.brief_sources import brief_of_arms, brief_of_comparison, brief_of_selectors
from storage.views import CollectionView

MOST_AT_ONCE = 1_000
"""Questions up to which two selectors are run for the page; more wait for a saved comparison."""
MOST_ARMS = 5
OF_A_CHANGE = (state.BEFORE, state.AFTER, state.COMPARISON, state.SELECTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change that can be looked at. address: what the address says of it."""

    words: str
    address: Mapping[state.Key[Any], Any]
    make: Callable[[], Brief]


def changes(collection: CollectionView) -> list[Change]:
    """Every change that the collection can show: what happened first, then what was compared."""
    found = [*_of_arms(collection), *_of_comparisons(collection)]
    if collection.questions <= MOST_AT_ONCE:
        found += _of_selectors(collection)
    return found


def chosen(found: Sequence[Change]) -> Change | None:
    """The first change that is what the address says of it, as far as it says; else the first."""
    asked = {key: state.get(key) for key in OF_A_CHANGE if state.get(key) is not None}
    meant = (one for one in found if all(one.address.get(k) == v for k, v in asked.items()))
    return next(meant, next(iter(found), None))


def _full(one: Change) -> dict[state.Key[Any], Any]:
    return {**dict.fromkeys(OF_A_CHANGE), **one.address}


def control(found: Sequence[Change], now: Change) -> None:
    """Which change is shown."""
    words = [one.words for one in found]
    key = state.prime("w-change", now.words)
    st.selectbox(
        "Change",
        words,
        key=key,
        format_func=text.clean,
        on_change=_open,
        args=(key, {one.words: _full(one) for one in found}),
        width=430,
    )


def _open(key: str, addresses: Mapping[str, Mapping[state.Key[Any], Any]]) -> None:
    state.put({**addresses[st.session_state[key]], state.FIGURE: None, state.PAGE: 1})


def _of_arms(collection: CollectionView) -> Iterator[Change]:
    if not collection.with_outcomes:
        return
    names = regressing.arms(collection)[:MOST_ARMS]
    stamp = cache.version(collection)
    for first, last in sorted(combinations(names, 2), key=lambda two: two != (names[0], names[-1])):
        yield Change(
            words=f"{first} to {last}, as answered",
            address={state.BEFORE: first, state.AFTER: last},
            make=partial(_arms, collection.name, first, last, stamp),
        )


def _of_comparisons(collection: CollectionView) -> Iterator[Change]:
    stamp = cache.version(collection)
    for one in cache.comparisons(collection.name):
        for spec in one.selectors[1:]:
            yield Change(
                words=f"{one.name}: {_to(one.selectors[0], spec)}",
                address={state.COMPARISON: one.name, state.SELECTED: spec},
                make=partial(_saved, one.name, spec, f"{stamp}/{one.saved_at.isoformat()}"),
            )


def _of_selectors(collection: CollectionView) -> Iterator[Change]:
    """What was sent last, or the first 20, against the loop that skips what says nothing new."""
    first, cap = make_selector("top_k", k=controls.DEFAULT_K).spec, controls.DEFAULT_K
    arms = regressing.arms(collection) if collection.with_sent == collection.questions else ()
    if arms:
        first, cap = make_selector("as_sent", arm=arms[-1]).spec, None
    last = make_selector("marginal_gain").spec
    yield Change(
        words=f"{_to(first, last)}, worked out now",
        address={state.SELECTED: last},
        make=partial(_now, collection.name, first, last, cap, cache.version(collection)),
    )


def _to(first: str, last: str) -> str:
    return f"{brief_words.setting(first)} to {brief_words.setting(last)}"


@st.cache_resource(max_entries=16, show_spinner="Comparing the two prompts of every question")
def _arms(name: str, first: str, last: str, stamp: str) -> Brief:
    return brief_of_arms(cache.engine(), name, before=first, after=last)


@st.cache_resource(max_entries=16, show_spinner="Reading the comparison")
def _saved(name: str, selector: str, stamp: str) -> Brief:
    return brief_of_comparison(cache.engine(), name, selector=selector)


@st.cache_resource(max_entries=16, show_spinner="Running both settings on every question")
def _now(name: str, first: str, last: str, cap: int | None, stamp: str) -> Brief:
    return brief_of_selectors(
        cache.engine(),
        name,
        before=parse_selector(first),
        after=parse_selector(last),
        budget=Budget(passages=cap),
    )
