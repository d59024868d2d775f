"""Controls follow from what a selector declares; defaults follow from the question."""

from __future__ import annotations

import pytest

from pages.ui import controls
from selection.model import Budget, Passage, Pool
from selection.registry import Param, list_selectors, make_selector, selector_class
from tests.pages import factories
from tests.pages.conftest import Opened


def pool_of(*tokens: int | None) -> Pool:
    return Pool([Passage(id=str(at), tokens=cost) for at, cost in enumerate(tokens)])


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [([8235], 4000), ([1687], 800), ([209], 100), ([21], 10), ([2], 1), ([1], None), ([], None)],
)
def test_the_default_budget_is_half_of_the_pool_to_one_digit(
    tokens: list[int], expected: int | None
) -> None:
    assert controls.default_tokens(pool_of(*tokens)) == expected


def test_without_token_counts_there_is_no_default_budget() -> None:
    assert controls.default_tokens(pool_of(10, None)) is None


@pytest.mark.parametrize("name", list_selectors())
def test_every_parameter_of_every_selector_has_a_control(question_page: Opened, name: str) -> None:
    view = factories.worked_example()
    selector = controls.start(name, view.pool)
    assert selector is not None
    page = question_page(view, s=[selector.spec])
    assert not page.exception
    for param in selector_class(name).params:
        widget = page.get_by_key(f"w-s1-{name}-{param.name}")
        assert widget.value == getattr(selector, param.name)
        assert kind(param) == widget.type


def kind(param: Param) -> str:
    """Which widget a declaration asks for."""
    if param.type is bool:
        return "toggle"
    if param.type is str:
        return "selectbox"
    return "slider" if param.type is float and param.high is not None else "number_input"


def test_a_switch_can_be_thrown(question_page: Opened) -> None:
    page = question_page(factories.worked_example(), s=["mmr"])
    page.toggle(key="w-s1-mmr-clip").set_value(True).run()
    assert not page.exception
    assert page.query_params["s"] == "mmr(lambda_=0.5, clip=True)"


def test_a_choice_can_be_made(question_page: Opened) -> None:
    page = question_page(factories.worked_example(), s=["top_k(k=20)"])
    page.selectbox(key="w-s1-top_k-overflow").set_value("skip").run()
    assert page.query_params["s"] == "top_k(k=20, overflow='skip')"


def test_another_kind_takes_over_what_both_declare_alike() -> None:
    old = make_selector("top_k", k=3, overflow="stop")
    new = controls.start("rerank", factories.worked_example().pool, like=old)
    assert new == make_selector("rerank", k=3, overflow="stop")


def test_what_needs_a_recorded_arm_starts_with_the_first_one() -> None:
    assert controls.start("as_sent", factories.worked_example().pool) == make_selector(
        "as_sent", arm="k=8"
    )
    assert controls.start("as_sent", factories.texts_only().pool) is None


def test_a_selector_that_cannot_run_says_why_without_running() -> None:
    pool = factories.worked_example().pool
    assert controls.refusal(make_selector("rerank"), pool, Budget()).startswith("rerank needs")
    assert controls.refusal(make_selector("top_k"), pool, Budget()) == ""
