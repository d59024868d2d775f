"""What two arms did on every question of a collection, read by its numbers alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from selection.model import Pool
from storage import queries
from storage import tables as t
from storage.engine import Database
from storage.reading import pools_of
from storage.records import ArmOutcome
from storage.stored import arm_of
from storage.studies.prompts import setting_of

CHUNK = 200
QUICK = frozenset({"tokens", "claims"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoArms:
    """One question. before, after: the runs of either arm, whether or not they have an outcome.

    pool: without texts. evidence_known: whether somebody looked for answer-bearing passages.
    """

    question: str
    text: str
    pool: Pool
    evidence_known: bool
    before: tuple[ArmOutcome, ...]
    after: tuple[ArmOutcome, ...]


def two_arms(database: Database, collection: str, *, before: str, after: str) -> Iterator[TwoArms]:
    """Every question in order, a chunk read at a time.

    :raises NotStored: for an unknown collection.
    """
    home = queries.collection(database, collection)
    q = t.questions.c
    with database.read() as connection:
        keys = queries.question_keys(connection, home.id)
    for start in range(0, len(keys), CHUNK):
        some = keys[start : start + CHUNK]
        with database.read() as connection:
            heads = {
                row.id: row
                for row in connection.execute(
                    select(q.id, q.external_id, q.text, q.evidence_known).where(q.id.in_(some))
                )
            }
            runs = _runs(connection, some, (before, after))
        needs = QUICK.union(*(_needs(run) for one in runs.values() for run in one))
        pools = pools_of(database, home.id, some, needs=needs, relevance=None)
        for key, pool in zip(some, pools, strict=True):
            yield TwoArms(
                question=heads[key].external_id,
                text=heads[key].text,
                pool=pool,
                evidence_known=heads[key].evidence_known,
                before=tuple(run for run in runs[key] if run.name == before),
                after=tuple(run for run in runs[key] if run.name == after),
            )


def _runs(
    connection: Connection, keys: Sequence[int], arms: tuple[str, str]
) -> defaultdict[int, list[ArmOutcome]]:
    """Question's key -> the runs of these arms, in the file's order."""
    o = t.outcomes.c
    found: defaultdict[int, list[ArmOutcome]] = defaultdict(list)
    rows = connection.execute(
        select(t.outcomes)
        .where(o.question_id.in_(keys), o.arm.in_(arms))
        .order_by(o.question_id, o.position)
    )
    for row in rows:
        found[row.question_id].append(arm_of(row))
    return found


def _needs(run: ArmOutcome) -> frozenset[str]:
    """What its setting needs of a pool, where that has to say what was sent."""
    setting = setting_of(run) if run.sent is None else None
    return frozenset(setting.needs) if setting else frozenset()
