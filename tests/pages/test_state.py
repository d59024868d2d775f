"""The address is the truth: what it says is read, odd values fall back, what is set is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui import state
from selection.registry import make_selector

KEYS: tuple[state.Key[Any], ...] = (
    state.COLLECTION,
    state.QUESTION,
    state.SELECTORS,
    state.FULL,
    state.BUDGET,
    state.CAP,
    state.RELEVANCE,
    state.VIEW,
    state.STEP,
    state.WALKED,
)
ODD = (
    "",
    "banana",
    "-1",
    "1e9",
    "٣",
    "9" * 40,
    "None",
    "'",
    "mmr(",
    "__import__('os')",
    "0,0",
    "1,1,1",
    "\ud800",
)


class Address:
    """What a run sees of the browser's address."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def get_all(self, name: str) -> Sequence[str]:
        return self.texts.get(name, [])

    def from_dict(self, values: Mapping[str, str | list[str]]) -> None:
        self.texts = {name: [v] if isinstance(v, str) else list(v) for name, v in values.items()}


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Address:
    made = Address()
    monkeypatch.setattr(state.st, "query_params", made)
    return made


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_a_key_that_is_not_in_the_address_has_its_default(
    key: state.Key[Any], address: Address
) -> None:
    assert state.get(key) == key.default


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
@pytest.mark.parametrize("odd", ODD)
def test_odd_values_never_raise(key: state.Key[Any], odd: str, address: Address) -> None:
    address.texts = {key.name: [odd]}
    value = state.get(key)
    assert value == key.default or key in (state.COLLECTION, state.QUESTION)


@given(st.lists(st.text(max_size=30), min_size=1, max_size=9))
def test_no_address_at_all_makes_a_key_raise_anything_but_a_value_error(texts: list[str]) -> None:
    for key in KEYS:
        try:
            key.read(texts)
        except ValueError:
            continue


def test_a_number_beyond_what_a_widget_holds_is_refused(address: Address) -> None:
    address.texts = {"budget": ["9" * 10], "step": ["9" * 10]}
    assert state.get(state.BUDGET) is None
    assert state.get(state.STEP) == 0


def test_a_budget_with_its_thousands_separated_is_understood(address: Address) -> None:
    address.texts = {"budget": ["4,000"]}
    assert state.get(state.BUDGET) == 4000


def test_a_budget_taken_away_is_another_thing_than_none_said(address: Address) -> None:
    state.put({state.BUDGET: state.Unlimited.NONE})
    assert address.texts == {"budget": ["none"]}
    assert state.get(state.BUDGET) is state.Unlimited.NONE


def test_selectors_come_back_with_their_parameters(address: Address) -> None:
    chosen = (make_selector("mmr", lambda_=0.7), make_selector("top_k", k=3, overflow="skip"))
    state.put({state.SELECTORS: chosen})
    assert state.get(state.SELECTORS) == chosen


def test_a_selector_that_cannot_be_read_is_passed_over_and_the_others_stay(
    address: Address,
) -> None:
    address.texts = {"s": ["top_k(k=3)", "nope", "top_k(k=-3)", "mmr"]}
    assert [one.name for one in state.get(state.SELECTORS)] == ["top_k", "mmr"]


def test_more_selectors_than_fit_on_screen_are_cut(address: Address) -> None:
    address.texts = {"s": ["top_k"] * 50}
    assert len(state.get(state.SELECTORS)) == state.MOST_SELECTORS


def test_a_default_leaves_the_address(address: Address) -> None:
    state.put({state.VIEW: "matrix", state.STEP: 4})
    assert address.texts == {"view": ["matrix"], "step": ["4"]}
    state.put({state.VIEW: "ledger", state.STEP: 0})
    assert address.texts == {}


def test_what_another_key_says_stays_when_one_is_written(address: Address) -> None:
    address.texts = {"c": ["A"], "s": ["top_k", "mmr"]}
    state.put({state.QUESTION: "q2"})
    assert address.texts == {"c": ["A"], "s": ["top_k", "mmr"], "q": ["q2"]}


def test_a_link_to_another_page_says_only_what_it_is_given(address: Address) -> None:
    address.texts = {"view": ["matrix"]}
    assert state.address({state.COLLECTION: "A", state.QUESTION: None}) == {"c": "A"}
