"""Saved runs: one selector of one comparison each, picked for standing side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.ui import state, text
from pages.ui.comparing import words
from storage.contrast import MOST, Run
from storage.views import ComparisonView

FEWEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run with the comparison it belongs to. label: how it is told from the others here."""

    of: ComparisonView
    selector: str
    label: str

    @property
    def run(self) -> Run:
        return Run(comparison=self.of.name, selector=self.selector)

    @property
    def key(self) -> str:
        """How the address names it."""
        return key(self.of, self.selector)

    @property
    def stamp(self) -> str:
        """What changes when another comparison is saved under the same name."""
        return self.of.saved_at.isoformat()


def key(one: ComparisonView, selector: str) -> str:
    return f"{one.name}:{selector}"


def of_comparison(one: ComparisonView) -> tuple[RunView, ...]:
    """The runs of one comparison, its baseline first."""
    return tuple(RunView(of=one, selector=spec, label=words(spec)) for spec in one.selectors[:MOST])


def asked(saved: Sequence[ComparisonView]) -> tuple[RunView, ...]:
    """The runs that the address names, as far as they are stored."""
    known = {key(one, spec): (one, spec) for one in saved for spec in one.selectors}
    found = [known[name] for name in dict.fromkeys(state.get(state.RUNS)) if name in known]
    return tuple(
        RunView(of=one, selector=spec, label=f"{one.name}: {words(spec)}") for one, spec in found
    )


def picker(saved: Sequence[ComparisonView], now: Sequence[RunView]) -> None:
    """Choose the runs that stand side by side; nothing where there is only one to choose."""
    labels = {key(one, s): f"{one.name}: {words(s)}" for one in saved for s in one.selectors}
    if len(labels) < FEWEST:
        return
    widget = state.prime("w-runs", [one.key for one in now])
    st.multiselect(
        "Runs side by side",
        list(labels),
        format_func=lambda one: text.clean(labels[one]),
        key=widget,
        max_selections=MOST,
        placeholder="Choose two to six saved runs; the first is the baseline",
        on_change=_pick,
        args=(widget,),
    )


def to_brief(one: ComparisonView) -> dict[str, Any]:
    """The address of the brief from the baseline to the selector that is looked at."""
    wanted = state.get(state.SELECTED)
    others = one.selectors[1:]
    return state.address(
        {
            state.COLLECTION: one.collection,
            state.COMPARISON: one.name,
            state.SELECTED: next((s for s in others if wanted in (s, key(one, s))), others[0]),
        }
    )


def _pick(widget: str) -> None:
    show(st.session_state[widget])


def show(keys: Sequence[str]) -> None:
    """Put runs side by side, from their first page. For callbacks only."""
    state.put(
        {state.RUNS: tuple(keys), state.COMPARISON: None, state.SELECTED: None, state.PAGE: 1}
    )


def baseline_control(now: Sequence[RunView]) -> None:
    """Which run the others are held against."""
    widget = state.prime("w-baseline", now[0].key)
    labels = {one.key: one.label for one in now}
    st.selectbox(
        "Baseline",
        list(labels),
        format_func=lambda one: text.clean(labels[one]),
        key=widget,
        on_change=_rebase,
        args=(widget, tuple(labels)),
    )


def _rebase(widget: str, keys: Sequence[str]) -> None:
    first = st.session_state[widget]
    show([first, *(one for one in keys if one != first)])


def differences(now: Sequence[RunView]) -> list[str]:
    """What else differs between runs than their selectors, in sentences."""
    said = []
    collections = list(dict.fromkeys(one.of.collection for one in now))
    if len(collections) > 1:
        said.append(
            f"They are of different collections ({text.listed(collections)}); questions are paired "
            "by their ids."
        )
    budgets = list(dict.fromkeys(_budget(one.of) for one in now))
    if len(budgets) > 1:
        said.append(f"They ran under different budgets: {text.listed(budgets)}.")
    if len({one.of.code_version for one in now}) > 1:
        said.append("They were made by different versions of this program.")
    return said


def _budget(one: ComparisonView) -> str:
    parts = []
    if one.budget_tokens is not None:
        parts.append(f"{one.budget_tokens:,} tokens")
    if one.budget_passages is not None:
        parts.append(text.counted(one.budget_passages, "passage"))
    return " and ".join(parts) or "no limit"
