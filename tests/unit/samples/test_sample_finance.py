"""The pools are those of the recipe, number by number."""

from __future__ import annotations

import numpy as np
import pytest

from selection import Budget, make_selector
from selection.answer_model import mass
from selection.theory.finance import TAU, world


@pytest.fixture
def finance(questions):
    return questions("Finance pools")


def test_prototypes_and_vectors_equal_the_stored_ones_to_six_decimals(golden) -> None:
    stored = golden("finance_pools")
    assert np.abs(world().prototypes - np.array(stored["prototypes"])).max() < 5e-7
    assert len(stored["pools"]) == 16
    for number, expected in enumerate(stored["pools"]):
        vectors, query = world().pools[number].vectors, world().pools[number].query
        assert np.abs(vectors - np.array(expected["vectors"])).max() < 5e-7
        assert np.abs(query - np.array(expected["query"])).max() < 5e-7


def test_sixteen_pools_of_nine_are_ranked_by_inner_product(finance, golden) -> None:
    assert len(finance) == 16
    for number, question in enumerate(finance):
        vectors, query = world().pools[number].vectors, world().pools[number].query
        items = [p.metadata["item"] for p in question.passages]
        assert sorted(items) == list(range(9))
        assert np.allclose([p.score for p in question.passages], (vectors @ query)[items])
        assert np.allclose([p.embedding for p in question.passages], vectors[items])
        assert np.allclose(question.query_embedding, query)
        assert (
            question.metadata["company_index"] == golden("finance_pools")["pools"][number]["truth"]
        )


def test_kinds_follow_the_items_and_the_fact_hangs_on_the_disambiguator(finance) -> None:
    for question in finance:
        for p in question.passages:
            item = p.metadata["item"]
            kind = "disambiguator" if item == 5 else "generic" if item < 5 else "distractor"
            assert p.metadata["kind"] == kind
            assert bool(p.supports) == (item == 5)
        assert question.answer_bearing == ("item-5",)


def test_all_144_texts_differ_and_only_the_disambiguator_names_the_company(finance) -> None:
    assert len({p.text for question in finance for p in question.passages}) == 144
    for question in finance:
        naming = [
            p.metadata["item"] for p in question.passages if question.metadata["company"] in p.text
        ]
        assert naming == [5]


@pytest.mark.parametrize(
    ("selector", "settings", "expected"),
    [
        ("top_k", {"k": 3}, 0.3778),
        ("mmr", {"lambda_": 0.5, "clip": True}, 0.4445),
        ("facility_location", {}, 0.5378),
        ("log_det", {"quality": 0.5}, 0.5448),
    ],
)
def test_mean_mass_on_the_true_company_at_three_passages(
    finance, as_pool, selector, settings, expected
) -> None:
    found = [_mass(question, as_pool, selector, settings) for question in finance]
    assert round(float(np.mean(found)), 4) == expected


def _mass(question, as_pool, selector, settings) -> float:
    pool = as_pool(question)
    chosen = make_selector(selector, **settings).select(pool, Budget(passages=3))
    return mass(
        query=pool.query_embedding,
        passages=pool.embeddings[[rank - 1 for rank in chosen.ranks]],
        prototypes=world().prototypes,
        answer=question.metadata["company_index"],
        tau=TAU,
    )


@pytest.mark.parametrize(
    ("key", "selector", "settings"),
    [
        ("topk", "top_k", {"k": 3}),
        ("mmr", "mmr", {"clip": True}),
        ("facility", "facility_location", {}),
        ("dpp", "log_det", {}),
    ],
)
def test_the_worked_pool_is_picked_as_stored(
    finance, as_pool, golden, key, selector, settings
) -> None:
    expected = golden("finance_pools")["expected"]
    question = finance[expected["worked_pool"]]
    chosen = make_selector(selector, **settings).select(as_pool(question), Budget(passages=3))
    items = [question.passages[rank - 1].metadata["item"] for rank in chosen.ranks]
    assert items == expected["selections"][key]
