"""Is it a difference, or noise? Paired tests, intervals, and corrections for looking often.

Everything random has a seed. Where a test has nothing to say (all differences are zero), it says so
instead of returning NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from selection.model import FloatArray

RESAMPLES = 10_000
MANY = 1_000
"""Values from which plain percentiles do: the correction would look at every pair of values, and
has nothing left to correct."""
AT_ONCE = 2_000_000
"""Numbers drawn at once, so that many values do not fill the memory."""
LEVEL = 0.95
ZERO = 1e-12
"""Differences up to this are none: sums of the same numbers in another order differ by rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate with its interval at 95 %."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """Two settings on the same questions, by their differences (after minus before).

    n: pairs. wins, losses, ties: differences above, below and at 0. mean: with a bootstrap
    interval, None without pairs; its ends equal the mean where all differences are equal.
    p: two-sided sign-flip test, None where there is nothing to test. exact: every flip was tried.
    detectable: the smallest mean difference that a test at 5 % would find four times in five, with
    this many pairs and this spread; None with fewer than two pairs.
    """

    n: int
    wins: int
    losses: int
    ties: int
    mean: Interval | None
    p: float | None
    exact: bool
    detectable: float | None

    @property
    def note(self) -> str:
        """Why there is no test, in words; empty where there is one."""
        if self.p is not None:
            return ""
        return "no pairs" if not self.n else "no test: all differences are zero"


def paired(differences: ArrayLike, *, seed: int = 0, resamples: int = RESAMPLES) -> Paired:
    """Judge paired differences, shape (n,), one a question.

    Sign flips: Smucker, Allan and Carterette 2007; p = (b + 1) / (resamples + 1), exact where all
    2^n flips are fewer. Interval: bias-corrected and accelerated bootstrap (Efron 1987), plain
    percentiles for more than `MANY` pairs.

    :raises ValueError: for a difference that is not a finite number.
    """
    d = np.asarray(differences, dtype=np.float64).ravel()
    if not np.isfinite(d).all():
        raise ValueError("A difference is not a finite number; leave out pairs without a value.")
    d = np.where(np.abs(d) <= ZERO, 0.0, d)
    n = len(d)
    p, exact = _sign_flip(d, seed=seed, resamples=resamples)
    return Paired(
        n=n,
        wins=int((d > 0).sum()),
        losses=int((d < 0).sum()),
        ties=int((d == 0).sum()),
        mean=mean_interval(d, seed=seed, resamples=resamples),
        p=p,
        exact=exact,
        detectable=_detectable(d),
    )


def mean_interval(
    values: ArrayLike, *, seed: int = 0, resamples: int = RESAMPLES
) -> Interval | None:
    """The mean of some values with its bootstrap interval; None without values."""
    d = np.asarray(values, dtype=np.float64).ravel()
    if not len(d):
        return None
    mean = float(d.mean())
    if len(d) == 1 or np.ptp(d) <= ZERO:
        return Interval(value=mean, low=mean, high=mean)
    if len(d) > MANY:
        return _percentile_interval(d, seed=seed, resamples=resamples)
    found = stats.bootstrap(
        (d,),
        np.mean,
        confidence_level=LEVEL,
        n_resamples=resamples,
        method="BCa",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    low, high = float(found.low), float(found.high)
    if not (math.isfinite(low) and math.isfinite(high)):
        return _percentile_interval(d, seed=seed, resamples=resamples)
    return Interval(value=mean, low=low, high=high)


def mean_bands(
    values: ArrayLike, *, seed: int = 0, resamples: int = 1_000
) -> list[Interval | None]:
    """The mean of every column with its percentile bootstrap interval, shape (n, columns).

    The same questions are drawn for all columns, so that curves are drawn from one set of samples
    and differences between columns keep their pairing. NaN is left out; None without values.
    """
    table = np.asarray(values, dtype=np.float64)
    n, columns = table.shape
    known = np.isfinite(table)
    filled = np.where(known, table, 0.0)
    draw = np.random.default_rng(seed)
    means = np.empty((resamples, columns))
    for at in range(resamples if n else 0):
        times = np.bincount(draw.integers(0, n, n), minlength=n).astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            means[at] = (times @ filled) / (times @ known)
    found: list[Interval | None] = []
    for at in range(columns):
        if not known[:, at].any():
            found.append(None)
            continue
        low, high = np.nanpercentile(means[:, at], (50 * (1 - LEVEL), 50 * (1 + LEVEL)))
        value = float(table[known[:, at], at].mean())
        found.append(Interval(value=value, low=float(low), high=float(high)))
    return found


def _percentile_interval(d: FloatArray, *, seed: int, resamples: int) -> Interval:
    """For many values, and where the acceleration is not defined."""
    found = stats.bootstrap(
        (d,),
        np.mean,
        batch=max(1, AT_ONCE // len(d)),
        confidence_level=LEVEL,
        n_resamples=resamples,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(value=float(d.mean()), low=float(found.low), high=float(found.high))


def _sign_flip(d: FloatArray, *, seed: int, resamples: int) -> tuple[float | None, bool]:
    moved = d[d != 0]
    if not len(moved):
        return None, False
    if len(moved) == 1:
        return 1.0, True  # either sign of one difference is as far from zero as the other
    # Zeros stay zero under any flip, so that only the others decide.
    result = stats.permutation_test(
        (moved,),
        np.mean,
        permutation_type="samples",
        n_resamples=resamples,
        batch=max(1, AT_ONCE // len(moved)),
        alternative="two-sided",
        rng=np.random.default_rng(seed),
        vectorized=True,
    )
    return float(result.pvalue), 2 ** len(moved) <= resamples


def _detectable(d: FloatArray) -> float | None:
    if len(d) < 2:
        return None
    spread = float(d.std(ddof=1)) / math.sqrt(len(d))
    return float(stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * spread


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar:
    """Right-or-wrong outcomes of two arms on the same questions.

    worse, better: questions that changed; n: all questions. share: of the changed ones that got
    worse, with its exact (Clopper-Pearson) interval; 0.5 is a coin toss. net: (better - worse) / n
    with the interval that follows from it. p: exact, two-sided. None where nothing changed.
    """

    worse: int
    better: int
    n: int
    share: Interval | None
    net: Interval | None
    p: float | None


def mcnemar(worse: int, better: int, *, n: int) -> McNemar:
    """Exact McNemar test (the binomial test on the questions that changed).

    :raises ValueError: for negative counts, or more changed questions than there are.
    """
    changed = worse + better
    if min(worse, better) < 0 or changed > n:
        raise ValueError(f"{worse} worse and {better} better of {n} questions cannot be.")
    if not changed:
        return McNemar(worse=worse, better=better, n=n, share=None, net=None, p=None)
    test = stats.binomtest(worse, changed, 0.5)
    ends = test.proportion_ci(LEVEL, method="exact")
    share = Interval(value=worse / changed, low=float(ends.low), high=float(ends.high))
    net = Interval(
        value=(better - worse) / n,
        low=(1 - 2 * share.high) * changed / n,
        high=(1 - 2 * share.low) * changed / n,
    )
    return McNemar(worse=worse, better=better, n=n, share=share, net=net, p=float(test.pvalue))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down correction over everything that is shown at once; None stays None.

    Holm 1979. A corrected value is never below the one before it in rising order, nor above 1.
    """
    known = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for place, (p, at) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - place)))
        corrected[at] = highest
    return corrected


