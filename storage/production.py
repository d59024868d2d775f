"""Which rule an arm followed: the setting of the registry that explains best what it really sent.

Settings are tried on few questions first and the best of them on more, so that a large collection
takes seconds. A setting explains a question where it sends exactly the recorded passages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from selection.model import Budget, Pool
from selection.registry import (
    Param,
    Selector,
    list_selectors,
    make_selector,
    selector_class,
)
from storage import queries
from storage.budget_ranges import common, densest, explaining, roundest
from storage.engine import Database
from storage.pools import build_pool
from storage.stored import StoredQuestion, read_questions

CHUNK = 100
MOST = 2_000
"""Questions read at most, evenly spaced over the collection."""
ROUNDS = ((12, 40), (60, 12))
"""On how many questions all settings are tried, and how many go on; the rest see every question."""
MOST_COMBINED = 24
SHOWN = 5
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One setting, held against what was sent. Counts stand with what they are out of.

    exact of n: questions in which it sends the recorded passages and no other. overlap: mean
    Jaccard of the two sets. bound: reason -> questions in which it kept a candidate out.
    k_binds: questions in which k ended the walk; None for a setting without k.
    budgets: the token budgets, first and last, that explain the same of its questions; None without
    one. differ: ids of questions that it does not explain. unable: questions it cannot run on.
    """

    selector: Selector
    budget: Budget
    exact: int
    overlap: float
    n: int
    unable: int
    bound: Mapping[str, int]
    k_binds: int | None
    budgets: tuple[int, int] | None
    differ: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Production:
    """The best rules of one arm, the best first. n: questions looked at; recorded: of so many.

    outside: questions in which passages were sent that are no candidates; no rule explains these.
    """

    arm: str
    rules: tuple[Rule, ...]
    n: int
    recorded: int
    outside: int


@dataclass(frozen=True, slots=True)
class _Sent:
    """One question: its pool and what was sent, 0-based; None where that is no candidate."""

    id: str
    pool: Pool
    sent: frozenset[int] | None

    def explaining(self, mode: str) -> tuple[int, int | None] | None:
        """The budgets, first and last, that explain it for a walk that stops or skips."""
        if self.sent is None or self.pool.tokens is None:
            return None
        return explaining(self.pool.tokens.tolist(), self.sent, mode=mode)


def production(
    database: Database, collection: str, arm: str, *, progress: Progress | None = None
) -> Production:
    """Search the registry for the rule behind what an arm sent.

    :raises NotStored: for an unknown collection.
    :raises ValueError: where nothing that this arm sent is recorded.
    """
    found, recorded = _read(database, collection, arm)
    if not found:
        raise ValueError(
            f"Collection {collection!r} does not record what arm {arm!r} sent, so there is nothing "
            "to explain."
        )
    wanted = list(settings(found))
    for asked, kept in ROUNDS:
        few = _spread(found, asked)
        if progress:
            progress(len(few), len(wanted))
        ranked = sorted(enumerate(wanted), key=lambda one: (*_score(one[1], few), one[0]))
        wanted = [setting for _, setting in ranked[:kept]]
    rules = [_rule(selector, budget, found) for selector, budget in wanted]
    places = sorted(range(len(rules)), key=lambda at: (-rules[at].exact, -rules[at].overlap, at))
    return Production(
        arm=arm,
        rules=_distinct([rules[at] for at in places]),
        n=len(found),
        recorded=recorded,
        outside=sum(one.sent is None for one in found),
    )


