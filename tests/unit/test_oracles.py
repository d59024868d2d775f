"""Every selector equals its definition, written here once more in the plainest way."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from selection import Budget, Pool, make_selector
from tests.unit.pools import claim_pools, vector_pools

SOME = settings(
    max_examples=120, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
MANY = settings(
    max_examples=3000, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)

budgets = st.builds(
    Budget,
    tokens=st.none() | st.integers(0, 40),
    passages=st.none() | st.integers(0, 10),
)


def cosines(pool: Pool) -> np.ndarray:
    """Straight from the vectors, one pair at a time."""
    size = len(pool)
    matrix = np.zeros((size, size))
    rows = [np.asarray(p.embedding, dtype=np.float64) for p in pool.passages]
    rows = [row / (np.abs(row).max() or 1.0) for row in rows]
    for i, a in enumerate(rows):
        for j, b in enumerate(rows):
            norm = math.sqrt(a @ a) * math.sqrt(b @ b)
            matrix[i, j] = 0.0 if norm == 0 else 1.0 if np.array_equal(a, b) else a @ b / norm
    return matrix


def argmax_walk(
    pool: Pool,
    budget: Budget,
    gain: Callable[[list[int], int], float],
    *,
    stops: bool,
    tie: float = 1e-9,
) -> tuple[int, ...]:
    """Take the best that fits; the lowest rank among gains that lie within `tie` of the best."""
    chosen: list[int] = []
    left = math.inf if budget.tokens is None else budget.tokens
    total = 0.0
    while budget.passages is None or len(chosen) < budget.passages:
        gains = {
            i: gain(chosen, i)
            for i, p in enumerate(pool.passages)
            if i not in chosen and (p.tokens or 0) <= left
        }
        gains = {i: g for i, g in gains.items() if g > -math.inf}
        if not gains:
            break
        best = max(gains.values())
        if stops and best <= 1e-12 * total:
            break
        pick = next(i for i, g in gains.items() if g >= best - tie * abs(best) - 1e-12)
        total += gains[pick]
        chosen.append(pick)
        left -= pool.passages[pick].tokens or 0
    return tuple(i + 1 for i in chosen)


def mmr_by_definition(pool: Pool, budget: Budget, *, lambda_: float, clip: bool) -> tuple[int, ...]:
    sim = cosines(pool)
    sim = np.maximum(sim, 0) if clip else sim

    def gain(chosen: list[int], i: int) -> float:
        rel = pool.passages[i].score or 0.0
        if not chosen:
            return rel
        return lambda_ * rel - (1 - lambda_) * max(sim[i, j] for j in chosen)

    return argmax_walk(pool, budget, gain, stops=False)


def facility_value(pool: Pool, sim: np.ndarray, chosen: Sequence[int]) -> float:
    return math.fsum(
        max(0.0, p.score or 0.0) * max((max(0.0, sim[i, j]) for j in chosen), default=0.0)
        for i, p in enumerate(pool.passages)
    )


def facility_by_definition(pool: Pool, budget: Budget) -> tuple[int, ...]:
    sim = cosines(pool)

    def gain(chosen: list[int], i: int) -> float:
        more = facility_value(pool, sim, [*chosen, i]) - facility_value(pool, sim, chosen)
        return 0.0 if abs(more) < 1e-13 else more

    return argmax_walk(pool, budget, gain, stops=True)


def determinant_gain(pool: Pool, *, quality: float, shift: float) -> Callable[..., float]:
    q = np.exp(quality * np.array([p.score or 0.0 for p in pool.passages]))
    kernel = q[:, None] * cosines(pool) * q + shift * np.eye(len(pool))

    def log_det(chosen: list[int]) -> float:
        det = float(np.linalg.det(kernel[np.ix_(chosen, chosen)])) if chosen else 1.0
        scale = float(np.prod(np.diag(kernel)[chosen])) if chosen else 1.0
        return math.log(det) if det > 1e-10 * scale and det > 0 else -math.inf

    return lambda chosen, i: log_det([*chosen, i]) - log_det(chosen)


def check_mmr(pool: Pool, budget: Budget, lambda_: float, clip: bool) -> None:
    got = make_selector("mmr", lambda_=lambda_, clip=clip).select(pool, budget).ranks
    assert got == mmr_by_definition(pool, budget, lambda_=lambda_, clip=clip)


def check_facility(pool: Pool, budget: Budget) -> None:
    selection = make_selector("facility_location").select(pool, budget)
    assert selection.ranks == facility_by_definition(pool, budget)
    value = facility_value(pool, cosines(pool), [rank - 1 for rank in selection.ranks])
    assert selection.objective == pytest.approx(value, rel=1e-9, abs=1e-12)


def check_determinants(pool: Pool, budget: Budget, quality: float) -> None:
    raw = determinant_gain(pool, quality=quality, shift=0.0)
    shifted = determinant_gain(pool, quality=quality, shift=1.0)
    got = make_selector("dpp_map", quality=quality).select(pool, budget).ranks
    assert got == argmax_walk(pool, budget, raw, stops=False)
    got = make_selector("log_det", quality=quality).select(pool, budget).ranks
    assert got == argmax_walk(pool, budget, shifted, stops=False)


def loop(pool: Pool, budget: Budget, min_new_claims: int) -> tuple[int, ...]:
    """The published loop, with sets."""
    covered: set[str] = set()
    used = 0
    out = []
    for rank, p in enumerate(pool.passages, 1):
        if budget.passages is not None and len(out) >= budget.passages:
            break
        if len((p.claims or frozenset()) - covered) < min_new_claims:
            continue
        if budget.tokens is not None and used + (p.tokens or 0) > budget.tokens:
            continue
        out.append(rank)
        used += p.tokens or 0
        covered |= p.claims or frozenset()
    return tuple(out)


def check_threshold(pool: Pool, budget: Budget, threshold: float) -> None:
    sim = cosines(pool)
    out: list[int] = []
    used = 0
    for i, p in enumerate(pool.passages):
        if budget.passages is not None and len(out) >= budget.passages:
            break
        if any(sim[i, j] >= threshold - 1e-9 for j in out):
            continue
        if budget.tokens is not None and used + (p.tokens or 0) > budget.tokens:
            continue
        out.append(i)
        used += p.tokens or 0
    got = make_selector("similarity_threshold", threshold=threshold).select(pool, budget)
    assert got.ranks == tuple(i + 1 for i in out)


lambdas = st.sampled_from([0.0, 0.3, 0.5, 0.8, 1.0])
qualities = st.sampled_from([0.0, 0.25, 0.5, 2.0])
thresholds = st.sampled_from([0.0, 0.3, 0.7, 0.85, 1.0])


@SOME
@given(vector_pools(), budgets, lambdas, st.booleans())
def test_mmr_equals_its_definition(pool: Pool, budget: Budget, lambda_: float, clip: bool) -> None:
    check_mmr(pool, budget, lambda_, clip)


@SOME
@given(vector_pools(), budgets)
def test_facility_location_equals_its_definition(pool: Pool, budget: Budget) -> None:
    check_facility(pool, budget)


@SOME
@given(vector_pools(most=6), budgets, qualities)
def test_determinants_equal_their_definition(pool: Pool, budget: Budget, quality: float) -> None:
    check_determinants(pool, budget, quality)


@SOME
@given(claim_pools(), budgets, st.integers(0, 4))
def test_marginal_gain_equals_the_published_loop(pool: Pool, budget: Budget, least: int) -> None:
    got = make_selector("marginal_gain", min_new_claims=least).select(pool, budget).ranks
    assert got == loop(pool, budget, least)


@SOME
@given(vector_pools(), budgets, thresholds)
def test_the_threshold_walk_equals_its_definition(
    pool: Pool, budget: Budget, threshold: float
) -> None:
    check_threshold(pool, budget, threshold)


@pytest.mark.heavy
@MANY
@given(vector_pools(most=14), budgets, lambdas, st.booleans(), qualities, thresholds)
def test_thousands_of_pools_agree_with_every_definition(
    pool: Pool, budget: Budget, lambda_: float, clip: bool, quality: float, threshold: float
) -> None:
    check_mmr(pool, budget, lambda_, clip)
    check_facility(pool, budget)
    check_threshold(pool, budget, threshold)


@SOME
@given(vector_pools(), budgets, st.booleans())
def test_lazy_facility_location_takes_what_the_plain_one_takes(
    pool: Pool, budget: Budget, cost_aware: bool
) -> None:
    from selection.selectors import facility_location

    selector = make_selector("facility_location", cost_aware=cost_aware)
    plain = selector.select(pool, budget).ranks
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facility_location, "LAZY_FROM", 0)
        assert selector.select(pool, budget).ranks == plain


def copies(seed: int, size: int) -> Pool:
    """Clustered vectors with exact and near copies, as retrieval returns them."""
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(5, 16))[draw.integers(0, 5, size)]
    rows += draw.normal(size=(size, 16)) / 2
    rows[::5] = rows[-1]
    rows[1::7] = rows[-1] + 1e-6 * draw.normal(size=rows[1::7].shape)
    return Pool.from_arrays(
        [str(i) for i in range(size)],
        embeddings=rows.astype(np.float32),
        scores=draw.integers(0, 8, size) / 8,
        tokens=draw.integers(10, 90, size),
    )


@pytest.mark.parametrize("size", [2, 9, 60, 200])
@pytest.mark.parametrize(
    "limit", [Budget(passages=20), Budget(tokens=600), Budget(500, 7)], ids=repr
)
@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("mmr", {}),
        ("mmr", {"lambda_": 0.2, "clip": True}),
        ("log_det", {}),
        ("log_det", {"quality": 4.0}),
        ("facility_location", {}),
        ("facility_location", {"cost_aware": True}),
    ],
)
def test_with_or_without_the_matrix_the_picks_are_the_same(
    name: str, params: dict, limit: Budget, size: int
) -> None:
    selector = make_selector(name, **params)
    for seed in range(4):
        without, ready = copies(seed, size), copies(seed, size)
        _ = ready.similarity
        assert selector.select(without, limit).ranks == selector.select(ready, limit).ranks


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    "name", ["mmr", "facility_location", "log_det", "dpp_map", "similarity_threshold"]
)
def test_single_and_double_precision_give_the_same_picks(name: str, seed: int) -> None:
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(30, 12)).astype(np.float32)
    rows[15:20] = rows[:5]
    scores = draw.random(30).astype(np.float32)
    ids = [f"p{i}" for i in range(30)]
    single = Pool.from_arrays(ids, embeddings=rows, scores=scores)
    double = Pool.from_arrays(ids, embeddings=rows.astype(float), scores=scores.astype(float))
    budget = Budget(passages=12)
    first = make_selector(name).select(single, budget)
    assert first.ranks == make_selector(name).select(double, budget).ranks
