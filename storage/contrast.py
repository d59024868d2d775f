"""Saved runs held against a baseline, question by question: how far apart, and is it noise?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from sqlalchemy import Connection, select

from selection.significance import RESAMPLES, McNemar, Paired, holm, mcnemar, paired
from storage import tables as t
from storage.engine import Database
from storage.queries import NotStored

MOST = 6
"""Runs side by side, the baseline among them."""
DRAWS = 20_000_000
"""Numbers drawn for one test at most; with more questions there are fewer resamples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One selector of one saved comparison."""

    comparison: str
    selector: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """A run against the baseline, over questions that have a value in both.

    test: of the differences, this run minus the baseline. yes_no: the exact test instead, where all
    values are 0 or 1. p: of the test that applies, None where there is nothing to test; holm: the
    same corrected for everything shown. only_baseline, only_here: questions in one of the two.
    undefined: in both, without a value in one of them. differing: pairs whose data were not the
    same, None where that was not kept.
    """

    test: Paired
    yes_no: McNemar | None
    p: float | None
    holm: float | None
    only_baseline: tuple[str, ...]
    only_here: tuple[str, ...]
    undefined: int
    differing: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A run under one measure: its mean over n questions, and, if not the baseline, against it."""

    run: Run
    mean: float | None
    n: int
    against: Against | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """The values of one run. fingerprints: question -> of its data, None where not kept."""

    values: Mapping[str, float | None]
    fingerprints: Mapping[str, str | None]


def contrast(
    database: Database, runs: Sequence[Run], measure: str, *, same_data: bool = False, seed: int = 0
) -> tuple[Standing, ...]:
    """Runs under one measure; the first is the baseline.

    same_data: pair only questions whose data were the same in both.

    :raises NotStored: for a run that is not stored. :raises ValueError: for no run or too many.
    """
    if not 1 <= len(runs) <= MOST:
        raise ValueError(f"{len(runs)} runs; 1 to {MOST} are accepted.")
    with database.read() as connection:
        columns = [_column(connection, run, measure) for run in runs]
    standings = [
        _standing(run, columns[0], column, baseline=at == 0, same_data=same_data, seed=seed)
        for at, (run, column) in enumerate(zip(runs, columns, strict=True))
    ]
    corrected = holm([one.against.p if one.against else None for one in standings])
    return tuple(
        one if one.against is None else replace(one, against=replace(one.against, holm=p))
        for one, p in zip(standings, corrected, strict=True)
    )


def _column(connection: Connection, run: Run, measure: str) -> _Column:
    c, r = t.comparisons.c, t.results.c
    rows = connection.execute(
        select(r.question, r.measures[measure].as_float(), r.fingerprint)
        .join(t.comparisons, c.id == r.comparison_id)
        .where(c.name == run.comparison, r.selector == run.selector)
        .order_by(r.id)
    ).all()
    if not rows and not _is_stored(connection, run):
        raise NotStored(f"The run {run.selector} of {run.comparison!r} is not stored.")
    return _Column(
        values={question: value for question, value, _ in rows},
        fingerprints={question: fingerprint for question, _, fingerprint in rows},
    )


def _is_stored(connection: Connection, run: Run) -> bool:
    c = t.comparisons.c
    selectors = connection.scalar(select(c.selectors).where(c.name == run.comparison))
    return selectors is not None and run.selector in selectors


def _standing(
    run: Run, base: _Column, here: _Column, *, baseline: bool, same_data: bool, seed: int
) -> Standing:
    known = [value for value in here.values.values() if value is not None]
    return Standing(
        run=run,
        mean=fmean(known) if known else None,
        n=len(known),
        against=None if baseline else _against(base, here, same_data=same_data, seed=seed),
    )


def _against(base: _Column, here: _Column, *, same_data: bool, seed: int) -> Against:
    both = [question for question in base.values if question in here.values]
    differing = _differing(base, here, both)
    if same_data and differing is not None:
        both = [question for question in both if question not in differing]
    pairs = [
        (before, after)
        for question in both
        if (before := base.values[question]) is not None
        and (after := here.values[question]) is not None
    ]
    n = len(pairs)
    test = paired(
        [after - before for before, after in pairs],
        seed=seed,
        resamples=max(1_000, min(RESAMPLES, DRAWS // max(1, n))),
    )
    yes_no = _yes_no(pairs)
    return Against(
        test=test,
        yes_no=yes_no,
        p=test.p if yes_no is None else yes_no.p,
        holm=None,
        only_baseline=tuple(q for q in base.values if q not in here.values),
        only_here=tuple(q for q in here.values if q not in base.values),
        undefined=len(both) - n,
        differing=None if differing is None else len(differing),
    )


def _differing(base: _Column, here: _Column, both: Sequence[str]) -> set[str] | None:
    """Questions whose data were not the same; None where that was not kept for all of them."""
    pairs = {
        question: (base.fingerprints[question], here.fingerprints[question]) for question in both
    }
    if any(None in pair for pair in pairs.values()):
        return None
    return {question for question, (one, other) in pairs.items() if one != other}


def _yes_no(pairs: Sequence[tuple[float, float]]) -> McNemar | None:
    """The exact test where every value is 0 or 1; None elsewhere, and without pairs."""
    if not pairs or any(value not in (0.0, 1.0) for pair in pairs for value in pair):
        return None
    worse = sum(after < before for before, after in pairs)
    better = sum(after > before for before, after in pairs)
    return mcnemar(worse, better, n=len(pairs))
