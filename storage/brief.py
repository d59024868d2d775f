"""One change in short: what every question gets of what it needs before and after, and its price.

A change is from one arm to another, or from one selector to another. No model is asked again: only
what is sent is compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from selection.model import Budget
from selection.significance import Interval, McNemar, mcnemar, mean_interval
from storage.diagnose import Noise
from storage.pair_page import TOLERANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """One question before and after. None: not known.

    outcome: "worse", "better", "right" or "wrong", both arms taken together; empty where unknown.
    before, after: the share of the evidence that is sent, from 0 to 1: of the weight of the gold
    facts, else whether any answer-bearing passage is in. why: why it is not known.
    repeats_before, repeats_after: the share of claims in the prompt that were said before.
    """

    question: str
    text: str
    outcome: str
    before: float | None
    after: float | None
    why: str
    tokens_before: int | None
    tokens_after: int | None
    repeats_before: float | None = None
    repeats_after: float | None = None

    @property
    def evidence(self) -> float | None:
        """Evidence after minus before; 0 where they differ by rounding only."""
        if self.before is None or self.after is None:
            return None
        difference = self.after - self.before
        return difference if abs(difference) > TOLERANCE else 0.0

    @property
    def tokens(self) -> int | None:
        """Tokens after minus before."""
        if self.tokens_before is None or self.tokens_after is None:
            return None
        return self.tokens_after - self.tokens_before


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a comparison comes from. name: empty where it was worked out now and not saved."""

    name: str
    budget: Budget
    author: str = ""
    saved_at: datetime | None = None
    stale: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """A mean over n questions before and after, and the mean difference with its interval."""

    before: float
    after: float
    difference: Interval
    n: int


@dataclass(frozen=True, kw_only=True)
class Brief:
    """A change over a collection. source: None where two arms are compared.

    before, after: the two settings, as arms are called or as selectors are written.
    selectors: what shows them on the Question page. total: questions of the collection. noise:
    how far runs of one arm disagree; None where no model was asked with these settings.
    """

    collection: str
    before: str
    after: str
    selectors: tuple[str, ...]
    source: Source | None
    rows: tuple[Changed, ...]
    total: int
    noise: Noise | None

    @cached_property
    def evidence(self) -> McNemar:
        """Questions that get less (`worse`) or more (`better`) of their evidence, exact test."""
        known = [row.evidence for row in self.rows if row.evidence is not None]
        return mcnemar(sum(d < 0 for d in known), sum(d > 0 for d in known), n=len(known))

    @cached_property
    def outcomes(self) -> McNemar | None:
        """Right-or-wrong outcomes; None where no question has them of both."""
        known = [row.outcome for row in self.rows if row.outcome]
        if not known:
            return None
        return mcnemar(known.count("worse"), known.count("better"), n=len(known))

    @cached_property
    def tokens(self) -> Means | None:
        """What a question costs before and after; None where no tokens are known."""
        return _means([(row.tokens_before, row.tokens_after) for row in self.rows])

    @cached_property
    def repeats(self) -> Means | None:
        """How much of a prompt repeats what it said before; None where that is not known."""
        return _means([(row.repeats_before, row.repeats_after) for row in self.rows])


def _means(pairs: Sequence[tuple[float | None, float | None]]) -> Means | None:
    """Over the pairs of which both are known."""
    known = [(b, a) for b, a in pairs if b is not None and a is not None]
    difference = mean_interval([after - before for before, after in known])
    if difference is None:
        return None
    before = sum(before for before, _ in known) / len(known)
    return Means(
        before=before, after=before + difference.value, difference=difference, n=len(known)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Money:
    """What passages cost a month at a price; the unit is that of the price."""

    before: float
    after: float
    difference: Interval


def money(tokens: Means, *, questions: float, price: float) -> Money:
    """Money a month. questions: a month. price: of a million tokens that the model reads.

    :raises ValueError: for a negative volume or price.
    """
    if questions < 0 or price < 0:
        raise ValueError(f"{questions} questions at {price} cannot be; 0 or more is accepted.")
    factor = questions * price / 1_000_000
    d = tokens.difference
    return Money(
        before=tokens.before * factor,
        after=tokens.after * factor,
        difference=Interval(value=d.value * factor, low=d.low * factor, high=d.high * factor),
    )
