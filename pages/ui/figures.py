"""The figures of a brief: each with its n, its interval, and the questions that it stands on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pages.ui import text
from selection.significance import Interval, share
from storage.brief import Brief, Changed, Money, money
from storage.reviews import Standing

Reviews = Mapping[str, Standing]
Wanted = Callable[[Changed], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A question that a figure stands on, with what the figure says of it."""

    question: str
    text: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure. value: what is read first; note: n, interval, and what it is out of."""

    key: str
    title: str
    value: str
    note: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What the reader entered. volume: questions a month; price: dollars a million tokens."""

    volume: int
    price: float


def figures(brief: Brief, reviews: Reviews, prices: Prices) -> tuple[Figure, ...]:
    """All figures in the order in which they are read."""
    return (
        *(_outcomes(brief) if brief.outcomes else (_unasked(), _repeats(brief))),
        _evidence(brief, "back", "Evidence back", lambda row: (row.evidence or 0) > 0),
        _evidence(brief, "lost", "Evidence lost", lambda row: (row.evidence or 0) < 0),
        _tokens(brief),
        _money(brief, prices),
        _unjudged(brief),
        _reviewed(brief, reviews),
    )


def _outcomes(brief: Brief) -> tuple[Figure, ...]:
    """Answers that got worse and better."""
    n = sum(bool(row.outcome) for row in brief.rows)
    found = []
    for kind, title in (("worse", "Got worse"), ("better", "Got better")):
        rows = [row for row in brief.rows if row.outcome == kind]
        found.append(
            Figure(
                key=kind,
                title=title,
                value=text.out_of(len(rows), n),
                note=f"{interval_words(share(len(rows), n))}; by right or wrong answers",
                lines=_lines(rows, lambda row: f"{_sent(row)}; {_tokens_words(row)}"),
            )
        )
    return tuple(found)


def _unasked() -> Figure:
    return _unknown("worse", "Answers", "no model was asked with both settings")


def _repeats(brief: Brief) -> Figure:
    """How much of a prompt says what it said before: known where only texts are."""
    found = brief.repeats
    if found is None:
        return _unknown("repeats", "Repetition", "what the passages state is not known")
    d = found.difference
    ends = f"{text.signed(100 * d.low)} to {text.signed(100 * d.high)} points"
    known = [row for row in brief.rows if row.repeats_before is not None]
    return Figure(
        key="repeats",
        title="Repetition",
        value=f"{found.before:.0%} to {found.after:.0%}",
        note=_mean_note("of what is said was said before", ends, found.n),
        lines=_lines(
            sorted(known, key=lambda row: -(row.repeats_before or 0)),
            lambda row: f"{_percent(row.repeats_before)} to {_percent(row.repeats_after)}",
        ),
    )


def _percent(value: float | None) -> str:
    return text.NA if value is None else f"{value:.0%}"


def _unknown(key: str, title: str, why: str) -> Figure:
    return Figure(key=key, title=title, value=text.NA, note=why, lines=())


def _mean_note(words: str, ends: str, n: int) -> str:
    """What the mean is of, its interval, and its n; one value has no interval."""
    return f"{words} (difference {ends}; n = {n:,})" if n > 1 else f"{words} (n = 1, no interval)"


def _evidence(brief: Brief, key: str, title: str, wanted: Wanted) -> Figure:
    n = brief.evidence.n
    rows = [row for row in brief.rows if wanted(row)]
    if not n:
        return _unknown(key, title, "no question has known evidence")
    verb = "more" if key == "back" else "less"
    note = f"{interval_words(share(len(rows), n))}; sent {verb} of what they need"
    lines = _lines(rows, _sent)
    return Figure(key=key, title=title, value=text.out_of(len(rows), n), note=note, lines=lines)


def _tokens(brief: Brief) -> Figure:
    found = brief.tokens
    title = "Tokens a question"
    if found is None:
        return _unknown("tokens", title, "tokens are not known")
    d = found.difference
    ends = f"{text.signed(d.low)} to {text.signed(d.high)}"
    return Figure(
        key="tokens",
        title=title,
        value=text.signed(d.value),
        note=_mean_note(f"{found.before:,.0f} to {found.after:,.0f}", ends, found.n),
        lines=_by_tokens(brief),
    )


