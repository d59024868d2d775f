"""Small pools for tests of the library, made from vectors, claims or a seed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from selection import Passage, Pool

DATA = Path(__file__).resolve().parents[1] / "data"


def vectors(rows: ArrayLike, scores: Sequence[float] | None = None, **more: Any) -> Pool:
    """A pool of embeddings; scores are 1 where none are given."""
    matrix = np.asarray(rows)
    known = [1.0] * len(matrix) if scores is None else scores
    return Pool(
        [
            Passage(id=f"p{i + 1}", score=known[i], embedding=row, **per(more, i))
            for i, row in enumerate(matrix)
        ]
    )


def per(columns: dict[str, Sequence[Any]], index: int) -> dict[str, Any]:
    return {name: column[index] for name, column in columns.items()}


def similarities(matrix: ArrayLike, scores: Sequence[float], **more: Any) -> Pool:
    """A pool whose similarity matrix is given."""
    return Pool(
        [Passage(id=f"p{i + 1}", score=s, **per(more, i)) for i, s in enumerate(scores)],
        similarity=matrix,
    )


def claims(
    sets: Sequence[str], tokens: Sequence[int] | None = None, gold: str = "", **more: Any
) -> Pool:
    """A pool whose claims are single letters: ["ab", "a", ""]."""
    return Pool(
        [
            Passage(
                id=f"p{i + 1}",
                claims=frozenset(letters),
                tokens=None if tokens is None else tokens[i],
                **per(more, i),
            )
            for i, letters in enumerate(sets)
        ],
        gold=dict.fromkeys(gold, 1.0),
    )


@cache
def worked_example() -> Pool:
    """The twenty passages of the worked example; all six facts are gold."""
    data = json.loads((DATA / "worked_example.json").read_text())
    passages = [
        Passage(
            id=f"p{row['rank']}",
            tokens=row["tokens"],
            score=1.0 - row["rank"] / 100,
            claims=frozenset(row["claims"]),
        )
        for row in data["passages"]
    ]
    facts = sorted({claim for p in passages for claim in p.claims or ()})
    return Pool(passages, gold=dict.fromkeys(facts, 1.0), id="charged-twice")


@cache
def finance() -> dict[str, Any]:
    return json.loads((DATA / "finance_pools.json").read_text())


@cache
def finance_pools() -> tuple[Pool, ...]:
    """The sixteen pools of nine; relevance is the inner product with the query."""
    return tuple(
        vectors(p["vectors"], (np.asarray(p["vectors"]) @ np.asarray(p["query"])).tolist())
        for p in finance()["pools"]
    )


GRID = (-1.0, -0.5, 0.0, 0.25, 0.5, 1.0)


@st.composite
def vector_pools(draw: st.DrawFn, *, most: int = 9, nonnegative: bool = False) -> Pool:
    """Pools that break careless selectors: ties, exact copies, zero vectors, opposite and
    rank-deficient directions, norms from 1e-150 to 1e150."""
    size = draw(st.integers(0, most))
    width = draw(st.integers(1, 4))
    kinds = [
        draw(st.lists(st.sampled_from(GRID), min_size=width, max_size=width))
        for _ in range(max(1, draw(st.integers(1, max(1, size)))))
    ]
    rows = np.array([kinds[draw(st.integers(0, len(kinds) - 1))] for _ in range(size)])
    rows = rows.reshape(size, width)
    if draw(st.booleans()):
        seed = draw(st.integers(0, 2**16))
        rows = rows + np.random.default_rng(seed).normal(size=(1, width)) * (rows != 0)
    norms = [draw(st.sampled_from([1.0, 1.0, 1e-150, 1e150])) for _ in range(size)]
    levels = st.sampled_from([0.0, 0.1, 0.5, 0.5, 0.9, 1.0] + ([] if nonnegative else [-0.5]))
    scores = [draw(levels) for _ in range(size)]
    tokens = [draw(st.integers(0, 12)) for _ in range(size)]
    return Pool(
        [
            Passage(id=f"p{i + 1}", score=scores[i], tokens=tokens[i], embedding=rows[i] * norms[i])
            for i in range(size)
        ]
    )


@st.composite
def claim_pools(draw: st.DrawFn, *, most: int = 9, universe: str = "abcdefg") -> Pool:
    """Pools of claims and tokens, with copies, empty sets and passages that cost nothing."""
    size = draw(st.integers(0, most))
    sets = [draw(st.frozensets(st.sampled_from(universe), max_size=4)) for _ in range(size)]
    tokens = [draw(st.integers(0, 12)) for _ in range(size)]
    return Pool(
        [Passage(id=f"p{i + 1}", claims=sets[i], tokens=tokens[i]) for i in range(size)],
        gold={letter: 1.0 + 0.5 * (letter == "a") for letter in universe},
    )
