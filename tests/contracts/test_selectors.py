"""What every registered selector must keep, whatever its mathematics."""

from __future__ import annotations

import pickle
from functools import cache

import numpy as np
import pytest

from selection import Budget, Passage, Pool, Reason, Selection, list_selectors, make_selector
from selection.registry import Param, Selector, parse_selector, selector_class

FIELDS = ("score", "claims", "embedding", "text", "rerank_score", "tokens")
NEEDED = {"similarity": "embedding", "texts": "text"}
LIMITS = [
    Budget(),
    Budget(tokens=900),
    Budget(passages=4),
    Budget(tokens=2000, passages=3),
]

WORDS = [
    "refund",
    "window",
    "days",
    "charge",
    "pending",
    "hold",
    "bank",
    "card",
    "statement",
    "policy",
    "customer",
    "plan",
]


@cache
def rich(seed: int = 7, size: int = 14) -> Pool:
    """A pool in which everything is known."""
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(size, 6))
    rows[5] = rows[2]
    return Pool(
        [
            Passage(
                id=f"p{i + 1}",
                tokens=int(draw.integers(80, 400)),
                score=float(draw.random()),
                rerank_score=float(draw.random()),
                claims=frozenset(draw.choice(list("abcdefgh"), size=draw.integers(0, 4))),
                text=" ".join(draw.choice(WORDS, size=8)) + f" {i % 10}.",
                embedding=rows[i],
            )
            for i in range(size)
        ],
        gold={"a": 2.0, "b": 1.0, "c": 1.0},
        question="How long is the refund window for a pending charge?",
        answer_bearing={"p3"},
        sent={"old": ["p4", "p1", "gone", "p9"]},
        id="rich",
    )


def ends(param: Param) -> list[object]:
    """The default, and both ends of what is accepted."""
    if param.source:
        return ["old"]
    if param.choices:
        return list(param.choices)
    if param.type is bool:
        return [False, True]
    low = param.low if param.low is not None else -5
    high = param.high if param.high is not None else low + 5
    return [param.type(low), param.default, param.type(high)]


def variants(name: str) -> list[Selector]:
    cls = selector_class(name)
    base = {p.name: "old" for p in cls.params if p.source}
    settings = [base] + [{**base, p.name: value} for p in cls.params for value in ends(p)]
    return list(dict.fromkeys(make_selector(name, **values) for values in settings))


def every() -> list[Selector]:
    return [selector for name in list_selectors() for selector in variants(name)]


def run(selector: Selector, budget: Budget, pool: Pool | None = None) -> Selection:
    return selector.select(pool or rich(), budget)


each = pytest.mark.parametrize("selector", every(), ids=repr)
limits = pytest.mark.parametrize("budget", LIMITS, ids=repr)


def overspends(selector: Selector) -> bool:
    return selector.name == "as_sent" or getattr(selector, "overflow", "") == "overspend"


@each
@limits
def test_ranks_lie_in_the_pool_each_once_and_within_the_budget(
    selector: Selector, budget: Budget
) -> None:
    s = run(selector, budget)
    assert len(set(s.ranks)) == len(s.ranks)
    assert set(s.ranks) <= set(range(1, len(rich()) + 1))
    assert budget.passages is None or len(s.ranks) <= budget.passages
    if budget.tokens is not None and not overspends(selector):
        assert s.tokens is not None
        assert s.tokens <= budget.tokens


@each
@limits
def test_the_ledger_has_one_decision_a_rank_and_its_sums_are_right(
    selector: Selector, budget: Budget
) -> None:
    pool, s = rich(), run(selector, budget)
    assert [d.rank for d in s.decisions] == list(range(1, len(pool) + 1))
    assert [d.passage_id for d in s.decisions] == list(pool.ids)
    assert [d.rank for d in s.decisions if d.admitted] == sorted(s.ranks)
    spent, covered = 0, set()
    for step, rank in enumerate(s.ranks, 1):
        d, p = s.decisions[rank - 1], pool.passages[rank - 1]
        spent += p.tokens or 0
        assert (d.step, d.tokens, d.spent, d.reason) == (step, p.tokens, spent, None)
        assert d.remaining == (None if budget.tokens is None else budget.tokens - spent)
        assert d.new_claims == len((p.claims or frozenset()) - covered)
        covered |= p.claims or frozenset()
    assert (s.tokens, s.claims) == (spent, frozenset(covered))


@each
@limits
def test_every_refusal_has_a_reason_from_the_closed_list_and_words(
    selector: Selector, budget: Budget
) -> None:
    s = run(selector, budget)
    for d in s.decisions:
        if d.admitted:
            continue
        assert isinstance(d.reason, Reason)
        assert d.detail
        assert d.step is None
        assert set(d.blocked_by) <= set(s.ranks)
        if selector.reorders:
            assert (d.spent, d.remaining) == (s.tokens, s.remaining)


@each
@limits
def test_the_same_question_gives_the_same_answer(selector: Selector, budget: Budget) -> None:
    first, second = run(selector, budget), run(selector, budget, pool=fresh())
    assert first.ranks == second.ranks
    assert first.decisions == second.decisions


def fresh() -> Pool:
    rich.cache_clear()
    return rich()


