"""Counts, ranks and what drowns what in the help-centre collection."""

from __future__ import annotations

import re
from collections import Counter
from statistics import mean

import pytest

from storage.records import PassageRecord, QuestionRecord


@pytest.fixture
def asked(questions):
    return questions("Help-centre regressions")


def outcome(question: QuestionRecord) -> tuple[bool | None, bool | None]:
    small, large = question.arms
    return small.correct, large.correct


@pytest.fixture
def worse(asked):
    return [question for question in asked if outcome(question) == (True, False)]


@pytest.fixture
def still_right(asked):
    return [question for question in asked if outcome(question) == (True, True)]


def evidence_ranks(question: QuestionRecord) -> list[int]:
    ids = [p.id for p in question.passages]
    return sorted(ids.index(name) + 1 for name in question.answer_bearing or ())


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.?!]) (?=[A-Z0-9])", text)


def supports(passage: PassageRecord, fact: str, degree: str) -> bool:
    return any(s.fact == fact and s.degree == degree for s in passage.supports or ())


def competing(question: QuestionRecord, ranks: slice) -> int:
    """How many of these passages speak against the exception."""
    fact = question.facts[0].id
    return sum(supports(p, fact, "contradicts") for p in question.passages[ranks])


def test_240_questions_have_about_twenty_candidates(asked) -> None:
    assert len(asked) == 240
    assert {len(question.passages) for question in asked} == {18, 19, 20, 21, 22}
    assert mean(len(question.passages) for question in asked) == pytest.approx(20, abs=0.5)


def test_71_got_worse_24_better_and_the_rest_stayed_both_ways(asked) -> None:
    assert Counter(outcome(question) for question in asked) == {
        (True, False): 71,
        (False, True): 24,
        (True, True): 108,
        (False, False): 37,
    }


def test_63_of_the_worse_have_their_evidence_at_ranks_1_to_8_and_8_do_not_have_it(worse) -> None:
    near = [question for question in worse if question.answer_bearing]
    nowhere = [question for question in worse if question.answer_bearing == ()]
    assert (len(near), len(nowhere)) == (63, 8)
    assert all(evidence_ranks(question)[-1] <= 8 for question in near)
    assert {evidence_ranks(question)[0] for question in near} == set(range(1, 9))


def test_where_no_evidence_is_given_no_passage_carries_the_exception(asked) -> None:
    for question in asked:
        assert question.answer_bearing is not None
        carrying = [p for p in question.passages if supports(p, question.facts[0].id, "full")]
        assert bool(carrying) == bool(question.answer_bearing)
        assert {p.id for p in carrying} <= set(question.answer_bearing)


def test_what_got_better_mostly_found_its_evidence_below_rank_8(asked) -> None:
    better = [question for question in asked if outcome(question) == (False, True)]
    assert all(question.answer_bearing for question in better)
    assert sum(evidence_ranks(question)[-1] > 8 for question in better) == 20


def test_the_arms_are_nested_and_say_what_they_sent(asked) -> None:
    for question in asked:
        ids = tuple(p.id for p in question.passages)
        small, large = question.arms
        assert (small.name, small.setting, small.sent) == ("k=8", "top_k(k=8)", ids[:8])
        assert (large.name, large.setting, large.sent) == ("k=20", "top_k(k=20)", ids[:20])
        assert all(arm.answer and len(arm.answer.split()) <= 25 for arm in question.arms)


def test_a_cited_answer_names_a_passage_that_was_sent(asked) -> None:
    for question in asked:
        for arm in question.arms:
            cited = re.findall(r"\[(HC-[\w-]+)\]", arm.answer)
            assert bool(cited) == arm.cited
            assert set(cited) <= set(arm.sent)


def test_citing_is_rarer_in_the_larger_prompt(worse) -> None:
    small, large = (sum(question.arms[i].cited for question in worse) for i in (0, 1))
    assert small > large


def test_a_fact_is_supported_exactly_where_it_stands(asked) -> None:
    for question in asked:
        for passage in question.passages:
            for fact in question.facts:
                assert supports(passage, fact.id, "full") == (fact.text in passage.text)
            for s in passage.supports:
                if s.degree == "full":
                    text = next(fact.text for fact in question.facts if fact.id == s.fact)
                    assert passage.text[s.start : s.end] == text


