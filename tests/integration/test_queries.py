"""What pages ask: rows filtered, sorted and paged in SQL; one question with all that it draws."""

from __future__ import annotations

import pytest

from selection import Budget, make_selector, measure
from storage.engine import Database
from storage.queries import collection, question, questions

HELP = "Help-centre regressions"


def test_every_number_of_the_worked_example_comes_out_of_the_database(built_in: Database):
    pool = question(built_in, "Charged twice", "charged-twice").pool
    budget = Budget(tokens=4000)
    loop = make_selector("marginal_gain", min_new_claims=1).select(pool, budget)
    assert loop.ranks == (1, 3, 4, 6, 13)
    assert (loop.tokens, loop.remaining) == (2090, 1910)
    assert measure(pool, loop)["claim_recall"] == 1.0
    second = loop.decisions[1]
    assert (second.reason, second.blocked_by) == ("no_new_claims", (1,))
    everything = make_selector("top_k", k=20).select(pool, budget)
    assert (everything.tokens, everything.remaining) == (8235, -4235)
    eight = make_selector("top_k", k=8).select(pool, budget)
    assert measure(pool, eight)["claim_recall"] == pytest.approx(5 / 6)
    assert len(make_selector("marginal_gain", min_new_claims=2).select(pool, budget).ranks) == 1
    assert make_selector("marginal_gain", min_new_claims=3).select(pool, budget).ranks == ()


def test_berlin_loses_its_answer_to_near_duplicate_removal_and_the_pair_is_flagged(
    built_in: Database,
):
    first = questions(built_in, "Refund window in Berlin").rows[0].id
    view = question(built_in, "Refund window in Berlin", first)
    removed = make_selector("near_duplicate").select(view.pool)
    kept = make_selector("marginal_gain").select(view.pool)
    assert measure(view.pool, removed)["claim_recall"] == 0.0
    assert measure(view.pool, kept)["claim_recall"] == 1.0
    pair = next(one for one in view.conflicts if "7" in one.first_text and "14" in one.second_text)
    assert pair.first_scope != pair.second_scope


def test_seventy_one_questions_of_the_help_centre_got_worse(built_in: Database):
    worse = questions(built_in, HELP, outcome="worse", limit=500)
    assert worse.total == 71
    ranks = [row.evidence_rank for row in worse.rows]
    assert sum(rank is not None for rank in ranks) == 63
    assert all(rank <= 8 for rank in ranks if rank is not None)


def test_rows_are_sorted_in_either_direction_with_the_unknown_last(built_in: Database):
    up = [r.evidence_rank for r in questions(built_in, HELP, sort="evidence", limit=500).rows]
    down = [
        r.evidence_rank
        for r in questions(built_in, HELP, sort="evidence", descending=True, limit=500).rows
    ]
    known = [rank for rank in up if rank is not None]
    assert up == sorted(known) + [None] * (len(up) - len(known))
    assert down == sorted(known, reverse=True) + [None] * (len(up) - len(known))


def test_pages_do_not_overlap_and_together_are_everything(built_in: Database):
    pages = [questions(built_in, HELP, offset=at, limit=50).rows for at in range(0, 250, 50)]
    ids = [row.id for page in pages for row in page]
    assert len(ids) == len(set(ids)) == 240


@pytest.mark.parametrize("search", ["100%", "a_b", "\\", "'; DROP TABLE questions; --"])
def test_search_takes_every_sign_literally(built_in: Database, search: str):
    assert questions(built_in, HELP, search=search).total == 0


def test_search_finds_a_part_in_any_case(built_in: Database):
    row = questions(built_in, HELP).rows[5]
    found = questions(built_in, HELP, search=row.question[3:20].upper())
    assert row.id in [one.id for one in found.rows]


def test_an_unknown_sort_is_refused(built_in: Database):
    with pytest.raises(ValueError, match="position"):
        questions(built_in, HELP, sort="size")


def test_neighbours_lead_through_the_whole_collection(built_in: Database):
    seen = []
    at: str | None = questions(built_in, "Finance pools").rows[0].id
    while at is not None:
        view = question(built_in, "Finance pools", at)
        seen.append(view.position)
        at = view.next
    assert seen == list(range(1, 17))


def test_a_collection_says_on_which_step_it_stands(built_in: Database):
    assert collection(built_in, HELP).step == 4


def test_texts_alone_give_statements_scores_tokens_and_similarity(database: Database, refund):
    from dataclasses import replace

    from storage.imports import import_records

    bare = replace(
        refund,
        facts=(),
        answer_bearing=None,
        arms=(),
        metadata={},
        passages=tuple(replace(p, tokens=None, score=None, supports=None) for p in refund.passages),
    )
    import_records(database, [bare], collection="bare", format="jsonl", ranked=True)
    view = question(database, "bare", "refund")
    assert collection(database, "bare").step == 0
    assert view.sources.claims == "statements, computed"
    assert view.sources.tokens == "counted (o200k)"
    for name in ("marginal_gain", "mmr", "facility_location", "log_det", "near_duplicate"):
        assert make_selector(name).select(view.pool, Budget(tokens=50)).ranks
    receipt = make_selector("marginal_gain").select(view.pool).decisions[1]
    assert (receipt.reason, receipt.blocked_by) == ("no_new_claims", (1,))
    shown = view.candidates[0].places[0]
    assert view.candidates[0].text[shown.start : shown.end].startswith("Refunds are possible")
    assert measure(view.pool, make_selector("top_k").select(view.pool))["claim_recall"] is None


def test_facts_that_nobody_looked_for_are_unlinked_and_recall_is_not_known(
    database: Database, refund
):
    from dataclasses import replace

    from storage.imports import import_records

    unjudged = replace(refund, passages=tuple(replace(p, supports=None) for p in refund.passages))
    import_records(database, [unjudged], collection="c", format="jsonl", ranked=True)
    view = question(database, "c", "refund")
    assert [fact.linked for fact in view.facts] == [False, False]
    assert measure(view.pool, make_selector("top_k").select(view.pool))["claim_recall"] is None
