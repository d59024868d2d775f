"""Every class of the diagnosis is reached by a pool that one can check by eye."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selection import Passage, Pool
from selection.diagnosis import Diagnosis, Fate, diagnose


def pool(*, gold: dict[str, float] | None = None, bearing: tuple[str, ...] = ()) -> Pool:
    """a carries f; b and c say the same other thing; d carries g."""
    return Pool(
        [
            Passage("a", tokens=10, claims={"f"}, supports={"f"}),
            Passage("b", tokens=20, claims={"x"}, supports=set()),
            Passage("c", tokens=30, claims={"x"}, supports=set()),
            Passage("d", tokens=40, claims={"g"}, supports={"g"}),
        ],
        gold=gold,
        answer_bearing=bearing,
    )


@pytest.mark.parametrize(
    ("baseline", "candidate", "expected"),
    [
        ((0,), (1, 2), Diagnosis.EVIDENCE_LOST),
        ((0, 1), (0, 1, 2), Diagnosis.CROWDED),
        ((0, 1), (0, 1), Diagnosis.SAME_EVIDENCE),
        ((0, 1, 2), (0, 1), Diagnosis.SAME_EVIDENCE),
        ((1,), (0, 1), Diagnosis.GAINED_STILL_WORSE),
        ((1,), (1, 2), Diagnosis.WITHOUT_EVIDENCE),
        ((), (), Diagnosis.WITHOUT_EVIDENCE),
    ],
)
def test_evidence_in_either_prompt_decides_the_class(baseline, candidate, expected):
    assert diagnose(pool(gold={"f": 1.0}), baseline, candidate).diagnosis is expected
    assert diagnose(pool(bearing=("a",)), baseline, candidate).diagnosis is expected


def test_without_gold_nothing_can_be_judged():
    assert diagnose(pool(), (0,), (1,)).diagnosis is Diagnosis.NO_GOLD


def test_known_to_be_nowhere_is_without_evidence_rather_than_without_gold():
    found = diagnose(pool(), (0,), (1,), evidence_known=True)
    assert found.diagnosis is Diagnosis.WITHOUT_EVIDENCE


def test_evidence_that_was_never_retrieved_is_absent_from_both():
    found = diagnose(pool(bearing=("elsewhere",)), (0,), (0, 1))
    assert found.diagnosis is Diagnosis.WITHOUT_EVIDENCE


def test_facts_are_counted_one_by_one():
    found = diagnose(pool(gold={"f": 1.0, "g": 1.0}), (0, 3), (0, 1, 2))
    assert found.diagnosis is Diagnosis.EVIDENCE_LOST
    assert [need.name for need in found.with_fate(Fate.LOST)] == ["g"]
    assert [need.name for need in found.with_fate(Fate.KEPT)] == ["f"]


def test_each_sign_of_crowding_is_measured():
    found = diagnose(pool(gold={"f": 1.0}), (0, 1), (1, 2, 0))
    assert found.before is not None
    assert found.after is not None
    assert (found.before.repetition, found.after.repetition) == (1, 2)
    assert (found.before.tokens_before, found.after.tokens_before) == (0, 50)
    assert (found.before.depth, found.after.depth) == (0, 2)
    assert (found.before.distance, found.after.distance) == (30, 60)
    assert found.rose == ("repetition", "tokens_before", "depth", "distance")


def test_what_the_evidence_itself_says_does_not_compete_with_it():
    found = diagnose(pool(gold={"f": 1.0}), (0,), (0,))
    assert found.before is not None
    assert found.before.repetition == 0


prompts = st.lists(st.integers(0, 3), unique=True).map(tuple)


@given(prompts, prompts, st.sampled_from([None, {"f": 1.0}, {"f": 1.0, "g": 2.0}]))
def test_every_pair_of_prompts_has_exactly_one_diagnosis_that_its_needs_explain(one, other, gold):
    found = diagnose(pool(gold=gold), one, other)
    fates = {need.fate for need in found.needs}
    expected = {
        Diagnosis.NO_GOLD: gold is None,
        Diagnosis.EVIDENCE_LOST: Fate.LOST in fates,
        Diagnosis.CROWDED: Fate.LOST not in fates and Fate.KEPT in fates and bool(found.rose),
        Diagnosis.SAME_EVIDENCE: Fate.LOST not in fates and Fate.KEPT in fates and not found.rose,
        Diagnosis.GAINED_STILL_WORSE: fates in ({Fate.GAINED}, {Fate.GAINED, Fate.ABSENT}),
        Diagnosis.WITHOUT_EVIDENCE: fates == {Fate.ABSENT},
    }
    assert [kind for kind, holds in expected.items() if holds] == [found.diagnosis]
