"""The doctor finds what is odd, says what measures can say, and counts both."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from storage.doctor.checks import CHECKS, Checks
from storage.doctor.outlook import Outlooks
from storage.records import ArmOutcome, Claim, Fact, PassageRecord, QuestionRecord, Support


def passages(*texts: str, scores: Sequence[float | None] = ()) -> tuple[PassageRecord, ...]:
    return tuple(
        PassageRecord(id=str(at), text=text, score=scores[at] if scores else None)
        for at, text in enumerate(texts)
    )


NINE = passages(*(f"Sentence number {at}." for at in range(9)))
LINKED = (PassageRecord(id="a", text="A.", supports=(Support(fact="f"),)),)


def question(pool: tuple[PassageRecord, ...] = NINE, **more: object) -> QuestionRecord:
    return QuestionRecord(id="q", question="Why?", passages=pool, **more)


SICK = {
    "empty_pool": question(()),
    "pool_is_sent": question(arms=(ArmOutcome(name="a", sent=tuple(p.id for p in NINE)),)),
    "small_pool": question(NINE[:7]),
    "no_text": question((*NINE, PassageRecord(id="x", text=" "))),
    "repeats": question((*NINE, PassageRecord(id="x", text=NINE[0].text))),
    "unsorted_scores": question(passages("a", "b", scores=(0.1, 0.2))),
    "part_scored": question(passages("a", "b", scores=(0.1, None))),
    "part_claimed": question((*NINE, PassageRecord(id="x", text="X", claims=(Claim(key="c"),)))),
    "part_embedded": question((*NINE, PassageRecord(id="x", text="X", embedding=(1.0,)))),
    "unreachable_facts": question(LINKED, facts=(Fact(id="f"), Fact(id="g"))),
    "unlinked_facts": question(facts=(Fact(id="f"),)),
    "evidence_outside": question(answer_bearing=("gone",)),
    "sent_outside": question(arms=(ArmOutcome(name="a", sent=("gone",)),)),
    "odd_text": question((*NINE, PassageRecord(id="x", text="turn\u202eed"))),
}


def found(record: QuestionRecord) -> set[str]:
    checks = Checks()
    checks.look(record)
    return {one.name for one in checks.findings}


def test_a_sound_question_is_given_no_finding() -> None:
    assert found(question()) == set()
    assert (
        found(question(answer_bearing=("0",), arms=(ArmOutcome(name="a", sent=("0",)),))) == set()
    )


@pytest.mark.parametrize("name", [one.name for one in CHECKS])
def test_every_check_finds_what_it_names(name: str) -> None:
    assert name in found(SICK[name])


def test_findings_are_counted_with_the_first_question() -> None:
    checks = Checks()
    for record in (question(), SICK["empty_pool"], SICK["empty_pool"]):
        checks.look(record)
    (one,) = checks.findings
    assert (one.name, one.questions, one.first) == ("empty_pool", 2, "q")


def test_an_alternative_reaches_a_fact_and_an_order_without_meaning_is_not_unsorted() -> None:
    pool = (PassageRecord(id="a", text="A.", claims=(Claim(key="other"),)),)
    assert "unreachable_facts" not in found(
        question(pool, facts=(Fact(id="f", alternatives=("other",)),))
    )
    shuffled = question(passages("a", "b", scores=(0.1, 0.2)), ranked=False)
    assert "unsorted_scores" not in found(shuffled)


def outlook(record: QuestionRecord) -> dict[str, int]:
    tried = Outlooks(ranked=True)
    tried.look(record)
    return {name: one.defined for one in tried.found for name in one.measures}


def test_measures_are_tried_and_what_is_missing_is_named() -> None:
    texts = outlook(question())
    assert texts["tokens"] == texts["redundancy"] == 1
    assert texts["claim_recall"] == texts["optimum_ratio"] == texts["evidence_recall"] == 0
    judged = outlook(question(LINKED, facts=(Fact(id="f"),), answer_bearing=("a",)))
    assert set(judged.values()) == {1}
    assert Outlooks(ranked=True).found == ()
