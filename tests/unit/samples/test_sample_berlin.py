"""Near-duplicate removal deletes the answer; selection by claims keeps both numbers."""

from __future__ import annotations

import pytest

from selection import Budget, Reason, make_selector
from selection.text.tfidf import text_similarity

EDITIONS = {"US": "7 days", "CA": "7 days", "AU": "7 days", "EU": "14 days", "UK": "14 days"}


@pytest.fixture
def berlin(questions):
    return questions("Refund window in Berlin")


def editions(question) -> dict[str, int]:
    """Region -> 0-based place of its edition of the policy."""
    return {
        p.metadata["region"]: index
        for index, p in enumerate(question.passages)
        if p.metadata["region"] != "all"
    }


def test_five_questions_have_five_editions_each(berlin) -> None:
    assert len(berlin) == 5
    for question in berlin:
        assert editions(question).keys() == EDITIONS.keys()
        assert all(p.metadata["locale"] and p.metadata["scope"] for p in question.passages)


def test_an_edition_differs_in_place_and_days_only(berlin) -> None:
    for question in berlin:
        bare = set()
        for region, index in editions(question).items():
            passage = question.passages[index]
            assert 200 <= len(passage.text.split()) <= 290
            assert passage.text.count(EDITIONS[region]) == 1
            assert passage.text.count(passage.metadata["scope"]) == 1
            bare.add(
                passage.text.replace(EDITIONS[region], "N days").replace(
                    passage.metadata["scope"], "PLACE"
                )
            )
        assert len(bare) == 1


def test_editions_are_at_least_96_percent_alike(berlin, as_pool) -> None:
    for question in berlin:
        alike = text_similarity(as_pool(question).texts)
        places = list(editions(question).values())
        assert min(alike[i, j] for i in places for j in places) >= 0.96
        others = [i for i in range(len(question.passages)) if i not in places]
        assert max(alike[i, j] for i in others for j in places) < 0.9


def test_the_european_edition_stands_below_the_american_one(berlin) -> None:
    for question in berlin:
        at = editions(question)
        assert at["US"] < at["EU"] < at["UK"]


def test_removal_of_near_duplicates_deletes_the_answer(berlin, as_pool) -> None:
    for question in berlin:
        selection = make_selector("near_duplicate", threshold=0.95).select(
            as_pool(question), Budget()
        )
        at = editions(question)
        first = min(at.values())
        decision = selection.decisions[at["EU"]]
        assert decision.reason is Reason.NEAR_DUPLICATE
        assert decision.blocked_by == (first + 1,)
        kept = {rank - 1 for rank in selection.ranks}
        assert kept & set(at.values()) == {first}
        assert EDITIONS[question.passages[first].metadata["region"]] == "7 days"


def test_selection_by_claims_keeps_both_numbers_and_skips_the_copies(berlin, as_pool) -> None:
    for question in berlin:
        pool = as_pool(question)
        selection = make_selector("marginal_gain").select(pool, Budget())
        at = editions(question)
        first = min(at.values())
        assert {rank - 1 for rank in selection.ranks} & set(at.values()) == {first, at["EU"]}
        assert selection.decisions[at["EU"]].new_claims == 1
        assert (
            at["EU"] + 1
            not in make_selector("marginal_gain", min_new_claims=2).select(pool, Budget()).ranks
        )


def test_the_one_fact_stands_in_the_european_edition_alone(berlin) -> None:
    for question in berlin:
        (fact,) = question.facts
        assert "14 days" in fact.text
        carrying = [p for p in question.passages if p.supports]
        assert [p.id for p in carrying] == list(question.answer_bearing)
        (support,) = carrying[0].supports
        assert "14 days" in carrying[0].text[support.start : support.end]
        assert carrying[0].metadata["region"] == "EU"


def test_every_customer_is_between_the_two_windows(berlin) -> None:
    days = {"nine": 9, "ten": 10, "11": 11, "12": 12, "eight": 8}
    for question in berlin:
        words = question.question.lower().split()
        asked = [days[word] for word in words if word in days]
        assert asked
        assert 7 < asked[0] <= 14
        assert "Berlin" in question.question
