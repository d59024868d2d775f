"""What got worse between two arms of a collection, and what happened to the evidence of each.

One pass over the questions. Nothing here says what caused an answer: it says what the two prompts
held, counts it, and tests whether it is more frequent where answers got worse.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from selection.diagnosis import Crowding, Diagnosis, Fate, Finding, diagnose
from selection.ledger import Decision
from selection.model import Budget, Pool
from selection.registry import Selector, parse_selector
from selection.significance import McNemar, mcnemar
from storage import queries
from storage.engine import Database
from storage.outcomes import Paired, arms, disagreements, pair
from storage.pools import build_pool
from storage.records import ArmOutcome, QuestionRecord
from storage.stored import StoredQuestion, read_questions
from storage.suspects import CrowdingRow, Seen, Suspects, crowding_table, suspects

CHUNK = 100
AGAINST = "contradicting"
"""The sign of crowding that only judged places show: passages that speak against a fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What one arm sent. order: 0-based places in the pool, in the prompt's order.

    recorded: as the file says; else worked out from the arm's setting. outside: recorded ids that
    are not in the pool. selector: what shows this prompt on the Question page.
    """

    order: tuple[int, ...]
    recorded: bool
    outside: int
    selector: str
    tokens: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A passage with evidence that the later prompt left out: its rank, and why it is out."""

    need: str
    rank: int
    passage: str
    reason: str
    detail: str
    remaining: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Studied:
    """One question with outcomes of both arms, and its two prompts. None: a prompt is not known.

    signs: sign of crowding -> before and after, where evidence is in both prompts. against: places
    in the pool that are judged to speak against a fact.
    """

    record: QuestionRecord
    key: int
    pool: Pool
    paired: Paired
    before: Prompt | None
    after: Prompt | None
    finding: Finding
    signs: Mapping[str, tuple[int, int]]
    against: frozenset[int]
    why: str

    @property
    def rises(self) -> dict[str, int]:
        """Sign of crowding -> how much it grew; empty without evidence in both prompts."""
        return {name: after - before for name, (before, after) in self.signs.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question that got worse, with its one diagnosis and what that stands on.

    why: one sentence. needs: (name, fate, ranks of its carriers). signs: sign -> before, after.
    rose: signs that grew. supported: for `crowded`, whether one of them grows more in worse than in
    still-right questions. in_pool: an answer-bearing passage is somewhere in the pool; None =
    unknown. kept, added, dropped: ranks. tokens_added: of the added passages; repeated: the share
    of these tokens that says what was said before, by statements. suspects: added passages that
    are over-represented in worse prompts, the most suspicious first.
    """

    question: str
    text: str
    metadata: Mapping[str, Any]
    diagnosis: Diagnosis
    why: str
    needs: tuple[tuple[str, str, tuple[int, ...]], ...]
    lost: tuple[Lost, ...]
    signs: Mapping[str, tuple[int, int]]
    rose: tuple[str, ...]
    supported: bool
    in_pool: bool | None
    worse_runs: int
    runs: int
    selectors: tuple[str, ...]
    kept: tuple[int, ...]
    added: tuple[int, ...]
    dropped: tuple[int, ...]
    tokens_added: int | None
    repeated: float | None
    before: ArmOutcome
    after: ArmOutcome
    suspects: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """What one verdict may cover: the diagnosis and the most suspicious added passage."""
        return f"{self.diagnosis}/{self.suspects[0]}" if self.suspects else str(self.diagnosis)


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


def needs_similarity(arm: ArmOutcome) -> bool:
    """Whether what an arm sent can only be worked out with a similarity."""
    setting = setting_of(arm)
    return arm.sent is None and setting is not None and "similarity" in setting.needs


def setting_of(arm: ArmOutcome) -> Selector | None:
    try:
        return parse_selector(arm.setting) if arm.setting else None
    except ValueError:
        return None


def study(stored: StoredQuestion, pool: Pool, paired: Paired) -> Studied:
    """What two arms sent of one question, and what that did to its evidence."""
    before, after = prompt_of(pool, paired.before), prompt_of(pool, paired.after)
    against = against_of(stored.record, pool)
    finding = Finding(diagnosis=Diagnosis.NO_GOLD, needs=(), before=None, after=None, rose=())
    signs: dict[str, tuple[int, int]] = {}
    if before is None or after is None:
        arm = (paired.before if before is None else paired.after)[0]
        why = f"what {arm.name} sent is not recorded, and its setting cannot be run"
    else:
        known = stored.record.answer_bearing is not None
        finding = diagnose(pool, before.order, after.order, evidence_known=known)
        signs = _signs(finding, before.order, after.order, against)
        why = _why(finding)
    return Studied(
        record=stored.record,
        key=stored.key,
        pool=pool,
        paired=paired,
        before=before,
        after=after,
        finding=finding,
        signs=signs,
        against=against,
        why=why,
    )


def prompt_of(pool: Pool, runs: Sequence[ArmOutcome]) -> Prompt | None:
    """What an arm sent: as its first recorded run says, else as its setting selects."""
    recorded = next((run for run in runs if run.sent is not None), None)
    if recorded is not None and recorded.sent is not None:
        inside = dict.fromkeys(pool.position[i] for i in recorded.sent if i in pool.position)
        outside = sum(name not in pool.position for name in recorded.sent)
        return _as_prompt(pool, tuple(inside), f"as_sent(arm={recorded.name!r})", outside)
    for run in runs:
        setting = setting_of(run)
        if setting is None:
            continue
        try:
            return _as_prompt(pool, setting.select(pool, Budget()).picks.order, setting.spec)
        except ValueError:
            continue
    return None


def _as_prompt(
    pool: Pool, order: tuple[int, ...], selector: str, outside: int | None = None
) -> Prompt:
    return Prompt(
        order=order,
        recorded=outside is not None,
        outside=outside or 0,
        selector=selector,
        tokens=None if pool.tokens is None else int(pool.tokens[list(order)].sum()),
    )


def _signs(
    finding: Finding,
    before: Sequence[int],
    after: Sequence[int],
    against: frozenset[int],
) -> dict[str, tuple[int, int]]:
    """Sign of crowding -> before and after, where evidence is in both prompts."""
    if finding.before is None or finding.after is None:
        return {}
    then = signs_of(finding.before, before, against)
    now = signs_of(finding.after, after, against)
    return {name: (then[name], now[name]) for name in then if name in now}


def signs_of(stands: Crowding, prompt: Sequence[int], against: frozenset[int]) -> dict[str, int]:
    """Every known sign of crowding of one prompt, with what only judged places show."""
    names = ("repetition", "tokens_before", "depth", "distance")
    found = {name: getattr(stands, name) for name in names}
    signs: dict[str, int] = {name: value for name, value in found.items() if value is not None}
    if against:
        signs[AGAINST] = len(against & set(prompt))
    return signs


def against_of(record: QuestionRecord, pool: Pool) -> frozenset[int]:
    """Places in the pool of passages that are judged to speak against a fact of the question."""
    return frozenset(
        pool.position[passage.id]
        for passage in record.passages
        if any(support.degree == "contradicts" for support in passage.supports or ())
    )


def _why(finding: Finding) -> str:
    """What the diagnosis stands on, in a sentence."""
    n = len(finding.needs)
    lost, gained = len(finding.with_fate(Fate.LOST)), len(finding.with_fate(Fate.GAINED))
    match finding.diagnosis:
        case Diagnosis.NO_GOLD:
            return "no gold fact and no answer-bearing passage is known"
        case Diagnosis.EVIDENCE_LOST:
            return f"{lost} of {n} needed was sent before and is not sent after"
        case Diagnosis.CROWDED:
            return "all that was sent of the evidence is still sent, among more that competes"
        case Diagnosis.SAME_EVIDENCE:
            return "the same evidence is sent, and nothing that crowds it grew"
        case Diagnosis.GAINED_STILL_WORSE:
            return f"{gained} of {n} needed is sent after and was not before"
    return "the answer was right before without any known evidence in the prompt"


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
            self.cases.append(_case(one))

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


def _case(one: Studied) -> Case:
    before = one.before.order if one.before else ()
    after = one.after.order if one.after else ()
    added = tuple(index for index in after if index not in before)
    pool = one.pool
    rose = tuple(name for name, rise in one.rises.items() if rise > 0)
    return Case(
        question=one.record.id,
        text=one.record.question,
        metadata=one.record.metadata,
        diagnosis=one.finding.diagnosis,
        why=one.why,
        needs=tuple(
            (need.name, str(need.fate), _ranks(need.carriers)) for need in one.finding.needs
        ),
        lost=tuple(_lost(one)),
        signs=dict(one.signs),
        rose=rose,
        supported=False,
        in_pool=_in_pool(one),
        worse_runs=one.paired.worse_runs,
        runs=one.paired.runs,
        selectors=tuple(prompt.selector for prompt in (one.before, one.after) if prompt),
        kept=_ranks(index for index in before if index in after),
        added=_ranks(added),
        dropped=_ranks(index for index in before if index not in after),
        tokens_added=None if pool.tokens is None else int(pool.tokens[list(added)].sum()),
        repeated=_repeated(pool, before, added),
        before=one.paired.before[0],
        after=one.paired.after[0],
        suspects=tuple(pool.ids[index] for index in added),
    )


def _ranks(indices: Any) -> tuple[int, ...]:
    return tuple(sorted(index + 1 for index in indices))


def _in_pool(one: Studied) -> bool | None:
    """The classic question: is any answer-bearing passage, or a carrier of a fact, in the pool?"""
    if one.record.answer_bearing is not None:
        return any(name in one.pool.position for name in one.record.answer_bearing)
    if not one.finding.needs:
        return None
    return any(need.carriers for need in one.finding.needs)


def _lost(one: Studied) -> Iterator[Lost]:
    """Every passage that carried what the later prompt lost, and why it is out."""
    needs = one.finding.with_fate(Fate.LOST)
    if not needs or one.after is None:
        return
    decisions = _decisions(one.pool, one.after, one.paired.after)
    for need in needs:
        for index in sorted(need.carriers):
            decision = decisions[index]
            yield Lost(
                need=need.name,
                rank=index + 1,
                passage=one.pool.ids[index],
                reason=str(decision.reason or ""),
                detail=decision.detail,
                remaining=decision.remaining,
            )


def _decisions(pool: Pool, prompt: Prompt, runs: Sequence[ArmOutcome]) -> tuple[Decision, ...]:
    """The ledger of a prompt: by the arm's own setting where that selects what was sent."""
    for run in runs:
        setting = setting_of(run)
        if setting is None:
            continue
        try:
            selection = setting.select(pool, Budget())
        except ValueError:
            continue
        if set(selection.picks.order) == set(prompt.order):
            return selection.decisions
    return parse_selector(prompt.selector).select(pool, Budget()).decisions


def _repeated(pool: Pool, before: Sequence[int], added: Sequence[int]) -> float | None:
    """The share of the added tokens whose statements were all said before, by statement."""
    bits = pool.claim_bits
    if pool.tokens is None or not added or not bits.known[[*before, *added]].all():
        return None
    stated = bits.matrix()
    said = stated[list(before)].any(axis=0)
    again = 0.0
    for index in added:
        own = int(stated[index].sum())
        again += pool.tokens[index] * (int((stated[index] & said).sum()) / own if own else 0.0)
        said = said | stated[index]
    total = float(pool.tokens[list(added)].sum())
    return float(again / total) if total else None
