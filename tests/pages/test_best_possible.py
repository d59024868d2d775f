"""How near the best possible a selector comes, where facts are lost, and what would help."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pages.ui import appraisal, findings, firmness, losses
from pages.ui.lanes import Lane, run_lane
from pages.ui.ledger import ledger_table
from selection.changes import Change
from selection.model import Budget, Passage, Pool
from selection.registry import parse_selector
from tests.pages import factories, reading


def lane(spec: str, *, tokens: int | None = 4000, cap: int | None = None, place: int = 1) -> Lane:
    return on(factories.worked_example().pool, spec, Budget(tokens, cap), place=place)


def on(pool: Pool, spec: str, budget: Budget, *, place: int = 1) -> Lane:
    made = run_lane(pool, budget, parse_selector(spec), place=place)
    assert made.selection is not None, made.problem
    return made


def appraised(made: Lane) -> Lane:
    assert made.appraisal is not None
    return made


def loss(made: Lane) -> appraisal.Loss:
    found = made.appraisal.loss
    assert found is not None
    return found


def three_facts(**weights: float) -> Pool:
    """a costs 10, b costs 10, c was never retrieved; x costs 10 and carries nothing."""
    return Pool(
        [
            Passage(id="x", tokens=10, score=1.0, claims=frozenset({"x"})),
            Passage(id="a", tokens=10, score=0.9, claims=frozenset({"a"})),
            Passage(id="b", tokens=10, score=0.8, claims=frozenset({"b"})),
        ],
        gold={"a": 1.0, "b": 1.0, "c": 1.0} | weights,
        id="q",
    )


# What binds, in one phrase.


@pytest.mark.parametrize(
    ("spec", "tokens", "words"),
    [
        ("top_k(k=8)", 4000, "k binds, 777 tokens left"),
        ("top_k(k=20)", 4000, "nothing binds: all of it is in, 4,235 tokens over"),
        ("marginal_gain", 4000, "nothing binds: the rest adds nothing, 1,910 tokens left"),
        ("marginal_gain", 1600, "tokens bind, 380 tokens left"),
        ("marginal_gain(min_new_claims=2)", 4000, "min new claims binds, 3,590 tokens left"),
        ("top_k(k=8)", None, "k binds"),
        ("as_sent(arm='k=8')", 4000, "as recorded, 777 tokens left"),
        ("optimum(objective='gold')", 1000, "tokens bind, 242 tokens left"),
        (
            "optimum(objective='gold')",
            4000,
            "nothing binds: the rest adds nothing, 2,047 tokens left",
        ),
    ],
)
def test_the_knob_that_binds_is_said_in_one_phrase(
    spec: str, tokens: int | None, words: str
) -> None:
    assert findings.binds(lane(spec, tokens=tokens)) == words


def test_a_cap_on_passages_that_binds_is_called_by_its_name() -> None:
    assert findings.binds(lane("marginal_gain", cap=2)).startswith("the cap on passages binds, ")


# Against the best possible.


@pytest.mark.parametrize(
    ("spec", "tokens", "words"),
    [
        ("top_k(k=8)", 4000, "5 of the 6 judged facts that this budget could buy"),
        (
            "marginal_gain",
            4000,
            "6 of the 6 judged facts that this budget could buy, 137 tokens above the cheapest set",
        ),
        ("optimum(objective='gold')", 4000, "6 of the 6 judged facts that this budget could buy"),
        ("top_k(k=20)", 4000, findings.OVER),
        ("marginal_gain", 100, "this budget could buy no judged fact"),
    ],
)
def test_the_share_of_the_facts_that_the_budget_could_buy(
    spec: str, tokens: int, words: str
) -> None:
    assert findings.against_facts(appraised(lane(spec, tokens=tokens))) == words


def test_facts_of_unequal_weight_are_held_against_the_best_by_weight() -> None:
    made = appraised(on(three_facts(b=2.0), "top_k(k=2)", Budget(tokens=30)))
    assert findings.against_facts(made) == "33% of the judged weight that this budget could buy"


def test_without_judged_facts_nothing_is_held_against_them() -> None:
    made = on(factories.texts_only().pool, "top_k(k=1)", Budget(tokens=18))
    assert findings.against_facts(appraised(made)) == ""
    assert made.appraisal.loss is None
    assert made.appraisal.best is None


def test_an_objective_says_how_near_and_what_is_guaranteed() -> None:
    assert findings.by_own_objective(lane("top_k")) == "no guarantee"
    loop = findings.by_own_objective(lane("marginal_gain"))
    assert loop == "by its own objective the best possible, no guarantee"
    greedy = findings.by_own_objective(lane("claim_coverage", tokens=1000))
    assert "guaranteed at least 1/2 of the best" in greedy
    exact = findings.by_own_objective(lane("optimum", tokens=1000))
    assert exact == "by its own objective the best possible: proven"


@pytest.mark.parametrize(
    ("ratio", "words"), [(0.769, "at least 76% of the best possible"), (1.0, "the best possible")]
)
def test_what_is_certain_of_the_best_is_never_rounded_up(ratio: float, words: str) -> None:
    assert findings.nearness(ratio) == words


def test_what_takes_long_is_waited_for_and_then_said() -> None:
    view = factories.worked_example()
    made = lane("marginal_gain", place=2)
    before = reading.words(findings.findings_html(view, [made]))
    assert before.count(findings.WAITING) == 2
    appraised(made)
    after = reading.words(findings.findings_html(view, [made]))
    assert findings.WAITING not in after
    assert "best possible on judged facts: 6 of 6 with 1,953 tokens in 5 passages" in after
    assert "ranks 3, 5, 8, 10 and 13" in after


def test_where_the_best_set_is_a_selector_it_is_not_said_again() -> None:
    view = factories.worked_example()
    both = [
        appraised(lane("marginal_gain")),
        appraised(lane("optimum(objective='gold')", place=2)),
    ]
    assert "best possible on judged facts" not in findings.findings_html(view, both)
    assert findings.best_of(both) is None


# Where facts are lost.


def test_the_three_parts_add_up_to_what_is_missed() -> None:
    found = loss(on(three_facts(), "top_k(k=1)", Budget(tokens=15)))
    parts = [found.never, found.budget, found.selector]
    assert [found.count(part or 0.0) for part in parts] == [1, 1, 1]
    assert sum(part or 0.0 for part in parts) == pytest.approx(found.missed)


def test_the_parts_are_said_in_facts() -> None:
    made = on(three_facts(), "top_k(k=1)", Budget(tokens=15))
    said = reading.words(losses.loss_html(made, loss(made)))
    assert "missed 3 of 3 judged facts" in said
    assert "never retrieved1beyond this budget1left out by the selector1" in said


def test_over_the_budget_the_parts_that_depend_on_it_are_not_known() -> None:
    made = on(three_facts(), "top_k(k=3)", Budget(tokens=15))
    said = reading.words(losses.loss_html(made, loss(made)))
    assert "never retrieved1beyond this budgetn/aleft out by the selectorn/a" in said
    assert "over the budget" in said


def test_nothing_lost_is_one_sentence() -> None:
    made = lane("marginal_gain")
    assert "all 6 judged facts sent: nothing is lost" in losses.loss_html(made, loss(made))
    over = lane("top_k(k=20)")
    assert "but over the budget" in losses.loss_html(over, loss(over))


# What would help.


def test_a_dropped_fact_names_the_cheapest_passage_and_the_smallest_change() -> None:
    view = factories.worked_example()
    made = lane("top_k(k=8)")
    (dropped,) = made.dropped or ()
    assert "rank 13, 425 tokens" in reading.words(losses.dropped_html(view, dropped))
    assert [losses.change_words(made, change) for change in dropped.changes] == ["k 8 → 13"]


def test_a_change_of_the_budget_is_said_as_tokens_to_add() -> None:
    made = lane("marginal_gain", tokens=1600)
    words = {
        losses.change_words(made, change)
        for dropped in made.dropped or ()
        for change in dropped.changes
    }
    assert words == {"+10 tokens", "+490 tokens"}


def test_a_fact_that_no_knob_brings_back_says_so() -> None:
    view = factories.worked_example()
    (dropped,) = lane("top_k(k=8)").dropped or ()
    alone = reading.words(losses.dropped_html(view, replace(dropped, changes=())))
    assert "no single knob brings it back" in alone


def test_a_selector_that_fails_when_it_runs_again_keeps_its_losses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = lane("top_k(k=8)")
    monkeypatch.setattr(appraisal, "smallest_changes", lambda _: 1 / 0)
    assert made.dropped is None
    assert loss(made).count(loss(made).missed) == 1


# Stability.


def test_every_admitted_passage_has_a_bar_that_says_its_share_in_words() -> None:
    view = factories.worked_example()
    made = lane("marginal_gain")
    without = ledger_table(view, [made], full=(1, 2))
    shown = ledger_table(view, [made], full=(1, 2), firm=True)
    assert 'class="stay"' not in without
    assert shown.count('class="stay"') >= 5
    assert 'aria-label="stays in 100 of 100 runs"' in shown
    assert "seed 0" in firmness.note_html([made])


def test_the_exact_best_set_is_never_varied() -> None:
    made = lane("optimum(objective='gold')")
    assert not firmness.offered([made])
    view = factories.worked_example()
    assert 'class="stay"' not in ledger_table(view, [made], full=(1, 2), firm=True)


def test_a_passage_that_nearly_came_in_is_marked_and_one_far_off_is_not() -> None:
    found = firmness.Stability(share=np.array([0.9, 0.1, 0.0]), runs=40, seed=0)
    assert "stays in 36 of 40 runs" in firmness.bar(found, rank=1, admitted=True)
    assert "would come in in 4 of 40 runs" in firmness.bar(found, rank=2, admitted=False)
    assert firmness.bar(found, rank=3, admitted=False) == ""
    assert firmness.bar(None, rank=1, admitted=True) == ""


def test_a_change_of_a_share_is_shortened_on_its_button_only() -> None:
    change = Change(knob="threshold", before=0.85, after=0.912345678, text="")
    made = lane("similarity_threshold")
    assert losses.change_words(made, change) == "threshold 0.85 → 0.9123"
