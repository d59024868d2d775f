"""What every value of a knob loses and gains: hand-computed first, then against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from langchain_core.documents import Document

from selection import Budget, Passage, Pool, list_selectors, make_selector
from selection.measures import all_measures
from selection.tuning import (
    facts,
    halves,
    knobs_of,
    last_safe,
    lone_statements,
    number_conflicts,
    peak,
    safe_range,
    steps,
    values_for,
    walk,
)
from selection.tuning.advisor import advise
from selection.tuning.judging import from_gold, units, verdict
from selection.tuning.knobs import PASSAGES, TOKENS, Knob
from selection.tuning.plane import plane
from selection.tuning.profile import profile
from selection.tuning.replay import replay
from selection.tuning.risks import weight
from selection.tuning.snippets import snippets
from selection.tuning.walk import Walk
from tests.unit.pools import claim_pools, claims, worked_example

SOME = settings(
    max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
RECALL = next(one for one in all_measures() if one.name == "claim_recall")
ROOMY = Budget(tokens=4000)


def knob(name: str, selector: str) -> Knob:
    return next(one for one in knobs_of(make_selector(selector)) if one.name == name)


def walked(pools: list[Pool], selector: str, name: str, budget: Budget, values=None) -> Walk:
    chosen, turned = make_selector(selector), knob(name, selector)
    tried = values or values_for(chosen, budget, turned, pools)
    return walk(pools, chosen, budget, turned, tried)


def test_the_worked_example_loses_four_facts_at_two_and_the_other_two_at_three() -> None:
    found = steps(walked([worked_example()], "marginal_gain", "min_new_claims", ROOMY))
    assert [(s.before, s.after, len(s.lost), len(s.back)) for s in found] == [
        (0, 1, 0, 1),  # the exception: at 0 repetition has spent its tokens
        (1, 2, 4, 0),
        (2, 3, 2, 0),
    ]


def test_nobody_sees_four_passages_at_three() -> None:
    found = walked([worked_example()], "marginal_gain", "min_new_claims", ROOMY)
    assert found.orders[0][found.at(3)] == ()


def test_one_is_the_last_safe_value_of_the_worked_example() -> None:
    safe = last_safe(walked([worked_example()], "marginal_gain", "min_new_claims", ROOMY))
    assert (safe.value, safe.first_lost, safe.every) == (1, 2, (1,))


def test_a_fact_that_hangs_on_a_one_claim_passage_is_flagged() -> None:
    pool = claims(["ab", "c"], tokens=[5, 5], gold="ac")
    found = steps(walked([pool], "marginal_gain", "min_new_claims", Budget(tokens=20)))
    assert [(one.thing, one.single, one.ranks) for s in found for one in s.lost] == [
        ("c", True, (2,)),
        ("a", False, (1,)),
    ]


def test_a_tighter_knob_that_brings_a_fact_back_is_no_monotone_step() -> None:
    # At 1 the first passage spends the budget; at 2 it is skipped, and the second fits.
    pool = claims(["a", "bc"], tokens=[10, 10], gold="abc")
    step = steps(walked([pool], "marginal_gain", "min_new_claims", Budget(tokens=10)))[0]
    assert not step.monotone
    assert [one.thing for one in step.back] == ["b", "c"]
    assert (step.back[0].entered, step.back[0].evicted) == ((2,), (1,))


def test_the_exact_budget_is_found_between_two_that_were_tried() -> None:
    found = walked([worked_example()], "marginal_gain", "tokens", ROOMY, values=(1000, 2000, 3000))
    lost = {one.thing: one for step in steps(found) for one in step.lost}
    turning = lost["issuer_30_day_exception"]
    assert (turning.kept, turning.ranks) == (2090, (13,))
    assert 1610 <= turning.gone < 2090


@SOME
@given(claim_pools())
def test_every_loss_is_what_two_runs_beside_each_other_say(pool: Pool) -> None:
    budget = Budget(tokens=25)
    found = walked([pool], "marginal_gain", "min_new_claims", budget)
    held = facts(pool)
    for step in steps(found):
        before, after = (
            held.covered(
                make_selector("marginal_gain", min_new_claims=value).pick(pool, budget).order
            )
            for value in (step.before, step.after)
        )
        assert {one.thing for one in step.lost} == names(held.names, before & ~after)
        assert {one.thing for one in step.back} == names(held.names, after & ~before)


@SOME
@given(claim_pools())
def test_up_to_the_last_safe_value_nothing_is_missing(pool: Pool) -> None:
    found = walked([pool], "top_k", "k", Budget())
    safe = last_safe(found)
    held = facts(pool)
    most = held.covered(found.orders[0][found.from_open[0]])
    if safe.value is None:
        assert not most
        return
    for place in found.from_open[: found.from_open.index(found.at(safe.value)) + 1]:
        assert held.covered(found.orders[0][place]) & most == most


def names(universe: tuple[str, ...], bits: int) -> set[str]:
    return {universe[bit] for bit in range(bits.bit_length()) if bits >> bit & 1}


@pytest.mark.parametrize("name", sorted(set(list_selectors()) - {"as_sent", "optimum"}))
def test_every_knob_of_every_selector_can_be_walked(name: str) -> None:
    pool = rich()
    selector = make_selector(name)
    for turned in knobs_of(selector):
        values = values_for(selector, Budget(tokens=60), turned, [pool])
        found = walk([pool], selector, Budget(tokens=60), turned, values)
        assert not found.left_out
        for at in range(len(values)):
            chosen, budget = found.setting(at)
            assert found.orders[0][at] == chosen.pick(pool, budget).order


def rich(n: int = 8, id: str = "q") -> Pool:
    draw = np.random.default_rng(13)
    return Pool(
        [
            Passage(
                id=f"p{at}",
                tokens=10 + at,
                score=1.0 - at / 10,
                rerank_score=float(draw.random()),
                claims=frozenset("abcdef"[at % 5 : at % 5 + 2]),
                text=f"Refund number {at} takes {at + 2} days.",
                embedding=draw.normal(size=4),
            )
            for at in range(n)
        ],
        gold={"a": 1.0, "d": 1.0},
        question="How many days does a refund take?",
        id=id,
    )


def test_a_knob_that_changes_nothing_does_not_bind() -> None:
    pool = claims(["a", "b"], tokens=[5, 5], gold="ab")
    assert not walked([pool], "marginal_gain", "tokens", Budget(tokens=100), values=(10, 50)).binds
    assert walked([pool], "marginal_gain", "tokens", Budget(tokens=100), values=(5, 50)).binds


def test_pools_that_lack_what_a_selector_needs_are_left_out_by_name() -> None:
    pool = Pool([Passage(id="p1", tokens=4)], id="bare")
    found = walk([pool, rich()], make_selector("marginal_gain"), ROOMY, TOKENS, (10, 20))
    assert [one.question for one in found.left_out] == ["bare"]
    assert "claims" in found.left_out[0].why
    assert len(found.pools) == 1


def test_a_knob_that_steers_no_amount_has_a_range_around_where_it_stands() -> None:
    found = walked([rich()], "mmr", "lambda_", Budget(passages=3))
    at = found.at(0.5)
    held = facts(found.pools[0])
    around = safe_range(found, at)
    assert around.low <= 0.5 <= around.high
    for place in range(found.at(around.low), found.at(around.high) + 1):
        here = held.covered(found.orders[0][at])
        assert not here & ~held.covered(found.orders[0][place])


def test_k_steers_how_much_is_sent_and_a_cap_beyond_the_pool_does_not() -> None:
    assert walked([rich()], "top_k", "k", Budget()).steers_amount
    assert not walked([rich()], "top_k", "passages", Budget(), values=(8, 9, 12)).steers_amount


# Without gold.


def test_lone_statements_stand_in_one_passage() -> None:
    held = lone_statements(claims(["ab", "bc", "c", "d"]))
    assert held.names == ("a", "d")
    assert held.masks == (1, 0, 0, 2)


def test_a_number_a_negation_and_a_condition_weigh_more_than_plain_words() -> None:
    assert weight("refunds take 30 days") == ("number", "unit")
    assert "negation" in weight("refunds are not paid in cash")
    assert "condition" in weight("a refund is paid unless the card has expired")
    assert weight("refunds are paid") == ()


def test_statements_that_differ_in_a_number_are_a_conflict() -> None:
    pool = Pool(
        [
            Passage(id="p1", claims={"a refund takes 30 days"}),
            Passage(id="p2", claims={"a refund takes 14 days", "we are open"}),
        ]
    )
    (found,) = number_conflicts(pool)
    assert found.ranks == ((1,), (2,))
    assert set(found.statements) == {"a refund takes 30 days", "a refund takes 14 days"}


# How sure is the best value?


def table(scores: list[list[float]], tokens: list[int]) -> tuple[Walk, np.ndarray]:
    """A walk with two passages, only so that values and tokens are there."""
    pools = [claims(["a"], tokens=[1], gold="a") for _ in scores]
    found = walk(pools, make_selector("top_k"), Budget(), PASSAGES, tokens)
    return found, np.array(scores, dtype=float)


def test_a_flat_optimum_takes_the_value_with_the_fewest_tokens() -> None:
    found, scores = table([[1, 1, 0]] * 6, [2, 0, 1])
    best = peak(found, scores)
    assert best is not None
    assert best.best == 0
    assert best.shares == (0.0, 1.0, 0.0)


def test_a_sharp_peak_wins_every_resample_and_a_shared_one_does_not() -> None:
    sharp = peak(*table([[0, 1]] * 8, [0, 1]))
    shared = peak(*table([[0, 1], [1, 0]] * 4, [0, 1]))
    assert sharp is not None
    assert sharp.likely == (1,)
    assert shared is not None
    assert shared.likely == (0, 1)
    # Two values, each best on half of 8 questions: the second wins with 5 or more of Bin(8, 1/2).
    assert shared.shares[1] == pytest.approx(93 / 256, abs=0.05)


def test_the_chosen_half_never_reports() -> None:
    draw = np.random.default_rng(5)
    found, scores = table(draw.normal(size=(40, 6)).tolist(), [0, 1, 2, 3, 4, 5])
    split = halves(found, scores, current=0, seed=3)
    assert split is not None
    assert (split.chose, split.reported) == (20, 20)
    # Pure noise: the best of six flatters itself where it was chosen.
    assert split.on_chosen_half.value > split.on_other.value
    assert halves(found, scores[:3].repeat(0, axis=0)) is None


def test_a_value_that_is_undefined_is_never_best_and_hides_no_question() -> None:
    found, scores = table([[0.2, 0.5, float("nan")]] * 5, [0, 1, 2])
    best = peak(found, scores, lower=True)
    assert best is not None
    assert (best.best, best.n, best.shares[2]) == (0, 5, 0.0)


def test_the_plane_holds_the_means_of_single_runs() -> None:
    pools = [rich(), rich(5, "r")]
    selector = make_selector("marginal_gain")
    found = plane(pools, selector, ROOMY, TOKENS, knobs_of(selector)[0], (20, 60), (0, 2), RECALL)
    for y, new in enumerate((0, 2)):
        for x, tokens in enumerate((20, 60)):
            moved = make_selector("marginal_gain", min_new_claims=new)
            single = [RECALL.of(cut(moved, pool, tokens)) for pool in pools]
            assert found.means[y, x] == pytest.approx(np.mean(single))


def cut(selector, pool: Pool, tokens: int):
    from selection.measures import Cut

    return Cut(pool, selector.select(pool, Budget(tokens=tokens)))


def test_the_same_knob_on_both_axes_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="choose two different knobs"):
        plane([], make_selector("top_k"), ROOMY, TOKENS, TOKENS, (1,), (1,), RECALL)


# Few judgements.


def test_only_what_one_setting_has_and_the_other_has_not_is_judged() -> None:
    pool = claims(["ab", "a", "cd", "e"], tokens=[1, 1, 1, 1])
    found = units([pool], [(0, 2)], [(0, 1, 3)])
    # p2 repeats p1, so nothing depends on it; p3 brings two statements of five, p4 one.
    assert [(u.index, u.side, u.influence) for u in found] == [
        (2, "first", 0.4),
        (3, "second", 0.2),
    ]


def test_judging_stops_when_the_sign_is_fixed() -> None:
    pool = claims(["ab", "a", "cd", "e"], tokens=[1, 1, 1, 1])
    found = units([pool], [(0, 2)], [(0, 1, 3)])
    start = verdict(found, {})
    assert (start.worst, start.best, start.decided) == (-0.2, 0.4, False)
    one = verdict(found, {(0, 2): True})
    assert one.decided
    assert one.winner == "first"
    assert one.worst == pytest.approx(0.2)
    none = verdict(found, {(0, 2): False, (0, 3): False})
    assert none.decided
    assert none.winner is None


def test_gold_that_is_there_is_a_judgement() -> None:
    pool = claims(["a", "b"], gold="a")
    found = units([pool], [(0,)], [(1,)])
    assert from_gold([pool], found) == {(0, 0): True, (0, 1): False}


# Which selector?


def test_the_advisor_reports_on_questions_that_did_not_choose() -> None:
    # The first passage says nothing that is needed and takes the budget of top-k packed.
    pools = [
        Pool(
            [
                Passage(id="p1", tokens=10, claims=set(), score=1.0),
                Passage(id="p2", tokens=10, claims={"a"}, score=0.5),
            ],
            gold={"a": 1.0},
            id=f"q{at}",
        )
        for at in range(10)
    ]
    found = advise(
        pools, [make_selector("marginal_gain"), make_selector("mmr")], Budget(tokens=10), RECALL
    )
    assert found is not None
    assert found.proposed.selector.name == "marginal_gain"
    assert (found.chose, found.reported) == (5, 5)
    assert found.shown
    assert found.against.mean is not None
    assert found.against.mean.value == 1.0
    assert found.refused[0][0] == make_selector("mmr").title


def test_the_profile_counts_repeats() -> None:
    pool = Pool(
        [
            Passage(id="p1", text="A refund takes 30 days.", tokens=10, claims={"x"}, score=3.0),
            Passage(id="p2", text="a refund takes 30 days", tokens=10, claims={"x"}, score=1.0),
        ]
    )
    found = profile([pool], Budget(tokens=5))
    assert (found.exact_repeats, found.repeated_claims, found.in_budget) == (0.5, 0.5, 0.25)
    assert found.near_repeats is None
    assert found.spread == 0.5


# Use this.

GIVEN = frozenset({"claims", "tokens"})


@pytest.mark.parametrize("name", ["marginal_gain", "top_k", "mmr", "near_duplicate", "log_det"])
def test_the_code_picks_what_the_screen_shows(name: str) -> None:
    found = replay([rich(), rich(5, "r")], make_selector(name), Budget(tokens=40), given=GIVEN)
    assert (found.same, found.n, found.problem) == (2, 2, "")
    assert found.milliseconds is not None
    assert found.milliseconds > 0


def test_code_that_needs_embeddings_says_so_where_there_are_none() -> None:
    assert "embeddings" in replay([worked_example()], make_selector("mmr"), Budget()).problem


def run(name: str, selector: str) -> dict:
    """The names that a snippet defines, run as it is."""
    every = snippets(
        make_selector(selector), Budget(tokens=40), rich(), given=frozenset({"tokens"})
    )
    space: dict = {"__name__": "snippet"}
    exec(next(one.code for one in every if one.name == name), space)
    return space


def expected(selector: str) -> tuple[int, ...]:
    """What the same setting picks where claims are the statements of the texts."""
    from selection.text.statements import statements

    passages = [
        Passage(
            id=p.id,
            tokens=p.tokens,
            score=p.score,
            embedding=p.embedding,
            text=p.text,
            claims={one.key for one in statements(p.text)},
        )
        for p in rich().passages
    ]
    pool = Pool(passages, question=rich().question)
    return make_selector(selector).select(pool, Budget(tokens=40)).ranks


@pytest.mark.parametrize("selector", ["marginal_gain", "mmr", "top_k"])
def test_the_langchain_compressor_runs_and_picks_the_same(selector: str) -> None:
    given = [
        Document(
            page_content=p.text,
            metadata={"tokens": p.tokens, "score": p.score, "embedding": p.embedding, "at": at},
        )
        for at, p in enumerate(rich().passages)
    ]
    sent = run("LangChain", selector)["Select"]().compress_documents(given, rich().question)
    assert tuple(one.metadata["at"] + 1 for one in sent) == expected(selector)


@pytest.mark.heavy
@pytest.mark.parametrize("selector", ["marginal_gain", "mmr", "top_k"])
def test_the_llama_index_postprocessor_runs_and_picks_the_same(selector: str) -> None:
    # Read here: the package takes seconds to load, and most runs do without this test.
    from llama_index.core import schema

    given = [
        schema.NodeWithScore(
            node=schema.TextNode(
                text=p.text,
                metadata={
                    "tokens": p.tokens,
                    "embedding": [] if p.embedding is None else p.embedding.tolist(),
                    "at": at,
                },
            ),
            score=p.score,
        )
        for at, p in enumerate(rich().passages)
    ]
    sent = run("LlamaIndex", selector)["Select"]().postprocess_nodes(
        given, query_str=rich().question
    )
    assert tuple(one.node.metadata["at"] + 1 for one in sent) == expected(selector)
