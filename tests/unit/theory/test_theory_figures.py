"""Every figure that the Lab shows, computed by the library."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from selection import Passage, Pool
from selection.theory import objectives, traps
from selection.theory.boundary import leads
from selection.theory.claims import median_pool
from selection.theory.cycle import contradicts, cycle
from selection.theory.finance import KAPPA, TAU, Draw, FinancePool, world
from selection.theory.frontier import best_masses
from selection.theory.guards import swapped
from selection.theory.instance import contest
from selection.theory.plane import plane
from selection.theory.price import extraction_cost
from selection.theory.reading import Knobs, readings
from selection.theory.seeds import swept
from selection.theory.steps import FLOOR, coverage_steps, shrinking
from selection.theory.subsets import shape
from selection.theory.synergy import exclusive_or
from selection.theory.volume import volume
from selection.theory.witness import sampled
from selection.theory.witnesses import INFORMATION, witnesses


def worked() -> FinancePool:
    return world().pools[median_pool(world())]


def gain() -> objectives.SetFunction:
    one = worked()
    return objectives.information_gain(one.vectors, one.query, world().prototypes, tau=TAU)


def test_the_worked_pool_is_the_one_whose_lead_is_the_median() -> None:
    assert median_pool(world()) == 4


def test_greedy_coverage_has_4_364_at_three_and_the_third_gain_is_0_100() -> None:
    steps = coverage_steps(worked().pool)
    assert [round(s.value, 4) for s in steps] == [
        4.0343, 4.2642, 4.3644, 4.4541, 4.5430, 4.6289, 4.6991, 4.7557,
    ]  # fmt: skip
    assert [round(s.gain, 4) for s in steps[:3]] == [4.0343, 0.2299, 0.1002]
    assert shrinking(steps)
    assert all(s.best == pytest.approx(s.value) for s in steps), "greedy is the best here"
    assert all(s.bound is not None and s.bound >= s.value for s in steps)


def test_greedy_reaches_9_of_12_where_7_585_is_promised() -> None:
    assert [(contest(k).greedy, contest(k).best) for k in (1, 2, 3)] == [(6, 6), (9, 12), (12, 12)]
    assert contest(2).ratio == 0.75
    assert contest(2).floor == pytest.approx(7.585, abs=5e-4)
    assert round(FLOOR, 3) == 0.632


def test_the_worst_ratio_of_greedy_coverage_over_all_pools_is_0_9920() -> None:
    worst = min(
        s.value / s.best
        for one in world().pools
        for s in coverage_steps(one.pool, most=6)
        if s.best
    )
    assert worst == pytest.approx(0.9920, abs=5e-5)


def test_a_determinant_is_quality_times_volume() -> None:
    found = volume(worked().pool, (0, 5, 6))
    figures = [round(x, 4) for x in (found.determinant, found.quality, found.volume)]
    assert figures == [2.5955, 4.3544, 0.5961]


@pytest.mark.parametrize(
    ("function", "difference", "least"),
    [
        (objectives.coverage, 0.0, 0.0),
        (objectives.shifted_log_det, 0.0, 0.357),
        (objectives.fixed_mmr, 0.0, -1.740),
        (lambda pool: objectives.coverage(pool, signed=True), -0.669, -0.579),
    ],
)
def test_all_512_sets_of_the_worked_pool(function, difference: float, least: float) -> None:
    found = shape(function(worked().pool), 9)
    assert found.subsets == 512
    assert found.least_difference == pytest.approx(difference, abs=5e-4)
    assert found.least_gain == pytest.approx(least, abs=5e-4)


def test_information_gain_is_refuted_by_chance_and_by_looking_everywhere() -> None:
    assert sampled(gain(), 9) == pytest.approx(-0.7105, abs=5e-5)
    found = shape(gain(), 9)
    assert found.witness == pytest.approx(-1.014, abs=5e-4)
    assert found.least_gain == pytest.approx(-0.782, abs=5e-4)
    assert sampled(objectives.coverage(worked().pool), 9) == pytest.approx(0.0, abs=1e-9)


def test_the_witness_over_all_nested_sets_is_that_of_the_definition() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=16)
    values[0] = 0.0

    def function(chosen) -> float:
        return float(values[sum(1 << i for i in chosen)])

    def slow() -> float:
        worst = 0.0
        for b in range(16):
            for a in (x for x in range(16) if x & b == x):
                for e in (x for x in range(4) if not b >> x & 1):
                    small = values[a | 1 << e] - values[a]
                    worst = min(worst, small - (values[b | 1 << e] - values[b]))
        return worst

    assert shape(function, 4).witness == pytest.approx(slow())


def test_looking_at_too_many_sets_is_refused() -> None:
    with pytest.raises(ValueError, match="1 to 12 passages are accepted"):
        shape(len, 13)


def test_two_bits_tell_together_what_neither_tells() -> None:
    found = exclusive_or()
    assert (found.first, found.second, found.both) == (0.0, 0.0, 1.0)


def test_mmr_prefers_in_a_circle() -> None:
    assert [(one.chosen, one.taken, one.left) for one in cycle()] == [
        ("ab", "c", "d"),
        ("ac", "d", "b"),
        ("ad", "b", "c"),
    ]
    assert contradicts(cycle())
    assert not contradicts(cycle()[:2])


def test_mass_on_the_true_answer_at_every_k() -> None:
    found = {(one.selector, one.k): one for one in readings(world())}
    for name, expected in {
        "top_k": [0.3757, 0.3674, 0.3778, 0.3828, 0.3749, 0.4453, 0.4428, 0.4377, 0.4229],
        "mmr": [0.3757, 0.4571, 0.4445, 0.4653, 0.4429, 0.4376, 0.4358, 0.4338, 0.4229],
        "facility": [0.3525, 0.5758, 0.5378, 0.4940, 0.4726, 0.4495, 0.4406, 0.4203, 0.4229],
        "determinant": [0.3757, 0.5839, 0.5448, 0.4954, 0.4706, 0.4448, 0.4369, 0.4315, 0.4229],
    }.items():
        masses = [found[name, k].mass for k in range(1, 10)]
        assert masses == pytest.approx(expected, abs=5e-5)
    three = [found[name, 3] for name in ("top_k", "mmr", "facility", "determinant")]
    assert [one.reached for one in three] == [1, 7, 15, 15]
    assert [round(one.entropy, 3) for one in three] == [1.772, 1.796, 1.687, 1.687]


@pytest.mark.parametrize(
    ("quality", "mass"), [(0.25, 0.476), (1.0, 0.525), (2.0, 0.477), (4.0, 0.422)]
)
def test_the_determinant_hangs_on_its_quality_scale(quality: float, mass: float) -> None:
    found = readings(world(), knobs=Knobs(quality=quality), ks=(3,))
    assert found[-1].mass == pytest.approx(mass, abs=5e-4)


@pytest.mark.parametrize(("lambda_", "mass"), [(0.4, 0.389), (0.6, 0.4265), (0.8, 0.380)])
def test_mmr_hangs_on_lambda(lambda_: float, mass: float) -> None:
    found = readings(world(), knobs=Knobs(lambda_=lambda_), ks=(3,))
    assert found[1].mass == pytest.approx(mass, abs=5e-4)


def test_forty_seeds_keep_the_order_and_not_the_lead_of_the_determinant() -> None:
    found = swept(range(40))
    means = [round(found.mean(name), 3) for name in found.masses]
    assert means == [0.307, 0.395, 0.458, 0.452]
    assert found.ordered == 40
    assert found.above("determinant", "facility") < 20


def test_top_k_wins_where_the_copies_are_true_and_ties_where_nothing_repeats() -> None:
    true = swept(range(20), draw=Draw(kappa=replace(KAPPA, generic=120.0), generics_on_answer=True))
    assert true.mean("top_k") > true.mean("facility") > true.mean("determinant") > true.mean("mmr")
    loose = swept(range(20), draw=Draw(kappa=replace(KAPPA, generic=45.0)))
    means = [loose.mean(name) for name in loose.masses]
    assert max(means) - min(means) < 0.02


def test_the_best_sets_put_825_691_618_on_the_answer() -> None:
    found = best_masses(world(), tau=TAU)
    assert [round(mass, 3) for mass in found[:3]] == [0.825, 0.690, 0.618]
    assert all(one.mass <= found[one.k - 1] + 1e-12 for one in readings(world(), ks=range(1, 10)))


def test_the_lead_shrinks_with_looser_copies_and_turns_where_copies_are_true() -> None:
    found = leads(tightness=(45.0, 220.0), seeds=range(6))
    by = {(one.on_answer, one.kappa, one.selector): one.mean for one in found}
    assert by[False, 220.0, "facility"].low > 0.1
    assert abs(by[False, 45.0, "facility"].value) < 0.05
    assert all(one.mean.high < 0 for one in found if one.on_answer)


def test_traps_catch_simple_rules() -> None:
    found = (traps.by_gain(), traps.by_gain_per_token(), traps.first_fit())
    assert [(one.got, one.best) for one in found] == [(10, 90), (2, 100), (1, 10)]


def test_swapping_the_tests_changes_nothing_and_stopping_does() -> None:
    found = swapped(instances=300)
    assert (found.differing, found.stopping > 0) == (0, True)


def test_extraction_costs_44_dollars() -> None:
    cost = extraction_cost(
        passages=40_000, tokens_in=500, tokens_out=120, price_in=1.0, price_out=5.0
    )
    assert cost == 44.0


def test_a_plane_keeps_the_distances_of_what_lies_in_it() -> None:
    rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [math.sqrt(0.5), math.sqrt(0.5), 0.0]]
    pool = Pool([Passage(id=f"p{i}", score=1.0, embedding=np.array(r)) for i, r in enumerate(rows)])
    found = plane(pool)
    assert found.kept == pytest.approx(1.0)
    between = np.linalg.norm(found.points[:, None] - found.points[None], axis=-1)
    assert between[0, 1] == pytest.approx(math.sqrt(2.0))
    assert (found.points[0] >= 0).all()
    one = plane(Pool([Passage(id="p", score=1.0, embedding=np.array([1.0]))]))
    assert one.points.shape == (1, 2)
    with pytest.raises(ValueError, match="no plane"):
        plane(Pool())


def test_information_gain_is_looked_at_only_where_there_are_answers() -> None:
    names = [one.name for one in witnesses(worked().pool)]
    assert INFORMATION not in names
    names = [one.name for one in witnesses(worked().pool, world=world(), made=worked())]
    assert INFORMATION in names
