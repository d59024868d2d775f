"""Speed beside the peers, in one run: medians and ratios, one thread, calls interleaved.

    env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
        python -m tests.benchmarks.speed

Peers (tests/requirements.txt): pyversity 0.2.0, langchain-core, submodlib-py 0.0.3. A row whose
peer is not installed says so. Compare ratios inside one run only: machines are noisy.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from statistics import median
from typing import Any

import numpy as np

from selection import Budget, Passage, Pool, make_selector
from selection.exact import best
from selection.registry import Selector
from selection.sweep import sweep

Call = Callable[[], Any]
WIDTH = 384


def vectors(size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Clustered unit vectors in single precision, a fifth of them near-duplicates; and scores."""
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(8, WIDTH))[draw.integers(0, 8, size)]
    rows = rows + 0.9 * draw.normal(size=(size, WIDTH))
    copies = draw.permutation(size)[: size // 5]
    rows[copies] = rows[draw.integers(0, size, len(copies))]
    rows[copies] += 0.05 * draw.normal(size=(len(copies), WIDTH))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows.astype(np.float32), draw.random(size).astype(np.float32)


def pool_of(rows: np.ndarray, scores: np.ndarray) -> Pool:
    return Pool.from_arrays([str(i) for i in range(len(rows))], embeddings=rows, scores=scores)


def ranks(selector: Selector, pool: Pool, budget: Budget) -> Call:
    return lambda: selector.select(pool, budget).ranks


def medians(calls: Sequence[Call], runs: int) -> list[float]:
    """Median milliseconds of each call; calls take turns, the first round is thrown away."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(runs + 1):
        for at, call in enumerate(calls):
            start = time.perf_counter()
            call()
            times[at].append(1000.0 * (time.perf_counter() - start))
    return [median(column[1:]) for column in times]


def row(name: str, ours: float, peer: str, theirs: float | None, target: str) -> None:
    if theirs is None:
        missing = "-" if peer == "-" else "not installed"
        print(f"| {name} | {ours:.3f} | {peer} | {missing} | - | {target} |")
        return
    print(f"| {name} | {ours:.3f} | {peer} | {theirs:.3f} | {theirs / ours:.1f}x | {target} |")


def pyversity_call(rows: np.ndarray, scores: np.ndarray, k: int, kind: str) -> Call | None:
    if find_spec("pyversity") is None:
        return None
    from pyversity import diversify

    return lambda: diversify(rows, scores, k, strategy=kind, diversity=0.5)


def langchain_call(rows: np.ndarray, k: int) -> Call | None:
    if find_spec("langchain_core") is None:
        return None
    from langchain_core.vectorstores.utils import maximal_marginal_relevance

    listed = list(rows)
    return lambda: maximal_marginal_relevance(rows[0], listed, lambda_mult=0.5, k=k)


def submodlib_call(similarity: np.ndarray, k: int) -> Call | None:
    if find_spec("submodlib") is None:
        return None
    import submodlib

    def call() -> Any:
        function = submodlib.FacilityLocationFunction(
            n=len(similarity), mode="dense", sijs=similarity, separate_rep=False
        )
        return function.maximize(
            budget=k,
            optimizer="LazyGreedy",
            stopIfZeroGain=False,
            stopIfNegativeGain=False,
            verbose=False,
            show_progress=False,
        )

    return call


def beside(name: str, ours: Call, peer: str, call: Call | None, target: str, runs: int) -> None:
    found = medians([ours] if call is None else [ours, call], runs)
    row(name, found[0], peer, None if call is None else found[1], target)


def mmr(runs: int) -> None:
    for size, k, target in (
        (20, 5, "2x"), (100, 5, "2x"), (100, 20, "2x"), (200, 20, "2x"), (1000, 20, "1.4x"),
    ):  # fmt: skip
        rows, scores = vectors(size, seed=size)
        pool = pool_of(rows, scores)
        _ = pool.unit_single
        selector, budget = make_selector("mmr", clip=True), Budget(passages=k)
        call = pyversity_call(rows, scores, k, "mmr")
        name = f"MMR, n = {size:,}, k = {k}"
        beside(name, ranks(selector, pool, budget), "pyversity", call, target, runs)
    rows, scores = vectors(100, seed=1)
    pool, budget = pool_of(rows, scores), Budget(passages=20)
    _ = pool.unit_single
    selector = make_selector("mmr")
    ours, ledger = (
        lambda: selector.select(pool, budget).ranks,
        lambda: selector.select(pool, budget).decisions,
    )
    beside("MMR, n = 100, k = 20", ours, "langchain-core", langchain_call(rows, 20), "20x", runs)
    row("MMR, n = 100, k = 20, with the ledger", medians([ledger], runs)[0], "-", None, "-")


def determinants(runs: int) -> None:
    for size, k in ((20, 5), (100, 5), (100, 20), (200, 20)):
        rows, scores = vectors(size, seed=size)
        pool, budget, selector = pool_of(rows, scores), Budget(passages=k), make_selector("log_det")
        _ = pool.unit_single
        call = pyversity_call(rows, scores, k, "dpp")
        name = f"log det, n = {size}, k = {k}"
        beside(name, ranks(selector, pool, budget), "pyversity", call, "1.8x", runs)


def facility(runs: int, large: bool) -> None:
    for size, target in ((1000, "3x"), (5000, "20x")) if large else ((1000, "3x"),):
        rows, _ = vectors(size, seed=size)
        pool, budget = pool_of(rows, np.ones(size)), Budget(passages=20)
        similarity = pool.clipped_columns.astype(np.float32)
        selector = make_selector("facility_location")
        call = submodlib_call(similarity, 20)
        name = f"facility location, n = {size:,}, k = 20, similarity given"
        few = max(3, runs // 10)
        beside(name, ranks(selector, pool, budget), "submodlib lazy", call, target, few)


def lambda_sweep() -> None:
    questions, size, k = 2000, 50, 10
    lambdas = [0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9]
    data = [vectors(size, seed=q) for q in range(questions)]
    grid, budgets = {"clip": [True], "lambda_": lambdas}, [Budget(passages=k)]

    def ours() -> Any:
        return sweep(pools, "mmr", grid, budgets=budgets)

    pools = [pool_of(*one) for one in data]
    part = data[:: questions // 100]
    found = None
    if find_spec("pyversity") is not None:
        from pyversity import diversify

        def loop() -> None:
            for rows, scores in part:
                for lambda_ in lambdas:
                    diversify(rows, scores, k, strategy="mmr", diversity=1.0 - lambda_)

        mine, theirs = medians([ours, loop], 5)
        found = theirs * questions / len(part)
    else:
        mine = medians([ours], 5)[0]
    floor = medians([lambda: [rows @ rows.T for rows, _ in data]], 5)[0]
    row("MMR, 2,000 questions x 50 x 8 lambdas", mine, "pyversity loop", found, "20x")
    row("... the matrix products alone (the floor)", floor, "-", None, "-")


def published_loop(
    sets: Sequence[frozenset[int]], tokens: Sequence[int], least: int, limit: int
) -> list[int]:
    covered: frozenset[int] = frozenset()
    used, chosen = 0, []
    for at, claims in enumerate(sets):
        if len(claims - covered) < least:
            continue
        if used + tokens[at] > limit:
            continue
        chosen.append(at)
        used += tokens[at]
        covered |= claims
    return chosen


def claim_sweep(universe: int, each: int) -> None:
    questions, size = 10_000, 50
    draw = np.random.default_rng(universe)
    words = np.zeros((questions, size, -(-universe // 64)), np.uint64)
    for _ in range(each):
        bit = draw.integers(0, universe, (questions, size))
        at = np.ogrid[:questions, :size]
        words[at[0], at[1], bit >> 6] |= np.uint64(1) << (bit & 63).astype(np.uint64)
    tokens = draw.integers(120, 900, (questions, size))
    ids, names = [str(i) for i in range(size)], [f"c{b}" for b in range(universe)]
    pools = [
        Pool.from_arrays(ids, tokens=tokens[q], claim_words=words[q], claim_names=names)
        for q in range(questions)
    ]
    limits, settings = [500, 1000, 1500, 2000, 3000, 4000, 6000, 8000], [1, 2, 3, 4, 5]
    budgets = [Budget(tokens=limit) for limit in limits]

    def ours() -> Any:
        return sweep(pools, "marginal_gain", {"min_new_claims": settings}, budgets=budgets)

    sets = [[frozenset(np.flatnonzero(r).tolist()) for r in p.claim_bits.matrix()] for p in pools]
    costs = tokens.tolist()
    start = time.perf_counter()
    plain = [
        published_loop(sets[q], costs[q], least, limit)
        for q in range(questions)
        for least in settings
        for limit in limits
    ]
    theirs = 1000.0 * (time.perf_counter() - start)
    result = ours()
    same = sum(list(result.order(i)) == walk for i, walk in enumerate(plain))
    name = f"claims, 10,000 x 50 x 40 walks, {universe} claims ({same:,} of {len(plain):,} equal)"
    row(name, medians([ours], 5)[0], "frozenset loop", theirs, "20x")


def optimum(runs: int) -> None:
    draw = np.random.default_rng(0)
    times = []
    for _ in range(max(6, runs // 3)):
        stated = draw.random((50, 60)) < draw.choice([0.05, 0.1])
        pool = Pool(
            [
                Passage(
                    id=str(i),
                    tokens=int(draw.integers(120, 900)),
                    claims={f"c{c}" for c in np.flatnonzero(stated[i])},
                )
                for i in range(50)
            ]
        )
        total = int(np.sum([p.tokens for p in pool.passages]))
        for share in (0.1, 0.25, 0.5):
            start = time.perf_counter()
            best(pool, Budget(tokens=int(share * total)), "claims")
            times.append(1000.0 * (time.perf_counter() - start))
    row(
        f"exact optimum, 50 x 60 claims (worst {max(times):.0f})", median(times), "-", None, "50 ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=60, help="timed runs of a fast call")
    parser.add_argument("--large", action="store_true", help="facility location at n = 5,000 too")
    options = parser.parse_args()
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        print("Threads are not pinned to one: set OPENBLAS_NUM_THREADS=1 before comparing.")
    print("| case | ours, ms | peer | theirs, ms | ratio | target |")
    print("|---|---|---|---|---|---|")
    mmr(options.runs)
    determinants(options.runs)
    facility(options.runs, options.large)
    lambda_sweep()
    claim_sweep(12, 3)
    claim_sweep(60, 12)
    claim_sweep(100, 12)
    optimum(options.runs)


if __name__ == "__main__":
    main()
