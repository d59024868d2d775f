"""The Question page, opened, read and worked as a person does."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages import factories, reading
from tests.pages.conftest import Opened


def html(page: AppTest, part: str) -> str:
    return next(block.value for block in page.html if part in block.value)


def heads(page: AppTest) -> list[list[str]]:
    return reading.rows(html(page, "headline"))[1:]


def test_the_worked_example_opens_with_its_figures(question_page: Opened) -> None:
    page = question_page(factories.worked_example())
    assert not page.exception
    top, gain = heads(page)
    assert top[:3] == ["1 top-k, k 20 baseline", "20", "8,235"]
    assert gain[:3] == ["2 marginal gain, min new claims 1", "5−15", "2,090−6,145"]
    assert "ledger" in html(page, 'table class="r13 ledger')


def test_the_default_budget_of_the_worked_example_is_4000_tokens(question_page: Opened) -> None:
    assert question_page(factories.worked_example()).number_input(key="w-budget").value == 4000


def test_everything_set_is_read_from_the_address(question_page: Opened) -> None:
    page = question_page(
        factories.worked_example(),
        s=["top_k(k=8)", "marginal_gain(min_new_claims=2)"],
        budget="1600",
    )
    assert [row[1] for row in heads(page)] == ["8", "1−7"]
    assert page.number_input(key="w-budget").value == 1600


def test_a_changed_parameter_is_drawn_and_stands_in_the_address(question_page: Opened) -> None:
    page = question_page(factories.worked_example())
    page.number_input(key="w-s1-top_k-k").set_value(8).run()
    assert not page.exception
    assert heads(page)[0][1] == "8"
    assert page.query_params["s"][0] == "top_k(k=8, overflow='overspend')"


def test_a_cleared_budget_is_no_budget_and_stays_cleared(question_page: Opened) -> None:
    page = question_page(factories.worked_example())
    page.number_input(key="w-budget").set_value(None).run()
    assert page.query_params["budget"] == "none"
    assert heads(page)[0][3] == "no budget"
    assert page.number_input(key="w-budget").value is None


def test_a_cap_on_passages_binds_every_selector(question_page: Opened) -> None:
    page = question_page(factories.worked_example(), cap="3")
    assert [row[1] for row in heads(page)] == ["3", "30"]


def test_a_selector_can_be_added_shown_in_full_and_removed(question_page: Opened) -> None:
    page = question_page(factories.worked_example())
    page.button(key="w-add-mmr").click().run()
    assert len(heads(page)) == 3
    page.button(key="w-full3").click().run()
    assert page.query_params["full"] == "1,3"
    page.button(key="w-drop3").click().run()
    assert len(heads(page)) == 2
    assert not page.exception


def test_another_baseline_turns_the_differences_round(question_page: Opened) -> None:
    page = question_page(factories.worked_example())
    page.button(key="w-first2").click().run()
    first, second = heads(page)
    assert first[:2] == ["1 marginal gain, min new claims 1 baseline", "5"]
    assert second[:2] == ["2 top-k, k 20", "20+15"]


def test_the_kind_of_a_selector_can_be_swapped_and_keeps_what_both_have(
    question_page: Opened,
) -> None:
    page = question_page(factories.worked_example(), s=["similarity_threshold(threshold=0.5)"])
    names = page.selectbox(key="w-s1").options
    assert "near-duplicate removal" in names
    assert not page.exception


def test_selectors_that_cannot_run_are_offered_last_with_the_reason(question_page: Opened) -> None:
    page = question_page(factories.worked_example())
    rerank = page.button(key="w-add-rerank")
    assert rerank.disabled
    assert any("rerank needs a rerank_score" in block.value for block in page.html)
    offered = [button for button in page.button if str(button.key).startswith("w-add-")]
    states = [button.disabled for button in offered]
    assert states == sorted(states)


def test_recorded_arms_are_offered_as_a_selector(question_page: Opened) -> None:
    page = question_page(factories.worked_example(), s=["as_sent(arm='k=8')"])
    assert heads(page)[0][1:3] == ["8", "3,223"]
    assert page.selectbox(key="w-s1-as_sent-arm").options == ["k=8", "k=20"]


def test_an_arm_that_this_question_has_not_says_so_instead_of_failing(
    question_page: Opened,
) -> None:
    page = question_page(factories.worked_example(), s=["as_sent(arm='k=99')", "top_k"])
    assert not page.exception
    assert "has no record of arm" in html(page, "headline")


@pytest.mark.parametrize("view", ["matrix", "chart", "texts", "step"])
def test_every_view_opens_from_its_link_and_only_it_is_drawn(
    question_page: Opened, view: str
) -> None:
    page = question_page(factories.worked_example(), view=view)
    assert not page.exception
    drawn = " ".join(block.value for block in page.html)
    assert 'class="r13 ledger"' not in drawn
    assert ('class="r13 matrix"' in drawn) == (view == "matrix")
    assert ("passage-text" in drawn) == (view == "texts")
    assert ("r13 moment" in drawn) == (view == "step")


def test_the_step_through_walks_the_second_selector_to_the_decision_of_the_link(
    question_page: Opened,
) -> None:
    page = question_page(factories.worked_example(), view="step", step="13")
    assert "2,090 tokens spent, 1,910 left" in html(page, "moment")
    page.slider(key="w-step").set_value(2).run()
    assert page.query_params["step"] == "2"
    assert "its one claim already at rank 1" in html(page, "moment")


def test_a_step_beyond_the_last_decision_is_the_last(question_page: Opened) -> None:
    page = question_page(factories.worked_example(), view="step", step="999")
    assert page.slider(key="w-step").value == 20


@pytest.mark.parametrize(
    "address",
    [
        {"s": ["nope(", "top_k(k=-1)"], "budget": "banana", "cap": "-3", "view": "x", "step": "y"},
        {"full": "9,9", "walk": "77", "rel": "cosmic", "c": "no such collection"},
        {"s": ["mmr(lambda_=0.333)"], "budget": "0"},
        {"s": ["top_k(k=999999999)"], "budget": "999999999"},
    ],
)
def test_odd_addresses_open_a_page_all_the_same(
    question_page: Opened, address: dict[str, str | list[str]]
) -> None:
    page = question_page(factories.worked_example(), **address)
    assert not page.exception
    assert heads(page)


def test_a_question_that_is_gone_opens_the_first_and_says_so(question_page: Opened) -> None:
    page = question_page(factories.worked_example(), q="gone")
    assert not page.exception
    assert "not in this collection" in page.toast[0].value


def test_next_asks_for_the_neighbour_and_keeps_what_is_set(question_page: Opened) -> None:
    page = question_page(factories.worked_example(), budget="1600")
    page.button(key="w-N").click().run()
    assert page.query_params["q"] == "second"
    assert page.query_params["budget"] == "1600"
    assert page.button(key="w-P").disabled


def test_the_link_to_copy_says_everything_defaults_included(question_page: Opened) -> None:
    link = question_page(factories.worked_example()).code[0].value
    for part in ("c=Charged+twice", "q=charged-twice", "s=top_k", "s=marginal_gain", "budget=4000"):
        assert part in link


def test_texts_alone_fill_the_page(question_page: Opened) -> None:
    page = question_page(factories.texts_only())
    assert not page.exception
    assert "statements, computed" in html(page, "provenance")
    assert "step 1 of 5, texts only" in html(page, "provenance")
    assert "n/a" not in html(page, "headline")
    assert "1 conflict" in html(page, "beside")


def test_built_in_data_are_labelled_as_made_up(question_page: Opened) -> None:
    assert "made up" in html(question_page(factories.worked_example()), "r13 question")
    assert "made up" not in html(question_page(factories.texts_only()), "r13 question")


@pytest.mark.parametrize(
    "words", ["<script>alert(1)</script>", "$x$ :red[y] `z` **b**", "\x00\u202e\u2028"]
)
def test_hostile_texts_open_like_any_other(question_page: Opened, words: str) -> None:
    for view in ("ledger", "matrix", "chart", "texts", "step"):
        page = question_page(factories.hostile(words), view=view)
        assert not page.exception
        assert not any("<script" in block.value for block in page.html)


def test_an_empty_pool_is_a_page_and_not_an_error(question_page: Opened) -> None:
    page = question_page(factories.empty_pool())
    assert not page.exception
    for view in ("matrix", "chart", "texts", "step"):
        assert not question_page(factories.empty_pool(), view=view).exception


def test_a_collection_without_questions_says_what_is_missing(question_page: Opened) -> None:
    view = factories.worked_example(collection=factories.collection(questions=0))
    page = question_page(view)
    assert not page.exception
    assert "holds no questions" in page.text[0].value


def test_a_smallest_change_is_applied_by_its_button(question_page: Opened) -> None:
    page = question_page(factories.worked_example(), s=["top_k(k=8)", "marginal_gain"])
    button = next(one for one in page.button if str(one.key).endswith("-k") and "help" in one.key)
    assert "8 → 13" in button.label
    button.click().run()
    assert not page.exception
    assert page.query_params["s"][0] == "top_k(k=13, overflow='overspend')"


def test_a_larger_budget_is_written_by_its_button(question_page: Opened) -> None:
    page = question_page(factories.worked_example(), s=["marginal_gain"], budget="1600")
    button = next(one for one in page.button if str(one.key).endswith("-tokens"))
    assert button.label == "\\+10 tokens"
    button.click().run()
    assert page.query_params["budget"] == "1610"
    assert not page.exception


def test_the_best_set_is_laid_beside_the_published_loop(question_page: Opened) -> None:
    page = question_page(factories.worked_example())
    assert "6 of 6 with 1,953 tokens" in html(page, "findings")
    page.button(key="w-best").click().run()
    assert not page.exception
    assert heads(page)[1][2] == "2,090−6,145"
    assert heads(page)[2][2] == "1,953−6,282"
    assert not any(button.key == "w-best" for button in page.button)


def test_stability_is_shown_on_demand_and_stands_in_the_address(question_page: Opened) -> None:
    page = question_page(factories.worked_example())
    assert 'class="stay"' not in html(page, 'table class="r13 ledger')
    page.button(key="w-firm").click().run()
    assert page.query_params["firm"] == "1"
    assert 'class="stay"' in html(page, 'table class="r13 ledger')
    page.button(key="w-firm").click().run()
    assert "firm" not in page.query_params


def test_the_parts_of_the_loss_stand_beside_every_view(question_page: Opened) -> None:
    for view in ("ledger", "matrix", "chart", "texts", "step"):
        page = question_page(factories.worked_example(), view=view, s=["top_k(k=8)"])
        assert "left out by the selector" in html(page, "r13 loss")


def test_without_facts_no_loss_is_claimed(question_page: Opened) -> None:
    page = question_page(factories.texts_only())
    assert not any("r13 loss" in block.value for block in page.html)
    assert "guarantee" in html(page, "findings")