@each
@limits
def test_no_selector_sees_gold(selector: Selector, budget: Budget) -> None:
    if getattr(selector, "objective", None) == "gold":
        with pytest.raises(ValueError, match=r"optimum.*gold"):
            run(selector, budget, pool=rich().without_gold())
        return
    assert run(selector, budget).ranks == run(selector, budget, pool=rich().without_gold()).ranks


@each
def test_a_cap_of_0_or_no_tokens_at_all_is_empty_and_a_cap_beyond_the_pool_is_no_cap(
    selector: Selector,
) -> None:
    assert run(selector, Budget(passages=0)).ranks == ()
    assert run(selector, Budget(tokens=0)).ranks == ()
    assert run(selector, Budget(passages=99)).ranks == run(selector, Budget()).ranks


@each
def test_what_the_cap_turns_away_is_beyond_k(selector: Selector) -> None:
    s = run(selector, Budget(passages=0))
    assert {d.reason for d in s.decisions} <= {
        Reason.BEYOND_K,
        Reason.NOT_SENT,
        Reason.NO_NEW_CLAIMS,
        Reason.BELOW_MIN_NEW_CLAIMS,
        Reason.NOT_IN_OPTIMUM,
        Reason.NO_GAIN,
    }


@each
def test_a_text_of_the_selector_can_be_read_back(selector: Selector) -> None:
    assert parse_selector(selector.spec) == selector
    assert selector.label
    assert hash(parse_selector(selector.spec)) == hash(selector)


@each
def test_pools_and_selections_can_be_pickled(selector: Selector) -> None:
    s = run(selector, Budget(tokens=2000))
    again = pickle.loads(pickle.dumps(s))
    assert again.ranks == s.ranks
    assert again.decisions == s.decisions
    assert selector.select(pickle.loads(pickle.dumps(rich())), Budget(2000)).ranks == s.ranks


@each
@limits
def test_objective_bound_and_guarantee_are_honest(selector: Selector, budget: Budget) -> None:
    s = run(selector, budget)
    if s.bound is not None:
        assert s.objective is not None
        assert s.bound >= s.objective - 1e-9
    if selector.name in {
        "top_k",
        "rerank",
        "mmr",
        "dpp_map",
        "marginal_gain",
        "as_sent",
        "similarity_threshold",
        "near_duplicate",
        "aspect_coverage",
    }:
        assert s.guarantee is None


def without(field: str) -> Pool:
    """The rich pool, whose passage p5 lacks one field."""
    blank = "" if field == "text" else None
    members = [
        Passage(
            id=p.id,
            **{
                name: blank if name == field and p.id == "p5" else getattr(p, name)
                for name in FIELDS
            },
        )
        for p in rich().passages
    ]
    return Pool(members, sent=rich().sent, gold=rich().gold, question=rich().question)


@pytest.mark.parametrize("name", list_selectors())
@pytest.mark.parametrize("field", FIELDS)
def test_a_missing_field_is_refused_by_name_or_not_needed(name: str, field: str) -> None:
    selector = variants(name)[0]
    needs = {NEEDED.get(need, need) for need in selector.requires(rich(), Budget())}
    if field not in needs:
        selector.select(without(field), Budget(passages=3))
        return
    with pytest.raises(ValueError, match=rf"^{name}: .*{field}.*'p5'"):
        selector.select(without(field), Budget(passages=3))


@each
def test_a_token_budget_on_unknown_tokens_is_refused_by_name(selector: Selector) -> None:
    with pytest.raises(ValueError, match=rf"^{selector.name}: a token budget .*'p5'"):
        selector.select(without("tokens"), Budget(tokens=1000))
    s = selector.select(without("tokens"), Budget(passages=3))
    assert len(s.ranks) <= 3
    assert s.tokens is None or not s.ranks


@pytest.mark.parametrize("name", list_selectors())
def test_every_selector_says_what_it_is(name: str) -> None:
    cls = selector_class(name)
    assert cls.title
    assert cls.summary.endswith(".")
    assert cls.__doc__
    assert all(param.help.endswith(".") for param in cls.params)


@pytest.mark.parametrize("name", list_selectors())
def test_values_out_of_range_and_unknown_parameters_are_refused(name: str) -> None:
    cls = selector_class(name)
    base = {p.name: "old" for p in cls.params if p.source}
    with pytest.raises(ValueError, match="there is no parameter 'nonsense'"):
        make_selector(name, **base, nonsense=1)
    for param in cls.params:
        wrong: list[object] = [None]
        wrong += [param.low - 1] if param.low is not None else []
        wrong += [param.high + 1] if param.high is not None else []
        wrong += ["nonsense"] if param.type is not str or param.choices else []
        wrong += [float("nan")] if param.type is float else []
        for value in wrong:
            with pytest.raises(ValueError, match=rf"{name}: {param.name}"):
                make_selector(name, **{**base, param.name: value})


def test_an_unknown_selector_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(ValueError, match="marginal_gain"):
        make_selector("nonsense")


@pytest.mark.parametrize(
    "spec", ["", "mmr(", "mmr(0.5)", "mmr(lambda_=open('x'))", "a.b()", "mmr(**{})", "1", "mmr()()"]
)
def test_a_text_that_is_no_selector_is_refused_and_nothing_is_run(spec: str) -> None:
    with pytest.raises(ValueError, match=r"selector|parameter"):
        parse_selector(spec)