def _by_tokens(brief: Brief) -> tuple[Line, ...]:
    """Every question whose tokens are known, what costs most more first."""
    known = [row for row in brief.rows if row.tokens is not None]
    return _lines(sorted(known, key=lambda row: -(row.tokens or 0)), _tokens_words)


def _money(brief: Brief, prices: Prices) -> Figure:
    found = brief.tokens
    title = "Money a month"
    if found is None:
        return _unknown("money", title, "tokens are not known")
    cost = money(found, questions=prices.volume, price=prices.price)
    return Figure(
        key="money",
        title=title,
        value=dollars(cost.difference.value, signed=True),
        note=money_words(cost, n=found.n),
        lines=_by_tokens(brief),
    )


def money_words(cost: Money, *, n: int) -> str:
    """Before, after, and the interval of the difference."""
    ends = (dollars(end, signed=True) for end in (cost.difference.low, cost.difference.high))
    return _mean_note(f"{dollars(cost.before)} to {dollars(cost.after)}", " to ".join(ends), n)


def dollars(value: float, *, signed: bool = False) -> str:
    """An amount: $1,234; $0.12; with its sign where it is a difference."""
    digits = 0 if abs(value) >= 100 else 2
    shown = f"{abs(value):,.{digits}f}"
    zero = float(shown.replace(",", "")) == 0
    mark = "" if zero else text.MINUS if value < 0 else "+" if signed else ""
    return f"{mark}${shown}"


def _unjudged(brief: Brief) -> Figure:
    rows = [row for row in brief.rows if row.evidence is None]
    why = Counter(row.why for row in rows).most_common(1)
    note = f"{why[0][0]}" if why else "the evidence of every question is known"
    return Figure(
        key="unjudged",
        title="Not judged",
        value=text.out_of(len(rows), brief.total),
        note=note,
        lines=_lines(rows, lambda row: row.why),
    )


def _reviewed(brief: Brief, reviews: Reviews) -> Figure:
    """Verdicts of people: on what got worse, where outcomes are known; else on any question."""
    judged = brief.outcomes is not None
    asked = [row for row in brief.rows if row.outcome == "worse" or not judged]
    done = [(row, reviews[row.question].current) for row in asked if row.question in reviews]
    given = [(row, review) for row, review in done if review is not None]
    people = Counter(review.reviewer for _, review in given).most_common()
    who = text.listed([f"{name} {count:,}" for name, count in people])
    last = max((review.reviewed_at for _, review in given), default=None)
    of_what = "that got worse" if judged else "questions"
    note = f"{who}; the last on {last:%Y-%m-%d}" if last else "nobody has given a verdict"
    return Figure(
        key="reviewed",
        title="Reviewed",
        value=text.out_of(len(given), len(asked)),
        note=f"of those {of_what}: {note}" if judged else note,
        lines=tuple(
            Line(
                question=row.question,
                text=row.text,
                words=f"{review.verdict}, {review.reviewer}"
                + (f": {review.note}" if review.note else ""),
            )
            for row, review in given
        ),
    )


def interval_words(found: Interval | None) -> str:
    """A share with its interval: 13% (10% to 18%)."""
    if found is None:
        return text.NA
    return f"{found.value:.0%} ({found.low:.0%} to {found.high:.0%})"


def _lines(rows: Sequence[Changed], words: Callable[[Changed], str]) -> tuple[Line, ...]:
    return tuple(Line(question=row.question, text=row.text, words=words(row)) for row in rows)


def _sent(row: Changed) -> str:
    if row.before is None or row.after is None:
        return row.why
    return f"evidence sent {row.before:.0%} before, {row.after:.0%} after"


def _tokens_words(row: Changed) -> str:
    if row.tokens is None:
        return "tokens not known"
    return (
        f"{text.whole(row.tokens_before)} to {text.whole(row.tokens_after)} tokens "
        f"({text.signed(row.tokens)})"
    )
