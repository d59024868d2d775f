"""The keys of the address, and the only way to read and write them.

The address is the truth: a run reads it, primes its widgets from it, and a widget that changes
writes it back. So a copied link, back and forward all show the same screen. What cannot be read
falls back to the default, whatever was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

import streamlit as st

from selection.registry import Selector, parse_selector

T = TypeVar("T")

MOST_SELECTORS = 6
MOST_DIGITS = 9
LONGEST = 500
_AMOUNT = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?")
_THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+")


class Unlimited(Enum):
    """A limit that was taken away on purpose; a limit that is not in the address is None."""

    NONE = "none"


Limit = int | Unlimited | None


@dataclass(frozen=True, slots=True)
class Key(Generic[T]):
    """One key of the address. read: texts of the address -> value; write: the way back.

    `read` may raise ValueError; the key then has its default. `write` of the default is empty.
    """

    name: str
    default: T
    read: Callable[[Sequence[str]], T]
    write: Callable[[T], Sequence[str]]


def _text(texts: Sequence[str]) -> str | None:
    return texts[-1][:LONGEST] or None


def _limit(texts: Sequence[str]) -> Limit:
    text = texts[-1].strip()
    if text == Unlimited.NONE.value:
        return Unlimited.NONE
    return _number(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > MOST_DIGITS:
        raise ValueError(f"{text!r} is no number of 0 or more.")
    return int(text)


def _written_limit(value: Limit) -> Sequence[str]:
    return () if value is None else (value.value if isinstance(value, Unlimited) else str(value),)


def _selectors(texts: Sequence[str]) -> tuple[Selector, ...]:
    """What can be read of the selectors; a spec that cannot be read is passed over."""
    found: list[Selector] = []
    for text in texts[:MOST_SELECTORS]:
        try:
            found.append(parse_selector(text[:LONGEST]))
        except ValueError:
            continue
    return tuple(found)


def _pair(texts: Sequence[str]) -> tuple[int, int]:
    first, second = (_number(text) for text in texts[-1].split(","))
    if first == second or min(first, second) < 1:
        raise ValueError("Two different places are needed.")
    return first, second


def text_key(name: str) -> Key[str | None]:
    """A key that holds any text, or nothing."""
    return Key(name, None, _text, lambda value: () if value is None else (value,))


def choice_key(name: str, choices: Sequence[str], default: str) -> Key[str]:
    """A key that holds one of some words."""

    def read(texts: Sequence[str]) -> str:
        if texts[-1] not in choices:
            raise ValueError(f"{texts[-1]!r} is none of {choices}.")
        return texts[-1]

    return Key(name, default, read, lambda value: () if value == default else (value,))


def number_key(name: str, default: int) -> Key[int]:
    """A key that holds a whole number of 0 or more."""
    return Key(
        name,
        default,
        lambda texts: _number(texts[-1]),
        lambda value: () if value == default else (str(value),),
    )


def amount_key(name: str, default: float) -> Key[float]:
    """A key that holds an amount of 0 or more, with up to six decimals."""

    def read(texts: Sequence[str]) -> float:
        if not _AMOUNT.fullmatch(texts[-1]):
            raise ValueError(f"{texts[-1]!r} is no amount of 0 or more.")
        return float(texts[-1])

    def write(value: float) -> Sequence[str]:
        return () if value == default else (f"{value:.6f}".rstrip("0").rstrip("."),)

    return Key(name, default, read, write)


VIEWS = ("ledger", "matrix", "chart", "texts", "step")
RELEVANCES = ("given", "minmax", "rank")

COLLECTION = text_key("c")
QUESTION = text_key("q")
SELECTORS: Key[tuple[Selector, ...]] = Key("s", (), _selectors, lambda all: [s.spec for s in all])
FULL: Key[tuple[int, int]] = Key(
    "full", (1, 2), _pair, lambda pair: () if pair == (1, 2) else (f"{pair[0]},{pair[1]}",)
)
BUDGET: Key[Limit] = Key("budget", None, _limit, _written_limit)
CAP: Key[Limit] = Key("cap", None, _limit, _written_limit)
RELEVANCE = choice_key("rel", ("auto", *RELEVANCES), "auto")
VIEW = choice_key("view", VIEWS, "ledger")
STEP = number_key("step", 0)
WALKED = number_key("walk", 0)
"""Which selector the step-through walks, 1-based in the order chosen; 0 is the second, if any."""


def get(key: Key[T]) -> T:
    """What the address says of a key, or its default."""
    texts = st.query_params.get_all(key.name)
    if not texts:
        return key.default
    try:
        return key.read(texts)
    except ValueError:
        return key.default


def put(changes: Mapping[Key[Any], Any]) -> None:
    """Write some keys at once, as one entry of the browser's history. For callbacks only."""
    st.query_params.from_dict(link(changes))


