"""Which selector for this collection? Proposed on one half, reported on the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from selection.measures import Cut, Measure
from selection.model import Budget, FloatArray, Pool
from selection.registry import Selector, make_selector
from selection.significance import Paired, paired
from selection.tuning.halves import LEAST, split

NEAR = 1e-9
Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """One selector. scores: shape (questions,); chosen, reported: its means on the two halves."""

    selector: Selector
    scores: FloatArray = field(repr=False)
    chosen: float
    reported: float
    tokens: float


@dataclass(frozen=True, kw_only=True)
class Advice:
    """baseline: top-k packed. ranking: every other selector, best on the choosing half first.

    against: the reporting half, proposed minus baseline. chose, reported: questions in each half.
    refused: selectors that cannot run on these pools, with the reason.
    """

    baseline: Candidate
    ranking: tuple[Candidate, ...]
    against: Paired
    chose: int
    reported: int
    seed: int
    refused: tuple[tuple[str, str], ...]

    @property
    def proposed(self) -> Candidate:
        """The best on the choosing half; the baseline where nothing is better than it there."""
        return _proposed(self.baseline, self.ranking)

    @property
    def shown(self) -> bool:
        """Whether the reporting half shows a difference: its interval leaves out 0."""
        mean = self.against.mean
        return mean is not None and (mean.low > 0 or mean.high < 0)


def _proposed(baseline: Candidate, ranking: Sequence[Candidate]) -> Candidate:
    first = next(iter(ranking), baseline)
    return first if first.chosen > baseline.chosen + NEAR else baseline


def packed(pools: Sequence[Pool]) -> Selector:
    """Top-k packed: walk the whole pool by rank, and skip what does not fit."""
    return make_selector("top_k", k=max(map(len, pools), default=0), overflow="skip")


def advise(
    pools: Sequence[Pool],
    selectors: Sequence[Selector],
    budget: Budget,
    measure: Measure,
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Advice | None:
    """Run every selector under one budget, choose on a seeded half, report on the other.

    Questions on which the measure is undefined for any selector are left out; None with fewer than
    four. Yardsticks are no candidates: they know what no selector knows.

    :raises ValueError: where top-k packed itself cannot run, naming the passage.
    """
    base = packed(pools)
    table = {base: _scores(pools, base, budget, measure)}
    refused: list[tuple[str, str]] = []
    others = [one for one in selectors if not one.yardstick and one != base]
    for done, selector in enumerate(others, start=1):
        try:
            table[selector] = _scores(pools, selector, budget, measure)
        except ValueError as problem:
            refused.append((selector.title, str(problem)))
        if progress:
            progress(done, len(others))
    known = np.isfinite(np.stack([scores for scores, _ in table.values()])).all(axis=0)
    rows = np.flatnonzero(known)
    if len(rows) < LEAST:
        return None
    first, second = split(rows, seed=seed)
    sign = -1.0 if measure.better == "lower" else 1.0
    found = [
        Candidate(
            selector=selector,
            scores=scores,
            chosen=sign * float(scores[first].mean()),
            reported=sign * float(scores[second].mean()),
            tokens=float(tokens[second].mean()),
        )
        for selector, (scores, tokens) in table.items()
    ]
    baseline, *rest = found
    ranking = tuple(sorted(rest, key=lambda one: (-one.chosen, one.tokens)))
    best = _proposed(baseline, ranking)
    return Advice(
        baseline=baseline,
        ranking=ranking,
        against=paired(sign * (best.scores - baseline.scores)[second], seed=seed),
        chose=len(first),
        reported=len(second),
        seed=seed,
        refused=tuple(refused),
    )


def _scores(
    pools: Sequence[Pool], selector: Selector, budget: Budget, measure: Measure
) -> tuple[FloatArray, FloatArray]:
    """The measure and the tokens of each question, shape (questions,); NaN where undefined."""
    scores, tokens = [], []
    for pool in pools:
        selection = selector.select(pool, budget)
        value = measure.of(Cut(pool, selection))
        scores.append(math.nan if value is None else value)
        tokens.append(math.nan if selection.tokens is None else float(selection.tokens))
    return np.array(scores), np.array(tokens)
