"""Saving a comparison from the Question page: what is asked for, how it ends, what is said."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pages.ui import cache, saving
from pages.ui.lanes import run_lane
from selection.model import Budget
from selection.registry import parse_selector
from tests.pages import factories
from tests.pages.conftest import Opened


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What was handed to the database."""
    calls: list[dict[str, Any]] = []

    def save(collection: Any, selectors: Any, limits: Budget, **rest: Any) -> None:
        rest["progress"](1, 1)
        calls.append({"specs": [one.spec for one in selectors], "limits": limits, **rest})

    monkeypatch.setattr(cache, "save", save)
    return calls


def test_what_is_on_screen_is_saved_under_the_name(
    question_page: Opened, saved: list[dict[str, Any]]
) -> None:
    page = question_page(factories.worked_example(), budget="1600")
    page.text_input[0].set_value("before the change")
    page.button(key="FormSubmitter:w-save-Save").click().run()
    assert not page.exception
    (call,) = saved
    assert call["specs"] == ["top_k(k=20, overflow='overspend')", "marginal_gain(min_new_claims=1)"]
    assert call["limits"] == Budget(1600)
    assert call["name"] == "before the change"
    assert call["replace"] is False
    assert "Saved as before the change." in [block.value for block in page.text]


def test_a_name_that_is_taken_is_said_in_words(
    question_page: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise ValueError("There is a comparison 'x' already. Nothing was stored.")

    monkeypatch.setattr(cache, "save", refuse)
    page = question_page(factories.worked_example())
    page.button(key="FormSubmitter:w-save-Save").click().run()
    assert not page.exception
    assert "There is a comparison 'x' already. Nothing was stored." in [b.value for b in page.text]


def test_the_form_says_what_would_run() -> None:
    view = factories.worked_example(collection=factories.collection(questions=240))
    lanes = [run_lane(view.pool, Budget(), parse_selector("top_k"), place=1)]
    said = saving.what(view, lanes, Budget(4000, 5))
    assert (
        said
        == "Runs 1 selector on 240 questions of this collection, under 4,000 tokens and 5 passages."
    )


def test_without_a_budget_that_is_said() -> None:
    assert saving.limit_words(Budget()) == "without a budget"


def test_a_taken_name_is_refused_before_anything_runs(
    question_page: Opened, saved: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "comparisons", lambda *_: (SimpleNamespace(name="x"),))
    page = question_page(factories.worked_example())
    page.text_input[0].set_value(" x ")
    page.button(key="FormSubmitter:w-save-Save").click().run()
    assert not saved
    assert any("already; choose another name or tick Replace" in b.value for b in page.text)
