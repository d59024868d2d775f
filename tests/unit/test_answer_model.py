"""The synthetic read-out, on cases that can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from selection.answer_model import mass, probabilities

AXES = np.eye(2)


def test_without_passages_the_query_alone_decides() -> None:
    shares = probabilities(query=[1.0, 0.0], passages=[], prototypes=AXES, tau=1.0)
    assert shares == pytest.approx([math.e / (math.e + 1), 1 / (math.e + 1)])


def test_passages_count_by_their_mean_and_not_by_their_number() -> None:
    one = probabilities(query=[0.0, 0.0], passages=[[1.0, 0.0]], prototypes=AXES, tau=1.0)
    same = probabilities(query=[0.0, 0.0], passages=[[1.0, 0.0]] * 3, prototypes=AXES, tau=1.0)
    assert one == pytest.approx([math.e / (math.e + 1), 1 / (math.e + 1)])
    assert same == pytest.approx(one)


def test_a_further_passage_takes_weight_from_the_first() -> None:
    alone = mass(query=[0, 0], passages=[[1, 0]], prototypes=AXES, answer=0, tau=0.5)
    joined = mass(query=[0, 0], passages=[[1, 0], [0, 1]], prototypes=AXES, answer=0, tau=0.5)
    assert alone == pytest.approx(math.e**2 / (math.e**2 + 1))
    assert joined == pytest.approx(0.5)


def test_a_small_tau_decides_and_a_large_one_levels() -> None:
    def first(tau: float) -> float:
        return mass(query=[0.3, 0.1], passages=[[0.2, 0.1]], prototypes=AXES, answer=0, tau=tau)

    assert first(1e-3) == pytest.approx(1.0)
    assert first(1e6) == pytest.approx(0.5, abs=1e-6)


def test_shares_add_up_even_where_exponentials_would_overflow() -> None:
    shares = probabilities(query=[900.0, 0.0], passages=[], prototypes=AXES, tau=0.1)
    assert shares.sum() == pytest.approx(1.0)
    assert shares[0] == pytest.approx(1.0)


@pytest.mark.parametrize("tau", [0.0, -1.0, math.nan])
def test_a_tau_that_is_not_above_zero_is_refused(tau: float) -> None:
    with pytest.raises(ValueError, match="above 0 is accepted"):
        probabilities(query=[1.0, 0.0], passages=[], prototypes=AXES, tau=tau)


@pytest.mark.parametrize("answer", [-1, 2])
def test_an_answer_without_a_prototype_is_refused(answer: int) -> None:
    with pytest.raises(ValueError, match="0 to 1 is accepted"):
        mass(query=[1.0, 0.0], passages=[], prototypes=AXES, answer=answer, tau=1.0)


def test_vectors_of_differing_length_are_refused() -> None:
    with pytest.raises(ValueError, match="is accepted"):
        probabilities(query=[1.0, 0.0, 0.0], passages=[], prototypes=AXES, tau=1.0)
    with pytest.raises(ValueError, match="passages"):
        probabilities(query=[1.0, 0.0], passages=[[1.0, 0.0, 0.0]], prototypes=AXES, tau=1.0)


def test_no_answers_at_all_are_refused() -> None:
    with pytest.raises(ValueError, match="one or more answers"):
        probabilities(query=[1.0, 0.0], passages=[], prototypes=[], tau=1.0)


def test_many_passages_in_the_wrong_dimension_are_not_reshaped() -> None:
    with pytest.raises(ValueError, match="passages"):
        probabilities(query=[1.0, 0.0], passages=[[1.0, 0.0, 0.0, 0.0]], prototypes=AXES, tau=1.0)
