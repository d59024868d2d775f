"""What each measure will be able to say, tried on the first questions as they would be stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from selection import Budget, make_selector
from selection.measures import Cut, Measure, all_measures
from storage.pools import build_pool
from storage.prepare import Prepared, prepare
from storage.records import QuestionRecord
from storage.stored import StoredPassage, StoredQuestion

TRIED = 100
"""Questions that are tried: enough to tell, and few enough to answer at once for a large file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """Measures that need the same and can be said equally often.

    titles: of the measures; defined: in how many of the tried questions.
    """

    needs: str
    measures: tuple[str, ...]
    titles: tuple[str, ...]
    defined: int
    tried: int


class Outlooks:
    """Tries every measure on the first questions."""

    def __init__(self, *, ranked: bool) -> None:
        self._ranked = ranked
        self._tried = 0
        self._defined: Counter[str] = Counter()
        self._top = make_selector("top_k")

    def look(self, record: QuestionRecord) -> None:
        if self._tried == TRIED:
            return
        self._tried += 1
        stored = as_stored(prepare(record, ranked=self._ranked))
        pool = build_pool(stored, relevance=None, frequencies=None).pool
        known = all(passage.tokens is not None for passage in stored.passages)
        cut = Cut(pool, self._top.select(pool, Budget(tokens=4000 if known else None)))
        self._defined.update(
            one.name for one in all_measures() if not one.costly and one.of(cut) is not None
        )

    def _times(self, measure: Measure) -> int:
        """In how many it is defined; one that is costly is as one with the same needs."""
        if not measure.costly:
            return self._defined[measure.name]
        same = (one.name for one in all_measures() if one.needs == measure.needs)
        return max(self._defined[name] for name in same)

    @property
    def found(self) -> tuple[Outlook, ...]:
        """What measures can say, those that can be said most often first.

        Empty where no question was tried.
        """
        if not self._tried:
            return ()
        groups: dict[tuple[int, str], list[Measure]] = defaultdict(list)
        for one in all_measures():
            groups[-self._times(one), one.needs].append(one)
        return tuple(
            Outlook(
                needs=needs,
                measures=tuple(one.name for one in alike),
                titles=tuple(one.title for one in alike),
                defined=-times,
                tried=self._tried,
            )
            for (times, needs), alike in sorted(groups.items())
        )


def as_stored(one: Prepared) -> StoredQuestion:
    """A prepared question as reading it back would give it, without a database."""
    passages = tuple(
        StoredPassage(
            record=one.record.passages[candidate.index],
            rank=rank,
            file_position=candidate.index,
            tokens=candidate.tokens,
            tokens_given=one.record.passages[candidate.index].tokens is not None,
            computed_score=candidate.computed_score,
        )
        for rank, candidate in enumerate(one.candidates, start=1)
    )
    return StoredQuestion(
        key=0,
        collection=0,
        position=0,
        record=one.record,
        passages=passages,
        claims=one.claims,
        claims_given=one.claims_given,
    )