def _distinct(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The first of those that explain the same: a dial that changes nothing is no other rule."""
    first: dict[tuple[object, ...], Rule] = {}
    for rule in rules:
        first.setdefault((rule.differ, round(rule.overlap, 9)), rule)
    return tuple(first.values())[:SHOWN]


def _read(database: Database, collection: str, arm: str) -> tuple[list[_Sent], int]:
    home = queries.collection(database, collection)
    words = queries.frequencies(database, home)
    with database.read() as connection:
        keys = queries.question_keys(connection, home.id)
    keys = _spread(keys, MOST)
    found = []
    for start in range(0, len(keys), CHUNK):
        with database.read() as connection:
            chunk = read_questions(connection, keys[start : start + CHUNK])
        for stored in chunk:
            sent = _recorded(stored, arm)
            if sent is not None:
                pool = build_pool(stored, relevance=None, frequencies=words).pool
                inside = all(name in pool.position for name in sent)
                places = frozenset(pool.position[name] for name in sent) if inside else None
                found.append(_Sent(stored.record.id, pool, places))
    return found, home.with_sent


def _recorded(stored: StoredQuestion, arm: str) -> tuple[str, ...] | None:
    runs = (one.sent for one in stored.record.arms if one.name == arm)
    return next((sent for sent in runs if sent is not None), None)


def _spread(items: Sequence[Any], most: int) -> list[Any]:
    """At most so many of them, evenly spaced, the first included."""
    if len(items) <= most:
        return list(items)
    return [items[at * len(items) // most] for at in range(most)]


def settings(found: Sequence[_Sent]) -> Iterator[tuple[Selector, Budget]]:
    """Every setting that is tried, the plain ones first: ties go to what is simplest."""
    budgets = [Budget(), *(Budget(tokens=one) for one in _budgets(found))]
    names = sorted(list_selectors(), key=lambda name: name != "top_k")
    for name in names:
        cls = selector_class(name)
        if any(param.default is None for param in cls.params) or cls.yardstick:
            continue
        for values in _grid(cls.params, found):
            selector = make_selector(name, **values)
            charged = values.get("overflow") == "overspend"
            yield from ((selector, budget) for budget in budgets[: 1 if charged else None])


def _grid(params: Sequence[Param], found: Sequence[_Sent]) -> Iterator[dict[str, Any]]:
    """All combinations of a few values each; where these are many, one parameter at a time."""
    columns = {param.name: _values(param, found) for param in params}
    size = 1
    for column in columns.values():
        size *= len(column)
    if size <= MOST_COMBINED:
        for combined in product(*columns.values()):
            yield dict(zip(columns, combined, strict=True))
        return
    yield {}
    for name, column in columns.items():
        yield from ({name: value} for value in column)


def _values(param: Param, found: Sequence[_Sent]) -> list[Any]:
    """A few values of a parameter; for a number of passages those that were sent."""
    if param.choices:
        return list(param.choices)
    if param.type is bool:
        return [False, True]
    if param.name == "k":
        lengths = Counter(len(one.sent) for one in found if one.sent)
        common = [length for length, _ in lengths.most_common(3)]
        largest = max((len(one.pool) for one in found), default=0)
        # The largest first: of equal rules the one whose k never binds is named.
        return sorted({*common, max(lengths, default=0), largest}, reverse=True)
    if param.type is int:
        low = int(param.low or 0)
        return sorted({low, int(param.default), int(param.default) + 1})
    if param.low is not None and param.high is not None and param.high <= 1:
        step = (param.high - param.low) / 4
        return sorted({param.default, *(round(param.low + at * step, 3) for at in range(1, 5))})
    return [param.default]


def _budgets(found: Sequence[_Sent]) -> list[int]:
    """The token budget that explains most for a walk that stops, and for one that skips."""
    best = []
    for mode in ("stop", "skip"):
        ranges = [one for sent in found if (one := sent.explaining(mode)) is not None]
        if ranges:
            best.append(roundest(*densest(ranges)))
    return sorted(set(best))


def _score(setting: tuple[Selector, Budget], few: Sequence[_Sent]) -> tuple[float, float]:
    """Negative counts of what it explains and how near it comes; what cannot run comes last."""
    exact, overlap = 0, 0.0
    for one in few:
        picked = _picked(setting, one)
        if picked is not None and one.sent is not None:
            exact += picked == one.sent
            overlap += _jaccard(picked, one.sent)
    return (-exact, -overlap)


def _picked(setting: tuple[Selector, Budget], one: _Sent) -> frozenset[int] | None:
    selector, budget = setting
    try:
        return frozenset(selector.select(one.pool, budget).picks.order)
    except ValueError:
        return None


def _jaccard(one: frozenset[int], other: frozenset[int]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0


def _rule(selector: Selector, budget: Budget, found: Sequence[_Sent]) -> Rule:
    exact, overlap, unable, ended = 0, 0.0, 0, 0
    bound: Counter[str] = Counter()
    differ: list[str] = []
    ranges: list[tuple[int, int | None]] = []
    values = selector.values
    mode = str(values["overflow"]) if selector.name == "top_k" else ""
    for one in found:
        try:
            selection = selector.select(one.pool, budget)
            picked = frozenset(selection.picks.order)
        except ValueError:
            unable += 1
            differ.append(one.id)
            continue
        bound.update({str(d.reason) for d in selection.decisions if d.reason is not None})
        ended += len(picked) == values.get("k") and len(picked) < len(one.pool)
        overlap += _jaccard(picked, one.sent) if one.sent is not None else 0.0
        if picked != one.sent:
            differ.append(one.id)
            continue
        exact += 1
        # Where k ended the walk, the budget says nothing.
        if mode in ("stop", "skip") and budget.tokens is not None and len(picked) < values["k"]:
            limits = one.explaining(mode)
            ranges += [] if limits is None else [limits]
    ran = len(found) - unable
    return Rule(
        selector=selector,
        budget=budget,
        exact=exact,
        overlap=overlap / ran if ran else 0.0,
        n=len(found),
        unable=unable,
        bound=dict(bound),
        k_binds=ended if "k" in values else None,
        budgets=common(ranges),
        differ=tuple(differ),
    )
