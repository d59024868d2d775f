"""The story: right for the worked example, and for any question that a team brings."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import blocks, left_out, scene, takeaway
from pages.ui.story import Told, conclusion, title, walk
from selection.model import Budget, Passage, Pool
from storage.engine import Database
from storage.views import QuestionView
from tests.pages import factories, reading, rooms

MOMENT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def told(view: QuestionView, tokens: int | None = 4000) -> Told:
    return walk(view, Budget(tokens=tokens))


def said_by(*claims: set[str], tokens: int = 10) -> QuestionView:
    """A question without facts whose passages state these claims."""
    passages = [
        Passage(id=f"p{at}", tokens=tokens, score=1.0 - at / 100, claims=frozenset(one), text="t")
        for at, one in enumerate(claims)
    ]
    base = factories.texts_only()
    candidates = tuple(
        replace(base.candidates[0], rank=at + 1, id=f"p{at}", places=())
        for at in range(len(claims))
    )
    return replace(base, pool=Pool(passages, id="q1"), candidates=candidates, conflicts=())


def test_the_conclusion_of_the_worked_example_is_computed() -> None:
    cost, coverage, voices = conclusion(told(factories.worked_example()))
    assert cost == (
        "All 20 passages cost 8,235 tokens, 4,235 over the budget of 4,000; "
        "5 with something new cost 2,090, 15 add nothing."
    )
    assert coverage == (
        "The first 8 hold 5 of 6 facts, those 5 hold 6 of 6: rank 13 has what was missing."
    )
    assert voices.startswith("7 passages say “")
    assert "; only rank 13 says “" in voices


def test_the_title_names_the_rank_that_matters() -> None:
    assert title(told(factories.worked_example())) == (
        "20 passages, and what the first 8 lack stands at rank 13."
    )


def test_a_pool_where_nothing_repeats_says_so() -> None:
    lines = conclusion(told(said_by({"a"}, {"b"}, {"c"}), tokens=None))
    assert lines == [
        "All 3 passages cost 30 tokens; each of them says something new.",
        "All 3 hold 3 of 3 statements.",
        "No two passages share a statement: nothing repeats here.",
    ]


def test_texts_alone_tell_what_repeats_and_what_does_not_fit() -> None:
    lines = conclusion(told(said_by({"a", "b"}, {"a"}, {"c"}, {"d"}), tokens=20))
    assert lines == [
        "All 4 passages cost 40 tokens, 20 over the budget of 20; "
        "2 with something new cost 20, 1 adds nothing and 1 does not fit.",
        "All 4 hold 4 of 4 statements, those 2 hold 3 of 4.",
        "2 passages say “a”; 3 statements stand in one passage only.",
    ]


def test_a_fact_that_no_passage_supports_is_said_to_be_lost_by_retrieval() -> None:
    base = factories.worked_example()
    gold = {**base.pool.gold, "lost": 1.0}
    passages = [
        Passage(id=name, tokens=10, score=1.0, claims=base.pool.claim_bits.row(at), text="t")
        for at, name in enumerate(base.pool.ids)
    ]
    one = told(replace(base, pool=Pool(passages, gold=gold)), tokens=None)
    assert conclusion(one)[1].startswith("The first 8 hold 5 of 7 facts")
    assert "in no passage" in reading.words(scene.scene_html(one, at=20))
    bare = said_by({"a"}, {"a"})
    lost = replace(
        bare,
        pool=Pool(
            [Passage(id="p", tokens=1, score=1.0, claims=frozenset("a"), supports=frozenset())],
            gold={"lost": 1.0},
        ),
        candidates=bare.candidates[:1],
    )
    assert conclusion(told(lost))[1] == "It holds 0 of 1 facts; 1 fact is in no passage."


def test_a_passage_of_its_own_beyond_the_first_eight_is_quoted_with_its_rank() -> None:
    view = said_by(*[{"a"}] * 9, {"z"})
    assert conclusion(told(view))[-1] == "9 passages say “a”; only rank 10 says “z”."


def test_a_question_without_passages_has_no_story_and_no_error() -> None:
    lines = conclusion(told(factories.empty_pool()))
    assert lines == ["Nothing was retrieved for this question, so there is nothing to choose from."]


def test_one_passage_is_told_in_the_singular() -> None:
    lines = conclusion(told(said_by({"a"})))
    assert lines == ["The only passage costs 10 tokens.", "It holds 1 of 1 statements."]


def test_passages_without_a_statement_are_told_by_their_cost_alone() -> None:
    lines = conclusion(told(said_by(set(), set()), tokens=None))
    assert lines == ["All 2 passages cost 20 tokens; none of them is sent, 2 add nothing."]


def test_a_budget_of_nothing_sends_nothing() -> None:
    lines = conclusion(told(factories.worked_example(), tokens=0))
    assert "none of them is sent, 20 do not fit." in lines[0]
    assert not any("hold" in line for line in lines[:-1])


def test_blocks_are_as_wide_as_their_tokens_and_say_them() -> None:
    view = factories.worked_example()
    html = blocks.blocks_html(view, told(view).after)
    assert 'style="flex-grow:410"' in html
    assert "rank 13, 425 tokens: Article 13. +1 new" in html
    assert html.count('<li class="new"') == 5
    assert html.count('<li class="out"') == 15


def test_later_ranks_are_open_and_the_sums_are_those_of_the_moment() -> None:
    view = factories.worked_example()
    html = blocks.blocks_html(view, told(view).after, at=3)
    assert html.count('<li class="open"') == 17
    assert "2 passages, 790 tokens, 3,210 left, 3 of 6 facts" in reading.words(html)


def test_the_facts_fill_up_rank_by_rank_for_every_selector() -> None:
    one = told(factories.worked_example())
    last = {row[0]: row[1:] for row in reading.rows(scene.scene_html(one, at=20))[1:]}
    assert ["rank 13", "rank 13", "not held"] in last.values()
    first = reading.rows(scene.scene_html(one, at=1))[1:]
    assert sum(row[1:] == ["rank 1"] * 3 for row in first) == 2


def test_the_end_says_what_was_left_out_and_whether_it_mattered() -> None:
    one = told(factories.worked_example())
    said = [" ".join(left_out.sentences(one, lane)) for lane in one.lanes]
    assert said[0] == "Nothing is left out. 15 of 20 sent repeat what was said, 6,145 tokens."
    assert said[1] == "15 passages left out: all add nothing. No fact is lost by that."
    assert said[2].startswith("12 passages left out: all stand beyond rank 8. 1 fact is lost")
    assert "(rank 13). 4 of 8 sent repeat what was said, 1,558 tokens." in said[2]


def test_the_end_counts_lost_statements_where_no_facts_are_known() -> None:
    one = told(said_by({"a", "b"}, {"a"}, {"c"}, {"d"}), tokens=20)
    assert left_out.sentences(one, one.after) == [
        "2 passages left out: 1 adds nothing and 1 does not fit.",
        "1 statement is lost by that.",
    ]


def test_without_facts_the_moment_shows_what_the_passage_states() -> None:
    one = told(said_by({"a"}, {"a", "b"}))
    words = reading.words(scene.scene_html(one, at=2))
    assert "2 statements in this passage, 1 of them new" in words
    assert "already at rank 1" in words


def test_the_page_opens_on_the_whole_walk_and_steps_to_a_rank(samples: Database) -> None:
    page = rooms.open_page("story", c="Charged twice")
    assert not page.exception
    assert page.slider(key="w-walked").value == 20
    page.slider(key="w-walked").set_value(13).run()
    assert page.query_params["rank"] in ("13", ["13"])
    assert "Rank 13, 425 tokens" in rooms.said(page)
    page.slider(key="w-walked").set_value(20).run()
    assert "rank" not in page.query_params


def test_the_next_question_starts_its_walk_anew(samples: Database) -> None:
    page = rooms.open_page("story", c="Refund window in Berlin", rank="3")
    assert page.slider(key="w-walked").value == 3
    page.button(key="w-N").click().run()
    assert not page.exception
    assert "2 of 5" in rooms.said(page)
    assert "rank" not in page.query_params


def test_every_built_in_question_of_every_kind_has_a_story(samples: Database) -> None:
    for name in ("Refund window in Berlin", "Finance pools", "Help-centre regressions"):
        page = rooms.open_page("story", c=name)
        assert not page.exception
        assert "passages cost" in rooms.said(page)


def test_the_budget_of_the_address_is_the_budget_of_the_story(samples: Database) -> None:
    page = rooms.open_page("story", c="Charged twice", budget="1000")
    assert "over the budget of 1,000" in rooms.said(page)


def test_texts_only_and_questions_without_passages_open(database: Database, tmp_path: Path) -> None:
    records = [
        rooms.plain("Nothing found?", id="none"),
        rooms.plain("One?", "Only this.", id="one"),
        rooms.plain("Two?", "Same words.", "Same words.", id="two"),
    ]
    rooms.store(database, records, tmp_path, name="Plain")
    for name, words in (
        ("none", "Nothing was retrieved"),
        ("one", "The only passage costs"),
        ("two", "2 passages say “Same words”"),
    ):
        page = rooms.open_page("story", c="Plain", q=name)
        assert not page.exception
        assert words in rooms.said(page)


@pytest.mark.parametrize(
    "address",
    [
        {"c": "gone", "q": "gone", "rank": "-4"},
        {"c": "Charged twice", "rank": "99999", "budget": "banana"},
        {"c": "Charged twice", "rank": "x", "rel": "cosmic", "budget": "0"},
        {"c": "Finance pools", "budget": "none", "cap": "2"},
    ],
)
def test_odd_addresses_fall_back_and_never_fail(samples: Database, address: dict) -> None:
    page: AppTest = rooms.open_page("story", **address)
    assert not page.exception
    assert "passages cost" in rooms.said(page)


def test_an_empty_database_says_so(database: Database) -> None:
    page = rooms.open_page("story")
    assert not page.exception
    assert "Nothing to show yet" in rooms.said(page)


def test_hostile_texts_stay_texts_on_the_page_and_in_the_file(
    database: Database, tmp_path: Path
) -> None:
    record = rooms.plain(
        rooms.HOSTILE,
        rooms.HOSTILE,
        f"{rooms.HOSTILE} again",
        facts=[{"id": "f", "text": rooms.HOSTILE}],
        id="</title><script>",
    )
    record["passages"][0] = {"text": rooms.HOSTILE, "supports": ["f"]}
    rooms.store(database, [record], tmp_path, name=rooms.PRINTABLE)
    page = rooms.open_page("story")
    assert not page.exception
    rooms.assert_nothing_runs(page)


def test_the_file_carries_everything_and_asks_for_nothing() -> None:
    html = takeaway.story_file(told(factories.worked_example()), saved_at=MOMENT).decode()
    assert "Content-Security-Policy" in html
    assert "default-src 'none'" in html
    assert "<script" not in html
    assert "http" not in html.replace("http-equiv", "")
    assert "url(" not in html
    walked = [row for row in reading.rows(html) if row[0].isdigit()]
    assert len(walked) == 20
    assert "made-up data" in html
    assert '<span class="tag made-up">made up</span>' in html


@pytest.mark.parametrize("words", [rooms.HOSTILE, "</style></title><script>x</script>", "\ud800"])
def test_the_file_escapes_every_text_from_outside(words: str) -> None:
    view = factories.hostile(words)
    html = takeaway.story_file(told(view), saved_at=MOMENT).decode()
    names = {name for name, _ in reading.elements(html)}
    assert not names & {"script", "img", "a", "iframe"}
    tame = takeaway.story_file(told(factories.hostile("words")), saved_at=MOMENT).decode()
    assert reading.elements(html) == reading.elements(tame)


def test_the_file_of_a_question_without_passages_says_so() -> None:
    html = takeaway.story_file(told(factories.empty_pool()), saved_at=MOMENT).decode()
    assert "Nothing was retrieved" in reading.words(html)


def test_without_an_address_the_worked_example_is_told(samples: Database) -> None:
    page = rooms.open_page("story")
    assert not page.exception
    assert "Why was I charged twice for the same order?" in rooms.said(page)