def share(count: int, n: int) -> Interval | None:
    """A share with its Wilson interval (1927); None where there is nothing to share."""
    if n <= 0:
        return None
    ends = stats.binomtest(count, n).proportion_ci(LEVEL, method="wilson")
    return Interval(value=count / n, low=float(ends.low), high=float(ends.high))


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsRatio:
    """How much likelier something is among one group than among another.

    with_one of n_one against with_other of n_other. ratio: the sample odds ratio, with Haldane's
    half added to each cell where one is empty; interval by Woolf's logit. p: Fisher's exact test.
    """

    with_one: int
    n_one: int
    with_other: int
    n_other: int
    ratio: Interval
    p: float


def odds_ratio(with_one: int, n_one: int, with_other: int, n_other: int) -> OddsRatio | None:
    """Compare two shares; None where a group is empty."""
    if n_one <= 0 or n_other <= 0:
        return None
    table = np.array(
        [[with_one, n_one - with_one], [with_other, n_other - with_other]], dtype=np.float64
    )
    p = float(stats.fisher_exact(table)[1])
    cells = table + 0.5 if (table == 0).any() else table
    log = float(np.log(cells[0, 0] * cells[1, 1] / (cells[0, 1] * cells[1, 0])))
    reach = float(stats.norm.ppf((1 + LEVEL) / 2) * np.sqrt((1 / cells).sum()))
    ratio = Interval(value=math.exp(log), low=math.exp(log - reach), high=math.exp(log + reach))
    return OddsRatio(
        with_one=with_one, n_one=n_one, with_other=with_other, n_other=n_other, ratio=ratio, p=p
    )
