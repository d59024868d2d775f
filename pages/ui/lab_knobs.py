"""The knobs of the experiments, in the address like everything that is set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pages.ui import state
from selection.theory.finance import SEED
from selection.theory.reading import Knobs


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """One knob: its key, its name, its bounds and step, and what its ends mean."""

    key: state.Key[float]
    title: str
    low: float
    high: float
    step: float
    help: str


def decimal_key(name: str, default: float, *, low: float, high: float) -> state.Key[float]:
    """A key that holds a number between two bounds, both included."""

    def read(texts: Sequence[str]) -> float:
        value = float(texts[-1][:20])
        if not math.isfinite(value) or not low <= value <= high:
            raise ValueError(f"{texts[-1]!r} is no number from {low:g} to {high:g}.")
        return value

    return state.Key(name, default, read, lambda value: () if value == default else (f"{value:g}",))


def _dial(
    name: str, title: str, default: float, *, low: float, high: float, step: float, help: str
) -> Dial:
    key = decimal_key(name, default, low=low, high=high)
    return Dial(key=key, title=title, low=low, high=high, step=step, help=help)


PUBLISHED = Knobs()
TAU = _dial(
    "tau",
    "Temperature",
    PUBLISHED.tau,
    low=0.02,
    high=1.0,
    step=0.01,
    help="Of the read-out: near 0 the likeliest answer takes all, large levels the answers.",
)
LAMBDA = _dial(
    "lambda",
    "Lambda of MMR",
    PUBLISHED.lambda_,
    low=0.0,
    high=1.0,
    step=0.05,
    help="1 is relevance only, 0 is difference only after the first pick.",
)
QUALITY = _dial(
    "quality",
    "Quality scale",
    PUBLISHED.quality,
    low=0.0,
    high=4.0,
    step=0.05,
    help="Of the determinant: 0 is difference only, large lets relevance decide.",
)
SEED_OF_WORLD = state.number_key("seed", SEED)
"""The seed that the made-up world is drawn from."""


def draw(dial: Dial, *, width: int = 210) -> float:
    """One knob as a slider; returns what the address says."""
    key = state.prime(f"w-{dial.key.name}", state.get(dial.key))
    st.slider(
        dial.title,
        dial.low,
        dial.high,
        step=dial.step,
        key=key,
        help=dial.help,
        on_change=_put,
        args=(key, dial.key),
        width=width,
    )
    return state.get(dial.key)


def seed() -> int:
    """The seed of the world that is shown."""
    key = state.prime("w-seed", state.get(SEED_OF_WORLD))
    st.number_input(
        "Seed of the world",
        min_value=0,
        max_value=10**6,
        step=1,
        key=key,
        help=f"The published figures are those of seed {SEED}.",
        on_change=_put,
        args=(key, SEED_OF_WORLD),
        width=150,
    )
    return min(state.get(SEED_OF_WORLD), 10**6)


def all_knobs() -> Knobs:
    """Every knob in one line."""
    return Knobs(tau=draw(TAU), lambda_=draw(LAMBDA), quality=draw(QUALITY))


def back(*keys: state.Key[object]) -> None:
    """All knobs back to the published values, where one is turned."""
    turned = [key for key in keys if state.get(key) != key.default]
    st.button(
        "As published",
        on_click=state.put,
        args=({key: key.default for key in keys},),
        disabled=not turned,
        type="tertiary",
        icon=":material/undo:",
    )


def _put(key: str, target: state.Key[object]) -> None:
    value = st.session_state[key]
    state.put({target: target.default if value is None else value})
