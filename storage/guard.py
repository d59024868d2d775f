"""Whether a setting holds a promoted question: what it must send, and how crowded that may be.

Nothing here asks a model; the same case and the same setting always give the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from selection.diagnosis import crowding, needs
from selection.ledger import Selection
from selection.model import Budget, Pool
from selection.registry import Selector
from storage.frozen import Frozen
from storage.studies.study import against_of, signs_of

SIGNS = {
    "contradicting": "passages that speak against the evidence",
    "repetition": "times the competing statement is said",
    "tokens_before": "tokens before the evidence",
    "depth": "passages before the evidence",
    "distance": "tokens in the whole prompt",
}


class State(StrEnum):
    """How a check ended."""

    HELD = "held"
    FAILED = "failed"
    UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a prompt has to show. must: names of needs that it holds.

    limits: sign of crowding -> the most that is accepted.
    """

    must: tuple[str, ...]
    limits: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A check of one setting. why: sentences without a full stop; empty where it held."""

    state: State
    why: tuple[str, ...]
    tokens: int | None


def check(frozen: Frozen, expected: Expected, selector: Selector, budget: Budget) -> Checked:
    """Select on the frozen pool, and hold the prompt against what is expected."""
    pool = frozen.pool(similarity="similarity" in selector.needs)
    try:
        selection = selector.select(pool, budget)
        order = selection.picks.order
    except ValueError as problem:
        return Checked(state=State.UNJUDGED, why=(str(problem).rstrip("."),), tokens=None)
    record = frozen.record
    carried = dict(needs(pool, evidence_known=record.answer_bearing is not None) or ())
    unknown = [name for name in expected.must if name not in carried]
    if unknown or not expected.must:
        named = ", ".join(map(repr, unknown)) or "what the answer needs"
        said = f"{named} is not known in the frozen question"
        return Checked(state=State.UNJUDGED, why=(said,), tokens=None)
    wanted = {name: carried[name] for name in expected.must}
    why = [*_missing(wanted, selection)]
    if not why and expected.limits:
        stands = crowding(
            pool,
            order,
            evidence=frozenset().union(*wanted.values()),
            besides=frozenset().union(*carried.values()),
        )
        why += _over(signs_of(stands, order, against_of(record, pool)), expected.limits)
    tokens = None if pool.tokens is None else int(pool.tokens[list(order)].sum())
    return Checked(state=State.FAILED if why else State.HELD, why=tuple(why), tokens=tokens)


def _missing(wanted: Mapping[str, frozenset[int]], selection: Selection) -> Iterable[str]:
    sent = set(selection.picks.order)
    for name, carriers in wanted.items():
        if carriers & sent:
            continue
        out = (selection.decisions[index] for index in sorted(carriers))
        ranks = "; ".join(f"rank {one.rank} is out: {one.detail}" for one in out)
        yield f"{name} is not sent ({ranks or 'no candidate carries it'})"


def _over(signs: Mapping[str, int], limits: Mapping[str, int]) -> Iterable[str]:
    for name, most in limits.items():
        if name in signs and signs[name] > most:
            yield f"{signs[name]:,} {SIGNS.get(name, name)}, at most {most:,} before"


def expectation(
    pool: Pool,
    before: Sequence[int],
    *,
    evidence_known: bool,
    against: frozenset[int],
    signs: Iterable[str],
) -> Expected:
    """What the earlier prompt showed: the needs that it held, and its crowding by some signs.

    Where it held none, every need that the pool can serve, and no limit.

    :raises ValueError: where nothing is known that could be checked.
    """
    carried = needs(pool, evidence_known=evidence_known) or ()
    served = [(name, carriers) for name, carriers in carried if carriers]
    if not served:
        raise ValueError(
            "Nothing is known among the candidates that the answer needs, so there is nothing that "
            "a gate could check; facts or answer-bearing passages are needed. Nothing was stored."
        )
    sent = frozenset(before)
    held = [(name, carriers) for name, carriers in served if carriers & sent]
    if not held:
        return Expected(must=tuple(name for name, _ in served), limits={})
    stands = crowding(
        pool,
        before,
        evidence=frozenset().union(*(carriers for _, carriers in held)),
        besides=frozenset().union(*(carriers for _, carriers in carried)),
    )
    now = signs_of(stands, before, against)
    return Expected(
        must=tuple(name for name, _ in held),
        limits={name: now[name] for name in signs if name in now},
    )
