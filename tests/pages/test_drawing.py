"""What is drawn of the worked example: ledger, head lines, matrix, chart, texts, step-through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.ui import (
    beside,
    charts,
    findings,
    headline,
    losses,
    matrix,
    passages,
    stepping,
)
from pages.ui.lanes import Lane, run_lane
from pages.ui.ledger import ledger_rows, ledger_table
from selection.model import Budget, Pool
from selection.registry import parse_selector
from storage.views import Conflict, QuestionView
from tests.pages import factories, reading

DEFAULTS = ("top_k(k=20)", "marginal_gain")


def lanes(view: QuestionView, *specs: str, tokens: int | None = 4000) -> list[Lane]:
    return [
        run_lane(view.pool, Budget(tokens), parse_selector(spec), place=place)
        for place, spec in enumerate(specs or DEFAULTS, start=1)
    ]


def ledger(view: QuestionView, *specs: str) -> dict[str, list[str]]:
    """The body of the ledger: rank -> the other cells of its row."""
    html = ledger_table(view, lanes(view, *specs), full=(1, 2))
    return {row[0]: row[1:] for row in reading.rows(html) if row[0].isdigit()}


def heads(view: QuestionView, *specs: str, tokens: int | None = 4000) -> list[list[str]]:
    return reading.rows(headline.headline_table(view, lanes(view, *specs, tokens=tokens)))[1:]


# The ledger.


def test_the_ledger_has_one_row_a_rank() -> None:
    assert list(ledger(factories.worked_example())) == [str(rank) for rank in range(1, 21)]


def test_marginal_gain_admits_ranks_1_3_4_6_and_13() -> None:
    body = ledger(factories.worked_example())
    assert [rank for rank, cells in body.items() if cells[6] == "in"] == ["1", "3", "4", "6", "13"]


def test_rank_2_is_out_with_rank_1_as_the_cause_in_words() -> None:
    cells = ledger(factories.worked_example())["2"]
    assert cells[6:9] == ["out", "adds nothing: its one claim already at rank 1", "3,590"]


def test_the_last_rank_of_top_20_stands_4235_over_the_budget() -> None:
    assert ledger(factories.worked_example())["20"][3:6] == ["in", "nothing new", "−4,235"]


def test_a_passage_that_does_not_fit_says_what_it_needs_and_what_is_left() -> None:
    view = factories.worked_example()
    html = ledger_table(view, lanes(view, "marginal_gain", tokens=1600), full=(1, 2))
    assert "does not fit: needs 445 tokens, 380 left" in reading.words(html)


def test_a_third_selector_is_a_strip_and_can_be_swapped_in() -> None:
    view = factories.worked_example()
    three = lanes(view, "top_k(k=20)", "marginal_gain", "top_k(k=1)")
    narrow = reading.rows(ledger_table(view, three, full=(1, 2)))
    assert narrow[2][-1] == "in"
    assert narrow[3][-1] == "out"
    swapped = reading.rows(ledger_table(view, three, full=(1, 3)))
    assert "beyond the first 1" in swapped[3]
    assert swapped[3][-1] == "out"


def test_a_selector_that_reorders_says_at_which_step_it_took_a_rank() -> None:
    view = factories.worked_example()
    body = ledger(view, "as_sent(arm='k=8')")
    assert [cells[3] for cells in body.values()][:9] == [*map(str, range(1, 9)), "out"]


def test_dots_say_in_words_how_many_facts_are_new() -> None:
    html = ledger_table(factories.worked_example(), lanes(factories.worked_example()), full=(1, 2))
    assert 'aria-label="2 new facts, 2 new claims"' in html
    assert 'aria-label="1 fact already covered, 1 claim already covered"' in html


def test_where_statements_stand_in_for_claims_the_ledger_says_statement() -> None:
    view = factories.texts_only()
    said = reading.words(ledger_table(view, lanes(view, "top_k(k=1)", tokens=None), full=(1, 2)))
    assert "new statements, or why it is out" in said
    assert "claim" not in said


def test_a_selector_that_cannot_run_leaves_the_ledger_and_says_why_above() -> None:
    view = factories.worked_example()
    both = lanes(view, "rerank", "marginal_gain")
    assert "rerank" not in reading.words(ledger_table(view, both, full=(1, 2)))
    assert "rerank needs a rerank_score" in reading.words(headline.headline_table(view, both))


def test_the_file_of_the_ledger_has_every_rank_and_every_reason() -> None:
    view = factories.worked_example()
    rows = ledger_rows(view, lanes(view))
    name = "2 marginal_gain(min_new_claims=1)"
    assert len(rows) == 20
    assert rows[1][f"{name} reason"] == "no_new_claims"
    assert rows[12][f"{name} remaining"] == 1910


# The head lines.


def test_the_head_lines_say_what_each_selector_sends_and_the_difference_to_the_first() -> None:
    first, second = heads(factories.worked_example())
    assert first[1:5] == ["20", "8,235", "4,235 over", "6 of 6"]
    assert second[1:5] == ["5−15", "2,090−6,145", "1,910 left", "6 of 60"]
    assert (first[5], second[5]) == ("15", "0−15")


def test_top_8_covers_five_facts() -> None:
    assert heads(factories.worked_example(), "top_k(k=8)")[0][4] == "5 of 6"


@pytest.mark.parametrize(
    ("least", "passages", "tokens", "facts"), [(2, "1", "410", "2 of 6"), (3, "0", "0", "0 of 6")]
)
def test_more_claims_asked_of_each_passage_leave_fewer(
    least: int, passages: str, tokens: str, facts: str
) -> None:
    row = heads(factories.worked_example(), f"marginal_gain(min_new_claims={least})")[0]
    assert [row[1], row[2], row[4]] == [passages, tokens, facts]


def test_nothing_sent_has_no_redundancy_rather_than_none_at_all() -> None:
    row = heads(factories.worked_example(), "marginal_gain(min_new_claims=3)")[0]
    assert row[6] == "n/a"


def test_without_facts_the_distinct_statements_stand_in() -> None:
    view = factories.texts_only()
    assert heads(view, "top_k(k=1)", tokens=None)[0][4] == "2 of 3"


def test_no_budget_is_said_in_words() -> None:
    assert heads(factories.worked_example(), tokens=None)[0][3] == "no budget"


def test_what_was_sent_and_is_not_in_the_pool_is_counted() -> None:
    view = factories.worked_example()
    ids = [view.pool.ids[0], "<gone>"]
    pool = Pool(view.pool.passages, gold=view.pool.gold, sent={"before": ids})
    row = heads(replace(view, pool=pool), "as_sent(arm='before')")[0]
    assert row[0].endswith("1 sent passage is not in the pool")


def test_facts_of_unequal_weight_show_the_share_of_the_weight() -> None:
    view = factories.worked_example()
    gold = {**view.pool.gold, "issuer_30_day_exception": 5.0}
    pool = Pool(view.pool.passages, gold=gold)
    assert heads(replace(view, pool=pool), "top_k(k=8)")[0][4] == "5 of 6 50% by weight"


def test_facts_judged_for_a_part_of_what_is_sent_say_so() -> None:
    view = factories.worked_example()
    some = [
        replace(one, claims=None, supports=None if at else frozenset(view.pool.gold))
        for at, one in enumerate(view.pool.passages)
    ]
    pool = Pool(some, gold=view.pool.gold)
    assert heads(replace(view, pool=pool), "top_k(k=2)")[0][4] == "6 of 6 judged 1 of 2"


# Claims by rank.


def test_seven_passages_say_the_window_and_marginal_gain_sends_one_of_them() -> None:
    view = factories.worked_example()
    html = matrix.matrix_table(view, lanes(view), full=(1, 2))
    window = next(row for row in reading.rows(html) if row[0].startswith("Window 3 5"))
    assert window[1:4] == ["7", "7", "1"]
    assert sum("stated" in cell for cell in window[4:]) == 7


def test_the_exception_stands_at_rank_13_alone() -> None:
    found = {line.name: line.ranks for line in matrix.lines(factories.worked_example())}
    assert found["issuer_30_day_exception"] == (13,)


def test_the_file_of_the_matrix_leaves_no_claim_out() -> None:
    view = factories.worked_example()
    assert len(matrix.matrix_rows(view, lanes(view))) == 6


# The chart.


def test_the_chart_ends_where_the_head_lines_do() -> None:
    view = factories.worked_example()
    ends = charts.coverage_rows(view, lanes(view)).groupby("place").tail(1)
    assert list(zip(ends["tokens"], ends["covered"], strict=True)) == [(8235, 6), (2090, 6)]


def test_the_chart_starts_every_line_at_nothing() -> None:
    view = factories.worked_example()
    starts = charts.coverage_rows(view, lanes(view)).groupby("place").head(1)
    assert starts["tokens"].tolist() == starts["covered"].tolist() == [0, 0]


def test_the_chart_marks_the_budget_and_tells_lines_apart_without_colour() -> None:
    view = factories.worked_example()
    rows = charts.coverage_rows(view, lanes(view))
    drawn = str(charts.coverage_chart(rows, charts.coverage_scale(view), budget=4000).to_dict())
    assert "budget 4,000" in drawn
    assert "strokeDash" in drawn
    assert "1 top-k, k 20" in drawn


def test_the_chart_in_words_says_where_each_line_ends() -> None:
    view = factories.worked_example()
    said = charts.coverage_alt(charts.coverage_rows(view, lanes(view)), what="facts")
    assert "2 marginal gain, min new claims 1 covers 6 facts with 2,090 tokens" in said


# Texts.


def test_the_sentence_that_carries_a_claim_is_marked_with_the_claim() -> None:
    view = factories.worked_example()
    html = passages.texts_html(view, lanes(view), ranks=[13])
    wording = view.claim_texts["issuer_30_day_exception"]
    assert f'<mark class="strong" title="fact (at rank 13): {wording}">{wording}</mark>' in html


def test_a_statement_that_a_lower_rank_has_said_is_marked_as_said_again() -> None:
    view = factories.texts_only()
    html = passages.texts_html(view, lanes(view, tokens=None), ranks=[1, 2])
    assert '<mark class="quiet" title="statement (at rank 1): refunds take 14 days">' in html
    assert '<mark class="again" title="statement (at ranks 1 and 2): ask the shop">' in html


# Step by step.


def moment(view: QuestionView, at: int) -> str:
    return reading.words(stepping.moment_html(view, lanes(view)[1], at=at))


def test_before_the_first_decision_nothing_is_spent() -> None:
    said = moment(factories.worked_example(), 0)
    assert "0 passages sent, 0 tokens spent, 4,000 left of 4,000" in said
    assert "0 of 6 facts covered" in said


def test_the_thirteenth_decision_brings_the_last_fact() -> None:
    said = moment(factories.worked_example(), 13)
    assert "5 passages sent, 2,090 tokens spent, 1,910 left of 4,000" in said
    assert "6 of 6 facts covered" in said
    assert "new, rank 13" in said


def test_a_decision_that_admits_nothing_shows_nothing_as_new() -> None:
    assert "new, rank" not in moment(factories.worked_example(), 14)


# Beside.


def test_a_conflict_shows_both_scopes_and_marks_the_number_that_differs() -> None:
    view = factories.texts_only()
    html = beside.beside_html(view, lanes(view, tokens=None))
    assert "Refunds take <mark>14</mark> days." in html
    assert "Refunds take <mark>7</mark> days." in html
    assert "rank 1: EU" in html
    assert "rank 2: US" in html
    assert "Both sent by" in html


def test_copies_of_a_statement_are_one_side_of_a_conflict() -> None:
    pairs = [(1, 4, "7", "14"), (3, 4, "7", "14"), (4, 6, "14", "7")]
    found = beside.disputes(
        Conflict(
            first_rank=first,
            second_rank=second,
            first_text=f"{said} days",
            second_text=f"{against} days",
            first_scope="",
            second_scope="",
        )
        for first, second, said, against in pairs
    )
    assert [(sorted(one.first_by), sorted(one.second_by)) for one in found] == [([1, 3, 6], [4])]


def test_facts_that_retrieval_did_not_bring_are_told_from_those_left_out() -> None:
    view = factories.worked_example()
    short = replace(
        view,
        pool=Pool(view.pool.passages[:12], gold=view.pool.gold),
        candidates=view.candidates[:12],
    )
    head = reading.rows(headline.headline_table(short, lanes(short)))[0]
    assert "facts (5 in the pool)" in head


def test_without_anything_to_say_nothing_stands_beside_the_ledger() -> None:
    view = factories.worked_example(arms=())
    assert beside.beside_html(view, lanes(view)) == ""


# Text from outside.

DRAWN: dict[str, Callable[[QuestionView, Sequence[Lane]], str]] = {
    "ledger": lambda view, shown: ledger_table(view, shown, full=(1, 2)),
    "headline": headline.headline_table,
    "matrix": lambda view, shown: matrix.matrix_table(view, shown, full=(1, 2)),
    "texts": lambda view, shown: passages.texts_html(view, shown, ranks=[1]),
    "step": lambda view, shown: stepping.moment_html(view, shown[1], at=1),
    "beside": beside.beside_html,
    "findings": findings.findings_html,
    "lost": lambda view, shown: "".join(
        losses.dropped_html(view, fact) for fact in lanes(view, "top_k(k=1)")[0].dropped or ()
    ),
}
WORDS = st.text(min_size=1, max_size=40) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        "\"><img src=x onerror='alert(1)'>",
        "</td></table><b>",
        "<!--",
        "&lt;i&gt;",
    ]
)


@pytest.mark.parametrize("part", DRAWN)
@given(words=WORDS)
@settings(max_examples=25, deadline=None)
def test_no_text_from_outside_adds_an_element_or_an_attribute(part: str, words: str) -> None:
    poisoned, tame = factories.hostile(words), factories.hostile("word")
    found = reading.elements(DRAWN[part](poisoned, lanes(poisoned)))
    expected = reading.elements(DRAWN[part](tame, lanes(tame)))
    assert set(found) <= set(expected)


def test_a_selector_that_breaks_is_reported_and_the_others_stay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = parse_selector("top_k")
    monkeypatch.setattr(type(broken), "pick", lambda *_: 1 / 0)
    view = factories.worked_example()
    lane = run_lane(view.pool, Budget(), broken, place=1)
    assert lane.problem == "top_k failed with ZeroDivisionError: division by zero"
    assert lane.steps == ()
