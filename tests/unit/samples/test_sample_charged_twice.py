"""Every figure of the worked example follows from the built-in collection."""

from __future__ import annotations

import pytest

from selection import Budget, Reason, make_selector, measure

SLICE = Budget(tokens=4000)
WINDOW = "window_3_5_days"
EXCEPTION = "issuer_30_day_exception"


@pytest.fixture
def question(questions):
    (only,) = questions("Charged twice")
    return only


@pytest.fixture
def pool(question, as_pool):
    return as_pool(question)


def test_tokens_and_claims_are_those_of_the_worked_example(question, golden) -> None:
    expected = golden("worked_example")["passages"]
    assert [
        {"rank": rank, "tokens": p.tokens, "claims": sorted(c.key for c in p.claims)}
        for rank, p in enumerate(question.passages, start=1)
    ] == expected


def test_the_groups_of_ranks_add_up(pool) -> None:
    tokens = pool.tokens
    assert tokens[:6].sum() == 2420
    assert tokens[6:12].sum() == 2410
    assert tokens[12] == 425
    assert tokens[13:].sum() == 2980
    assert tokens.sum() == 8235
    assert tokens[6:12].sum() + tokens[13:].sum() == 5390 == tokens.sum() - 2420 - 425


def test_every_text_is_readable_length_and_all_differ(question) -> None:
    assert all(130 <= len(p.text.split()) <= 170 for p in question.passages)
    assert len({p.text for p in question.passages}) == 20


def test_the_window_is_stated_seven_times_and_the_exception_once(pool) -> None:
    stating = {
        name: [rank for rank, p in enumerate(pool.passages, start=1) if name in p.claims]
        for name in (WINDOW, EXCEPTION)
    }
    assert stating == {WINDOW: [1, 2, 5, 14, 15, 17, 19], EXCEPTION: [13]}


def test_a_claim_is_the_sentence_that_says_it(question) -> None:
    said = {
        (rank, claim.key): p.text[claim.start : claim.end]
        for rank, p in enumerate(question.passages, start=1)
        for claim in p.claims
    }
    assert "30 days" in said[13, EXCEPTION]
    for (_, key), sentence in said.items():
        assert ("3 to 5 business days" in sentence) == (key == WINDOW)
    copies = {said[rank, WINDOW] for rank in (14, 15, 17, 19)}
    assert len(copies) == 1, "the four localised copies say it word for word"


def test_no_passage_says_a_claim_without_being_marked_for_it(question) -> None:
    for rank, p in enumerate(question.passages, start=1):
        keys = {claim.key for claim in p.claims}
        assert ("3 to 5" in p.text) == (WINDOW in keys), rank
        assert ("30 days" in p.text) == (EXCEPTION in keys), rank
        assert ("automatically" in p.text) == ("automatic_refund" in keys), rank


def test_the_last_seven_are_localised_copies(question) -> None:
    locales = [p.metadata["locale"] for p in question.passages]
    assert set(locales[:13]) == {"en-US"}
    assert "en-US" not in locales[13:]
    assert [locales[rank - 1] for rank in (14, 15, 17, 19)] == ["en-GB", "en-IE", "en-AU", "en-CA"]
    assert all(p.metadata["title"] for p in question.passages)


@pytest.mark.parametrize(
    ("least", "ranks", "tokens", "facts"),
    [(1, (1, 3, 4, 6, 13), 2090, 6), (2, (1,), 410, 2), (3, (), 0, 0), (4, (), 0, 0)],
)
def test_the_published_loop_at_every_setting(pool, least, ranks, tokens, facts) -> None:
    selection = make_selector("marginal_gain", min_new_claims=least).select(pool, SLICE)
    assert selection.ranks == ranks
    assert selection.tokens == tokens
    assert len(selection.claims) == facts
    assert selection.remaining == 4000 - tokens
    assert len(ranks) <= 6 // least


def test_rank_two_is_out_because_rank_one_has_said_it(pool) -> None:
    decision = make_selector("marginal_gain").select(pool, SLICE).decisions[1]
    assert decision.reason is Reason.NO_NEW_CLAIMS
    assert decision.blocked_by == (1,)


def test_rank_thirteen_is_taken_after_1665_tokens(pool) -> None:
    decision = make_selector("marginal_gain").select(pool, SLICE).decisions[12]
    assert decision.spent - decision.tokens == 1665
    assert decision.step == 5


@pytest.mark.parametrize(
    ("k", "tokens", "facts", "copies"),
    [
        (1, 410, 2, 1),
        (2, 805, 2, 2),
        (3, 1185, 3, 2),
        (4, 1615, 4, 2),
        (5, 1975, 4, 3),
        (6, 2420, 5, 3),
        (8, 3223, 5, 3),
        (9, 3635, 5, 3),
        (10, 4025, 5, 3),
        (13, 5255, 6, 3),
        (14, 5683, 6, 4),
        (20, 8235, 6, 7),
    ],
)
def test_the_sweep_of_k(pool, k, tokens, facts, copies) -> None:
    selection = make_selector("top_k", k=k).select(pool, Budget())
    assert selection.tokens == tokens
    assert len(selection.claims) == facts
    sent = [pool.passages[rank - 1] for rank in selection.ranks]
    assert sum(WINDOW in p.claims for p in sent) == copies
    assert measure(pool, selection)["claim_recall"] == pytest.approx(facts / 6)


def test_twenty_passages_overspend_the_slice_by_4235(pool) -> None:
    assert make_selector("top_k", k=20).select(pool, SLICE).remaining == -4235


def test_fifteen_passages_repeat_for_6145_tokens(pool) -> None:
    kept = set(make_selector("marginal_gain").select(pool, SLICE).ranks)
    repeating = [p.tokens for rank, p in enumerate(pool.passages, start=1) if rank not in kept]
    assert (len(repeating), sum(repeating)) == (15, 6145)


def test_the_centre_of_rank_thirteen_lies_at_61_percent(pool) -> None:
    before = pool.tokens[:12].sum()
    assert before == 4830
    assert (before + pool.tokens[12] / 2) / pool.tokens.sum() == pytest.approx(0.612, abs=5e-4)


def test_reranking_gives_the_same_copies_in_another_order(pool) -> None:
    first = make_selector("rerank", k=8).select(pool, Budget())
    assert 13 not in first.ranks
    assert sum(WINDOW in pool.passages[rank - 1].claims for rank in first.ranks) == 6


def test_the_arms_are_nested_and_only_the_small_one_was_right(question) -> None:
    small, large = question.arms
    ids = tuple(p.id for p in question.passages)
    assert (small.name, small.setting, small.correct) == ("k=8", "top_k(k=8)", True)
    assert (large.name, large.setting, large.correct) == ("k=20", "top_k(k=20)", False)
    assert small.sent == ids[:8]
    assert large.sent == ids


def test_the_small_arm_never_had_the_exception(question, pool) -> None:
    small, large = question.arms
    _, exception = question.answer_bearing
    assert exception == question.passages[12].id
    assert exception not in small.sent
    assert exception in large.sent
    eight = make_selector("as_sent", arm="k=8").select(pool, Budget())
    assert measure(pool, eight)["evidence_recall"] == 0.5
    assert "never had rank 13" in question.metadata["remark"]
