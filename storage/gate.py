"""A gate for a team's own checks: did one saved comparison drop against another?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select

from selection.measures import all_measures
from selection.significance import Paired, paired
from storage import tables as t
from storage.engine import Database


class CannotJudge(ValueError):
    """The two cannot be held against each other: nothing passes and nothing fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One selector of one saved comparison. values: question -> measure where it is defined."""

    name: str
    selector: str
    fingerprint: str
    questions: frozenset[str]
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the gate found. drop: by how much the mean got worse, 0 or below where it did not.

    got_worse: question -> (before, after), the largest loss first. unpaired: questions in one only.
    undefined: questions in both that have no value in at least one.
    """

    passed: bool
    metric: str
    max_drop: float
    baseline: Side
    candidate: Side
    drop: float
    test: Paired
    got_worse: Mapping[str, tuple[float, float]]
    unpaired: int
    undefined: int


def judge(
    database: Database,
    *,
    baseline: str,
    candidate: str,
    metric: str,
    max_drop: float,
    allow_changed: bool = False,
) -> Verdict:
    """Judge the mean over paired questions. baseline, candidate: NAME or NAME:selector.

    allow_changed: pair questions by id even though the data were not the same.

    :raises CannotJudge: for an unknown name or measure, several selectors to choose from, data
        that changed between the two, or no question with a value in both.
    """
    measure = next((one for one in all_measures() if one.name == metric), None)
    if measure is None or measure.better is None:
        names = ", ".join(one.name for one in all_measures() if one.better is not None)
        raise CannotJudge(f"{metric!r} is no measure that gets better or worse; there are {names}.")
    before = _side(database, baseline, metric)
    after = _side(database, candidate, metric)
    if before.fingerprint != after.fingerprint and not allow_changed:
        raise CannotJudge(
            f"The data changed between {before.name!r} and {after.name!r}; save the baseline anew, "
            "or pair what is left by id with --allow-changed-data."
        )
    common = [question for question in before.values if question in after.values]
    if not common:
        raise CannotJudge(f"No question has a {metric} in both {before.name!r} and {after.name!r}.")
    sign = 1.0 if measure.better == "higher" else -1.0
    gained = {q: sign * (after.values[q] - before.values[q]) for q in common}
    test = paired(list(gained.values()))
    drop = -(sum(gained.values()) / len(gained))
    worse = sorted((gain, question) for question, gain in gained.items() if gain < 0)
    return Verdict(
        passed=drop <= max_drop + 1e-12,
        metric=metric,
        max_drop=max_drop,
        baseline=before,
        candidate=after,
        drop=drop,
        test=test,
        got_worse={q: (before.values[q], after.values[q]) for _, q in worse},
        unpaired=len(before.questions ^ after.questions),
        undefined=len(before.questions & after.questions) - len(common),
    )


def _side(database: Database, wanted: str, metric: str) -> Side:
    """A saved comparison by NAME, or by NAME:selector where the name has more than one."""
    c, r = t.comparisons.c, t.results.c
    with database.read() as connection:
        heads = connection.execute(select(c.id, c.name, c.selectors, c.fingerprint)).all()
        found = [
            (head, [spec for spec in head.selectors if _named(wanted, head.name, spec)])
            for head in heads
        ]
        found = [(head, specs) for head, specs in found if specs]
        if not found:
            names = ", ".join(repr(head.name) for head in heads) or "none"
            raise CannotJudge(f"There is no saved comparison {wanted!r}; saved are {names}.")
        if len(found) > 1 or len(found[0][1]) > 1:
            choices = ", ".join(f"{head.name}:{spec}" for head, specs in found for spec in specs)
            raise CannotJudge(f"{wanted!r} is ambiguous; name one of {choices}.")
        head, (spec,) = found[0]
        rows = connection.execute(
            select(r.question, r.measures[metric].as_float()).where(
                r.comparison_id == head.id, r.selector == spec
            )
        ).all()
    return Side(
        name=head.name,
        selector=spec,
        fingerprint=head.fingerprint,
        questions=frozenset(question for question, _ in rows),
        values={question: value for question, value in rows if value is not None},
    )


def _named(wanted: str, name: str, spec: str) -> bool:
    return wanted in (name, f"{name}:{spec}", f"{name}:{spec.partition('(')[0]}")
