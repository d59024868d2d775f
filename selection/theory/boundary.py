"""Where the lead of diversity ends: pools that do not repeat, and pools that repeat the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from selection.significance import Interval, mean_interval
from selection.theory.finance import KAPPA, Draw
from selection.theory.reading import NAMES, Knobs
from selection.theory.seeds import Swept, swept

TIGHTNESS = (20.0, 45.0, 90.0, 150.0, 220.0, 320.0)
"""kappa of the near-copies, from hardly alike to nearly equal."""
SEEDS = tuple(range(10))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """How far a selector is ahead of top-k in mass on the right answer.

    kappa: how tightly the near-copies lie together. on_answer: whether they lie around the right
    answer. mean: over seeds, with its interval at 95 %.
    """

    kappa: float
    on_answer: bool
    selector: str
    mean: Interval


def leads(
    *,
    tightness: Sequence[float] = TIGHTNESS,
    seeds: Sequence[int] = SEEDS,
    k: int = 3,
    knobs: Knobs = Knobs(),
) -> tuple[Lead, ...]:
    """Every selector against top-k, for copies around the sector and around the right answer."""
    return tuple(
        Lead(
            kappa=kappa,
            on_answer=on_answer,
            selector=name,
            mean=_interval(found, name),
        )
        for on_answer in (False, True)
        for kappa in tightness
        for found in [
            swept(
                seeds,
                k=k,
                knobs=knobs,
                draw=Draw(kappa=replace(KAPPA, generic=kappa), generics_on_answer=on_answer),
            )
        ]
        for name in NAMES
        if name != "top_k"
    )


def _interval(found: Swept, name: str) -> Interval:
    ahead = np.subtract(found.masses[name], found.masses["top_k"])
    interval = mean_interval(ahead)
    if interval is None:
        raise ValueError("One or more seeds are needed.")
    return interval