def test_every_question_has_something_that_competes_with_its_exception(asked) -> None:
    assert all(competing(question, slice(None)) for question in asked)


def test_after_rank_8_the_competing_statement_is_repeated_more_where_it_got_worse(
    worse, still_right
) -> None:
    tail = slice(8, None)
    drowned = [q for q in worse if q.answer_bearing and competing(q, tail) >= 6]
    assert len(drowned) >= 50
    assert mean(competing(q, tail) for q in worse) > 2 * mean(
        competing(q, tail) for q in still_right
    )
    head = slice(0, 8)
    assert mean(competing(q, head) for q in worse) == pytest.approx(
        mean(competing(q, head) for q in still_right), abs=0.5
    )


def test_the_competing_statement_is_repeated_word_for_word(worse) -> None:
    for question in worse:
        said = {
            p.text[s.start : s.end]
            for p in question.passages
            for s in p.supports
            if s.degree == "contradicts"
        }
        assert len(said) == 1


def test_most_passages_with_the_exception_add_that_one_sentence_only(asked) -> None:
    with_evidence = [question for question in asked if question.answer_bearing]
    adding = Counter(_new_sentences(question) for question in with_evidence)
    assert adding[1] >= 0.7 * len(with_evidence)


def _new_sentences(question: QuestionRecord) -> int:
    """Sentences of the passage with the exception that nothing above it has said."""
    fact = question.facts[0].id
    at = next(i for i, p in enumerate(question.passages) if supports(p, fact, "full"))
    above = {s for p in question.passages[:at] for s in sentences(p.text)}
    return len(set(sentences(question.passages[at].text)) - above)


def test_some_questions_need_two_facts(asked) -> None:
    counts = Counter(len(question.facts) for question in asked)
    assert counts.keys() == {1, 2}
    assert counts[2] >= 60
    for question in asked:
        assert ("two facts" in question.metadata["tags"]) == (len(question.facts) == 2)


def test_nothing_is_given_that_storage_has_to_count(asked) -> None:
    passages = [p for question in asked for p in question.passages]
    assert all(p.tokens is None and p.claims is None and p.embedding is None for p in passages)


def test_an_article_is_the_same_wherever_it_is_a_candidate(asked) -> None:
    texts: dict[str, set[str]] = {}
    for question in asked:
        for p in question.passages:
            texts.setdefault(p.id, set()).add(p.text)
    assert len(texts) > 400
    assert all(len(versions) == 1 for versions in texts.values())


def test_articles_say_their_locale_topic_version_and_kind(asked) -> None:
    passages = [p for question in asked for p in question.passages]
    assert {p.metadata["locale"] for p in passages} == {"en-US", "en-GB", "en-IE", "en-AU", "en-CA"}
    assert {p.metadata["version"] for p in passages} == {"2023", "2025"}
    assert all(p.metadata["title"] and p.metadata["tags"] for p in passages)
    assert any("product" in p.metadata for p in passages)
    assert all(("topic" in p.metadata) != ("glance" in p.metadata["tags"]) for p in passages)


def test_no_two_questions_are_the_same_and_thirty_in_a_row_are_mixed(asked) -> None:
    words = [question.question for question in asked]
    assert len(set(words)) == 240
    for start in range(len(asked) - 29):
        stretch = asked[start : start + 30]
        assert len({question.metadata["topic"] for question in stretch}) >= 10
        assert len({" ".join(q.question.split()[:3]).lower() for q in stretch}) >= 25


def test_twenty_topics_in_four_groups_are_covered(asked) -> None:
    assert len({question.metadata["topic"] for question in asked}) == 20
    tags = {tag for question in asked for tag in question.metadata["tags"]}
    assert tags == {"exception", "date", "region", "plan", "product", "one fact", "two facts"}


def test_a_few_summaries_are_in_most_of_what_got_worse(worse, still_right) -> None:
    def touched(some: list[QuestionRecord]) -> float:
        return mean(
            any("glance" in p.metadata["tags"] and p.id.count("-") == 1 for p in q.passages)
            for q in some
        )

    assert touched(worse) > 0.5
    assert touched(still_right) < 0.25