def link(changes: Mapping[Key[Any], Any]) -> dict[str, str | list[str]]:
    """The whole address with some keys changed: for links to the same page."""
    now: dict[str, list[str]] = {name: st.query_params.get_all(name) for name in st.query_params}
    for key, value in changes.items():
        now[key.name] = list(key.write(value))
    return {name: texts[0] if len(texts) == 1 else texts for name, texts in now.items() if texts}


def address(values: Mapping[Key[Any], Any]) -> dict[str, str | list[str]]:
    """An address that says only these keys: for links to another page."""
    written = {key.name: list(key.write(value)) for key, value in values.items()}
    return {
        name: texts[0] if len(texts) == 1 else texts for name, texts in written.items() if texts
    }


def prime(widget: str, value: object) -> str:
    """Set a widget to what the address says, before it is drawn; returns the widget's key."""
    if st.session_state.get(widget) != value or widget not in st.session_state:
        st.session_state[widget] = value
    return widget


SEARCH = text_key("find")
OUTCOME = choice_key("outcome", ("", "worse", "better", "right", "wrong"), "")
SORT = choice_key(
    "sort",
    (
        "position",
        "question",
        "candidates",
        "tokens",
        "redundancy",
        "facts",
        "evidence",
        "outcome",
    ),
    "position",
)
WHERE = text_key("where")
"""One value of the questions' metadata, as name=value."""
DOWN = choice_key("down", ("", "1"), "")
PAGE = number_key("page", 1)
COMPARISON = text_key("name")
MEASURE = text_key("measure")
RANK = number_key("rank", 0)
"""How far a story is walked, in ranks; 0 is to the end."""
SELECTED = text_key("selector")
WHICH = choice_key("show", ("changed", "worse", "better", "all"), "changed")
"""Which pairs of questions are listed."""
SAME = choice_key("same", ("", "1"), "")
"""Pair only questions whose data did not change in between."""
RUNS: Key[tuple[str, ...]] = Key("run", (), lambda texts: tuple(t for t in texts[:6] if t), list)
"""Saved runs side by side, the baseline first, each as NAME:selector."""
BEFORE = text_key("before")
AFTER = text_key("after")
"""The two arms that Regressions compares; without them the first and the last."""
PART = choice_key("part", ("questions", "causes", "change", "rule"), "questions")
DIAGNOSIS = text_key("diagnosis")
VERDICT = text_key("verdict")
GROUP = text_key("group")
CASE = text_key("case")
"""The question under review, by its id."""
THOROUGH = choice_key("thorough", ("", "1"), "")
FIGURE = text_key("figure")
"""The figure of a brief whose questions are shown."""
VOLUME = number_key("volume", 100_000)
"""Questions a month."""
PRICE = amount_key("price", 3.0)
"""What a million tokens cost."""
KNOB = text_key("knob")
OTHER_KNOB = text_key("second")
TUNE = choice_key("look", ("drops", "sure", "plane", "judge", "advice", "use"), "drops")
DROP_STEP = text_key("step-of")
"""One step of a knob, as before>after."""
TRY = text_key("try")
"""The value that a setting is compared with, and that is handed over as code."""
