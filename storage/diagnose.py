"""What got worse between two arms of a collection, and what happened to the evidence of each.

One pass over the questions. Nothing here says what caused an answer: it says what the two prompts
held, counts it, and tests whether it is more frequent where answers got worse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from selection.diagnosis import Diagnosis
from selection.significance import McNemar, mcnemar
from storage import queries
from storage.engine import Database
from storage.outcomes import arms, disagreements, pair
from storage.pools import build_pool
from storage.stored import read_questions
from storage.studies.case import Case, case_of
from storage.studies.prompts import needs_similarity
from storage.studies.study import Studied, study
from storage.suspects import CrowdingRow, Seen, Suspects, crowding_table, suspects

CHUNK = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """Repeated runs of one arm. flips: pairs of runs that disagree, of so many pairs."""

    flips: int
    pairs: int

    @property
    def rate(self) -> float | None:
        """How often a rerun of one arm gives the other outcome; None without repeated runs."""
        return self.flips / self.pairs if self.pairs else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Citations:
    """Whether the answer cited its source, paired: over n questions where both arms say so."""

    before: int
    after: int
    test: McNemar


@dataclass(frozen=True, slots=True, kw_only=True)
class Regressions:
    """Two arms over a collection. counts: diagnosis -> worse questions; they add up to `worse`.

    right, wrong: both arms. in_pool, not_in_pool: the classic split of the worse questions; a
    question of which no evidence is known is in neither. prompts: median tokens of the two prompts.
    """

    collection: str
    baseline: str
    candidate: str
    mcnemar: McNemar
    right: int
    wrong: int
    counts: Mapping[Diagnosis, int]
    in_pool: int
    not_in_pool: int
    cases: tuple[Case, ...]
    noise: Noise
    citations: Citations | None
    crowding: tuple[CrowdingRow, ...]
    suspects: Suspects
    prompts: tuple[int | None, int | None]

    @property
    def worse(self) -> int:
        return self.mcnemar.worse

    @property
    def better(self) -> int:
        return self.mcnemar.better

    @property
    def n(self) -> int:
        return self.mcnemar.n


def regressions(
    database: Database,
    collection: str,
    *,
    baseline: str | None = None,
    candidate: str | None = None,
) -> Regressions:
    """Diagnose every question that got worse. Arms: the first and the last, unless named.

    :raises NotStored: for an unknown collection.
    :raises ValueError: where the collection has no such arm, or fewer than two.
    """
    first, last = chosen_arms(database, collection, baseline=baseline, candidate=candidate)
    tally = _Tally(baseline=first, candidate=last)
    for one in studied(database, collection, baseline=first, candidate=last):
        tally.add(one)
    return tally.result(database, collection)


def chosen_arms(
    database: Database, collection: str, *, baseline: str | None, candidate: str | None
) -> tuple[str, str]:
    """The two arms that are compared.

    :raises ValueError: naming the arms that there are.
    """
    names = arms(database, collection)
    listed = ", ".join(repr(name) for name in names) or "none"
    for asked in (baseline, candidate):
        if asked is not None and asked not in names:
            raise ValueError(f"Collection {collection!r} has no arm {asked!r}; it has {listed}.")
    if len(names) < 2:
        raise ValueError(
            f"Collection {collection!r} has outcomes of {len(names)} arms ({listed}); "
            "two are needed."
        )
    first = baseline or next(name for name in names if name != candidate)
    last = candidate or next(name for name in reversed(names) if name != first)
    if first == last:
        raise ValueError(f"Arm {first!r} is compared with itself; name two different arms.")
    return first, last


def studied(
    database: Database, collection: str, *, baseline: str, candidate: str, similarity: bool = False
) -> Iterator[Studied]:
    """Every question with outcomes of both arms, in order, a chunk read at a time.

    similarity: whether the pools need one; an arm's own setting that needs it gets it anyway.
    """
    home = queries.collection(database, collection)
    with database.read() as connection:
        keys = queries.question_keys(connection, home.id)
    for start in range(0, len(keys), CHUNK):
        with database.read() as connection:
            chunk = read_questions(connection, keys[start : start + CHUNK])
        for stored in chunk:
            paired = pair(stored.record.arms, baseline, candidate)
            if paired is None:
                continue
            wanted = similarity or any(needs_similarity(arm) for arm in stored.record.arms)
            frequencies = queries.frequencies(database, home) if wanted else None
            pool = build_pool(stored, relevance=None, frequencies=frequencies).pool
            yield study(stored, pool, paired)


class _Tally:
    """Everything that is counted over the questions of two arms, in one pass."""

    def __init__(self, *, baseline: str, candidate: str) -> None:
        self.baseline, self.candidate = baseline, candidate
        self.outcomes: Counter[str] = Counter()
        self.cases: list[Case] = []
        self.flips = self.pairs = 0
        self.cited: Counter[tuple[bool, bool]] = Counter()
        self.rises: dict[str, list[dict[str, int]]] = {"worse": [], "right": []}
        self.seen = Seen()
        self.tokens: tuple[list[int], list[int]] = ([], [])

    def add(self, one: Studied) -> None:
        outcome = one.paired.outcome
        self.outcomes[outcome] += 1
        for runs in (one.paired.before, one.paired.after):
            flips, pairs = disagreements(runs)
            self.flips, self.pairs = self.flips + flips, self.pairs + pairs
        first, last = one.paired.before[0].cited, one.paired.after[0].cited
        if first is not None and last is not None:
            self.cited[(first, last)] += 1
        for kept, prompt in zip(self.tokens, (one.before, one.after), strict=True):
            if prompt is not None and prompt.tokens is not None:
                kept.append(prompt.tokens)
        if outcome in self.rises:
            if one.signs:
                self.rises[outcome].append(one.rises)
            if one.before is not None and one.after is not None:
                added = [index for index in one.after.order if index not in one.before.order]
                self.seen.add(one.pool, added, key=one.key, worse=outcome == "worse")
        if outcome == "worse":
            self.cases.append(case_of(one))

    def result(self, database: Database, collection: str) -> Regressions:
        crowding = crowding_table(self.rises["worse"], self.rises["right"])
        confirmed = {row.sign for row in crowding if row.confirmed}
        found = suspects(database, self.seen)
        order = {one.id: place for place, one in enumerate(found.documents) if one.stands_out}
        cases = tuple(_judged(case, confirmed, order) for case in self.cases)
        counts = Counter(case.diagnosis for case in cases)
        split = Counter(case.in_pool for case in cases)
        medians = [int(np.median(kept)) if kept else None for kept in self.tokens]
        return Regressions(
            collection=collection,
            baseline=self.baseline,
            candidate=self.candidate,
            mcnemar=mcnemar(
                self.outcomes["worse"], self.outcomes["better"], n=self.outcomes.total()
            ),
            right=self.outcomes["right"],
            wrong=self.outcomes["wrong"],
            counts={kind: counts[kind] for kind in Diagnosis},
            in_pool=split[True],
            not_in_pool=split[False],
            cases=cases,
            noise=Noise(flips=self.flips, pairs=self.pairs),
            citations=_citations(self.cited),
            crowding=crowding,
            suspects=found,
            prompts=(medians[0], medians[1]),
        )


def _citations(cited: Counter[tuple[bool, bool]]) -> Citations | None:
    n = cited.total()
    if not n:
        return None
    lost, gained, both = cited[(True, False)], cited[(False, True)], cited[(True, True)]
    return Citations(before=both + lost, after=both + gained, test=mcnemar(lost, gained, n=n))


def _judged(case: Case, confirmed: set[str], order: Mapping[str, int]) -> Case:
    """A case with what only the whole collection says of it."""
    ids = case.suspects
    return replace(
        case,
        supported=case.diagnosis is Diagnosis.CROWDED and bool(confirmed & set(case.rose)),
        suspects=tuple(sorted((i for i in ids if i in order), key=order.__getitem__)),
    )
