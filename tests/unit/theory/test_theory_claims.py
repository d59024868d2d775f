"""The ledger of claims: every figure fits the status it stands beside."""

from __future__ import annotations

import pytest

from selection.theory.claims import Status, all_claims, bench, claim, ledger
from tests.unit.pools import worked_example

ON = bench(twenty=worked_example())
LEDGER = {entry.claim.name: entry for entry in ledger(ON)}


@pytest.mark.parametrize("name", sorted(LEDGER))
def test_what_is_measured_agrees_with_the_status(name: str) -> None:
    assert LEDGER[name].measured.agrees


def test_every_status_is_there_and_what_is_false_says_what_is_right() -> None:
    assert {one.status for one in all_claims()} == set(Status)
    assert [one.name for one in all_claims() if one.status is Status.FALSE and not one.right] == []


@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("thirteen_add_nothing", "15 add nothing (6,145 tokens), 5 add something"),
        ("three_new_claims_leave_four", "5, 1, 0, 0 passages at 1, 2, 3, 4"),
        ("extraction_is_free", "$44.00"),
        ("entropy_rises", "top-k 1.772, MMR 1.796, facility location 1.687"),
        ("room_means_nothing_to_say", "380 are left and 2 claims are missing; 5 of 6 fit"),
        ("diversity_beats_relevance", "0.3778, MMR 0.4445, facility location 0.5378"),
        ("determinant_is_quality_times_volume", "2.5955 = 4.3544 × 0.5961"),
        ("exact_map_is_hard", "in 9 of 16 pools"),
        ("greedy_has_a_floor", "9 of 12 claims, floor 7.585"),
    ],
)
def test_figures_are_those_that_were_computed(name: str, figure: str) -> None:
    assert figure in LEDGER[name].measured.figure


def test_without_the_twenty_passages_their_claims_are_left_out() -> None:
    names = {entry.claim.name for entry in ledger(bench())}
    assert names == {one.name for one in all_claims() if not one.needs_twenty}


def test_a_name_is_given_once() -> None:
    def coverage_is_submodular(on):
        raise NotImplementedError

    with pytest.raises(ValueError, match="is a claim"):
        claim("again", status=Status.FALSE)(coverage_is_submodular)
