"""What stands out where answers got worse: signs of crowding, documents and statements.

Always against the questions that stayed right: what is as frequent there explains nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from selection.model import Pool
from selection.significance import OddsRatio, holm, odds_ratio
from storage.engine import Database
from storage.stored import StoredQuestion, read_questions
from storage.texts import claim_texts

LEVEL = 0.05
SIGNS = ("contradicting", "repetition", "tokens_before", "depth", "distance")
FEWEST = 10
"""Seen in fewer prompts than this, nothing can stand out; it is not tested."""
MOST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdingRow:
    """One sign of crowding in worse against still-right questions with evidence in both prompts.

    typical: the median rise over both groups; odds: of rising by more than that, None where no
    question does. worse, right: median rise in each group. p: Fisher's exact test after Holm over
    the signs.
    """

    sign: str
    typical: float
    worse: float | None
    right: float | None
    odds: OddsRatio | None
    p: float | None

    @property
    def confirmed(self) -> bool:
        """Whether the sign grows more in worse questions, beyond chance."""
        return (
            self.odds is not None
            and self.p is not None
            and self.p < LEVEL
            and self.odds.ratio.low > 1
        )


def crowding_table(
    worse: Sequence[Mapping[str, int]], right: Sequence[Mapping[str, int]]
) -> tuple[CrowdingRow, ...]:
    """Compare rises, one mapping a question; a sign that nobody has is left out."""
    rows = [_row(sign, _of(worse, sign), _of(right, sign)) for sign in SIGNS]
    known = [row for row in rows if row is not None]
    corrected = holm([row.odds.p if row.odds else None for row in known])
    return tuple(
        CrowdingRow(
            sign=row.sign,
            typical=row.typical,
            worse=row.worse,
            right=row.right,
            odds=row.odds,
            p=p,
        )
        for row, p in zip(known, corrected, strict=True)
    )


def _of(rises: Sequence[Mapping[str, int]], sign: str) -> list[int]:
    return [one[sign] for one in rises if sign in one]


def _row(sign: str, worse: Sequence[int], right: Sequence[int]) -> CrowdingRow | None:
    if not worse and not right:
        return None
    typical = float(np.median([*worse, *right]))
    above = [sum(rise > typical for rise in group) for group in (worse, right)]
    return CrowdingRow(
        sign=sign,
        typical=typical,
        worse=float(np.median(worse)) if worse else None,
        right=float(np.median(right)) if right else None,
        odds=odds_ratio(above[0], len(worse), above[1], len(right)) if any(above) else None,
        p=None,
    )


@dataclass(slots=True)
class Seen:
    """In how many prompts each added document and statement stands; filled in one pass."""

    worse: int = 0
    right: int = 0
    documents: tuple[Counter[str], Counter[str]] = field(
        default_factory=lambda: (Counter(), Counter())
    )
    statements: tuple[Counter[str], Counter[str]] = field(
        default_factory=lambda: (Counter(), Counter())
    )
    where: dict[str, int] = field(default_factory=dict)

    def add(self, pool: Pool, added: Sequence[int], *, key: int, worse: bool) -> None:
        """Count what the later prompt adds. key: of the question, to find the wording again."""
        self.worse, self.right = self.worse + worse, self.right + (not worse)
        place = 0 if worse else 1
        documents = {pool.ids[index] for index in added}
        bits = pool.claim_bits
        said = bits.decode(bits.union(list(added))) if added else frozenset()
        self.documents[place].update(documents)
        self.statements[place].update(said)
        for name in (*documents, *said):
            self.where.setdefault(name, key)


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A document or statement that was added to more worse than still-right prompts.

    p: Fisher's exact test after Holm over everything of its kind that was tested.
    """

    id: str
    text: str
    odds: OddsRatio
    p: float

    @property
    def stands_out(self) -> bool:
        """Whether it is worth looking at: the interval is above 1, taken by itself."""
        return self.odds.ratio.low > 1

    @property
    def clear(self) -> bool:
        """Whether it stands out beyond chance, though so many were looked at."""
        return self.p < LEVEL and self.stands_out


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspects:
    """The most over-represented, the smallest p first. tested: how many of each kind were."""

    documents: tuple[Suspect, ...]
    statements: tuple[Suspect, ...]
    documents_tested: int
    statements_tested: int


def suspects(database: Database, seen: Seen) -> Suspects:
    """What is over-represented among what was added to worse against still-right prompts."""
    documents, documents_tested = _ranked(seen, seen.documents)
    statements, statements_tested = _ranked(seen, seen.statements)
    names = _names(database, seen, [one for one, _, _ in (*documents, *statements)])
    return Suspects(
        documents=_named(documents, names),
        statements=_named(statements, names),
        documents_tested=documents_tested,
        statements_tested=statements_tested,
    )


Ranked = list[tuple[str, OddsRatio, float]]


def _ranked(seen: Seen, counters: tuple[Counter[str], Counter[str]]) -> tuple[Ranked, int]:
    worse, right = counters
    names = sorted(n for n in {*worse, *right} if worse[n] + right[n] >= FEWEST)

    @cache  # many things are seen equally often
    def odds(in_worse: int, in_right: int) -> OddsRatio | None:
        return odds_ratio(in_worse, seen.worse, in_right, seen.right)

    tested = [(n, o) for n in names if (o := odds(worse[n], right[n])) is not None]
    corrected = holm([one.p for _, one in tested])
    rows = [
        (name, one, p)
        for (name, one), p in zip(tested, corrected, strict=True)
        if p is not None and one.ratio.value > 1
    ]
    rows.sort(key=lambda row: (row[1].p, -row[1].ratio.value, row[0]))
    return rows[:MOST], len(tested)


def _named(rows: Ranked, names: Mapping[str, str]) -> tuple[Suspect, ...]:
    return tuple(Suspect(id=n, text=names.get(n, n), odds=o, p=p) for n, o, p in rows)


def _names(database: Database, seen: Seen, ids: Sequence[str]) -> dict[str, str]:
    """The wording of some statements, and the titles of some documents."""
    keys = sorted({seen.where[name] for name in ids})
    found: dict[str, str] = {}
    with database.read() as connection:
        stored = read_questions(connection, keys)
    for one in stored:
        found.update(_wordings(one))
    return {name: found[name] for name in ids if name in found}


def _wordings(stored: StoredQuestion) -> dict[str, str]:
    titles = {}
    for passage in stored.passages:
        title = passage.record.metadata.get("title")
        titles[passage.record.id] = title if isinstance(title, str) and title else passage.record.id
    return {**claim_texts(stored), **titles}
