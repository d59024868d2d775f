"""How two arms of a collection went: right or wrong a question, and how much of that is noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from sqlalchemy import select

from storage import queries
from storage import tables as t
from storage.engine import Database
from storage.records import ArmOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """The runs of one question under two arms, and how the majority of them went.

    outcome: "worse", "better", "right" (both) or "wrong" (both). worse_runs: pairs of first run
    with first run, second with second, in which the later arm was wrong and the earlier right.
    """

    outcome: str
    before: tuple[ArmOutcome, ...]
    after: tuple[ArmOutcome, ...]
    worse_runs: int
    runs: int


def arms(database: Database, collection: str) -> tuple[str, ...]:
    """The arms that a collection has right or wrong of, in the order of its file.

    :raises NotStored: for an unknown collection.
    """
    home = queries.collection(database, collection)
    o, q = t.outcomes.c, t.questions.c
    with database.read() as connection:
        found = connection.scalars(
            select(o.arm)
            .join(t.questions, q.id == o.question_id)
            .where(q.collection_id == home.id, o.correct.is_not(None))
            .order_by(q.position, o.position)
        )
        return tuple(dict.fromkeys(found))


def pair(record_arms: Sequence[ArmOutcome], baseline: str, candidate: str) -> Paired | None:
    """Two arms on one question; None where either has no outcome.

    An arm counts as right where more than half of its runs are, as in the list of questions.
    """
    before, after = (
        tuple(arm for arm in record_arms if arm.name == name and arm.correct is not None)
        for name in (baseline, candidate)
    )
    if not before or not after:
        return None
    was, now = _mostly_right(before), _mostly_right(after)
    outcome = ("right" if now else "wrong") if was == now else "better" if now else "worse"
    runs = list(zip(before, after, strict=False))
    return Paired(
        outcome=outcome,
        before=before,
        after=after,
        worse_runs=sum(bool(first.correct) and not second.correct for first, second in runs),
        runs=len(runs),
    )


def _mostly_right(runs: Sequence[ArmOutcome]) -> bool:
    return 2 * sum(bool(run.correct) for run in runs) > len(runs)


def disagreements(runs: Sequence[ArmOutcome]) -> tuple[int, int]:
    """Pairs of runs of one arm that disagree, and how many pairs there are."""
    pairs = list(combinations(runs, 2))
    return sum(one.correct != other.correct for one, other in pairs), len(pairs)
