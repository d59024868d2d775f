"""Every measure: declared, defined where it can be, None where it cannot, right by hand."""

from __future__ import annotations

import pytest

from selection import Budget, Passage, Pool, make_selector, measure
from selection.measures import all_measures, measure_names
from tests.unit.pools import claims, worked_example

NAMES = {
    "claim_recall", "claim_ceiling", "budget_ceiling", "budget_loss", "selector_loss",
    "selection_loss", "optimum_ratio", "evidence_recall", "answer_bearing_any", "redundancy",
    "max_repetition", "tokens", "remaining", "gold_per_1k_tokens", "alpha_ndcg",
    "subtopic_recall", "instruction_distance",
}  # fmt: skip


def test_every_named_measure_is_registered() -> None:
    assert set(measure_names()) >= NAMES


@pytest.mark.parametrize("one", all_measures(), ids=lambda one: one.name)
def test_every_measure_says_what_it_is(one) -> None:
    assert one.title
    assert one.help.endswith(".")
    assert one.better in {"higher", "lower", None}


def test_an_empty_pool_has_no_measure_that_is_made_up() -> None:
    pool = Pool([])
    values = measure(pool, make_selector("top_k").select(pool))
    defined = {name: value for name, value in values.items() if value is not None}
    assert defined == {"tokens": 0.0, "instruction_distance": 0.0}


def test_without_gold_nothing_about_gold_is_known() -> None:
    pool = claims(["a", "ab"], [10, 20])
    values = measure(pool, make_selector("top_k").select(pool))
    for name in ("claim_recall", "claim_ceiling", "selection_loss", "budget_ceiling",
                 "budget_loss", "selector_loss", "optimum_ratio", "subtopic_recall",
                 "alpha_ndcg", "gold_per_1k_tokens", "evidence_recall"):  # fmt: skip
        assert values[name] is None


def test_measures_by_hand() -> None:
    pool = Pool(
        [
            Passage(id="1", claims={"a", "b"}, tokens=100),
            Passage(id="2", claims={"a"}, tokens=50),
            Passage(id="3", claims={"c", "x"}, tokens=200),
        ],
        gold={"a": 2.0, "b": 1.0, "c": 1.0, "d": 4.0},
        answer_bearing={"1", "3", "never retrieved"},
    )
    values = measure(pool, make_selector("top_k", k=2).select(pool, Budget(tokens=250)))
    assert values["claim_recall"] == pytest.approx(3 / 8)
    assert values["claim_ceiling"] == pytest.approx(4 / 8)
    assert values["selection_loss"] == pytest.approx(1 / 8)
    assert values["budget_ceiling"] == pytest.approx(3 / 8)
    assert values["budget_loss"] == pytest.approx(1 / 8)
    assert values["selector_loss"] == pytest.approx(0.0)
    assert values["optimum_ratio"] == pytest.approx(1.0)
    assert values["evidence_recall"] == pytest.approx(1 / 3)
    assert values["answer_bearing_any"] == 1.0
    assert values["redundancy"] == pytest.approx(1 - 2 / 3)
    assert values["max_repetition"] == 2.0
    assert (values["tokens"], values["remaining"]) == (150.0, 100.0)
    assert values["gold_per_1k_tokens"] == pytest.approx(3.0 / 0.150)
    assert values["subtopic_recall"] == pytest.approx(2 / 4)


def test_k_cuts_the_order_of_admission() -> None:
    pool = worked_example()
    s = make_selector("marginal_gain").select(pool, Budget(tokens=4000))
    assert measure(pool, s, k=2)["tokens"] == 790.0
    assert measure(pool, s, k=2)["claim_recall"] == pytest.approx(3 / 6)
    assert measure(pool, s, k=0)["claim_recall"] == 0.0
    with pytest.raises(ValueError, match="k is -1"):
        measure(pool, s, k=-1)


@pytest.mark.parametrize("name", ["marginal_gain", "claim_coverage", "top_k"])
@pytest.mark.parametrize("limit", [400, 1600, 4000, 9000])
def test_the_three_losses_add_up(name: str, limit: int) -> None:
    pool = worked_example()
    params = {"k": 20, "overflow": "skip"} if name == "top_k" else {}
    s = make_selector(name, **params).select(pool, Budget(tokens=limit))
    values = measure(pool, s)
    never = 1.0 - values["claim_ceiling"]
    total = never + values["budget_loss"] + values["selector_loss"] + values["claim_recall"]
    assert total == pytest.approx(1.0)
    assert min(never, values["budget_loss"], values["selector_loss"]) >= -1e-12


def test_over_the_budget_there_is_no_loss_to_explain() -> None:
    pool = worked_example()
    values = measure(pool, make_selector("top_k", k=20).select(pool, Budget(tokens=4000)))
    assert values["claim_recall"] == 1.0
    assert (values["budget_loss"], values["selector_loss"], values["optimum_ratio"]) == (None,) * 3


def test_seven_copies_of_one_fact_are_seen() -> None:
    pool = worked_example()
    every = measure(pool, make_selector("top_k", k=20).select(pool))
    assert every["max_repetition"] == 7.0
    loop = measure(pool, make_selector("marginal_gain").select(pool))
    assert (loop["max_repetition"], loop["redundancy"]) == (1.0, 0.0)


def test_alpha_ndcg_is_1_for_the_greedy_order_and_less_for_repeats() -> None:
    pool = claims(["a", "a", "b"], gold="ab")
    ideal = make_selector("marginal_gain").select(pool)
    plain = make_selector("top_k", k=2).select(pool)
    assert measure(pool, ideal)["alpha_ndcg"] == pytest.approx(1.0)
    halved = (1 + 0.5 / 1.584962500721156) / (1 + 1 / 1.584962500721156)
    assert measure(pool, plain)["alpha_ndcg"] == pytest.approx(halved)


def test_gold_judged_for_part_is_counted_and_unjudged_is_not_no() -> None:
    from selection.measures.facts import judged
    from selection.measures.registry import Cut

    pool = Pool(
        [Passage(id="1", supports={"f"}), Passage(id="2"), Passage(id="3", supports=())],
        gold={"f": 1.0},
    )
    s = make_selector("top_k").select(pool)
    assert judged(Cut(pool, s)) == (2, 3)
    assert measure(pool, s)["claim_recall"] == 1.0
    unlinked = Pool([Passage(id="1"), Passage(id="2")], gold={"f": 1.0})
    assert measure(unlinked, make_selector("top_k").select(unlinked))["claim_recall"] is None
