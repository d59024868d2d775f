"""The story of one question: a dial that counts, and a loop that looks at what is new."""

from __future__ import annotations

from dataclasses import dataclass

from pages.ui import text
from pages.ui.lanes import Lane, has_facts, run_lane, stated
from selection.ledger import Reason
from selection.model import Budget, Pool
from selection.registry import make_selector
from storage.views import QuestionView

SMALL_K = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One question told: top-k at 8, top-k over the whole pool, and the marginal-gain loop."""

    view: QuestionView
    small: Lane
    before: Lane
    after: Lane


def walk(view: QuestionView, *, tokens: int | None = None, min_new_claims: int = 1) -> Told:
    """Run the three selectors of the story. tokens: the budget; None is half of the pool."""
    budget = Budget(tokens=half_of(view.pool) if tokens is None else tokens)
    size = len(view.pool)
    loop = make_selector("marginal_gain", min_new_claims=min_new_claims)
    return Told(
        view=view,
        small=run_lane(view.pool, budget, make_selector("top_k", k=min(SMALL_K, size)), place=3),
        before=run_lane(view.pool, budget, make_selector("top_k", k=size), place=1),
        after=run_lane(view.pool, budget, loop, place=2),
    )


def half_of(pool: Pool) -> int | None:
    """Half of what the pool costs, to one digit."""
    if pool.tokens is None or not len(pool):
        return None
    half = int(pool.tokens.sum()) / 2
    digits = len(str(int(half))) - 1
    return int(round(half / 10**digits) * 10**digits)


def conclusion(told: Told) -> list[str]:
    """Three sentences, every number of them computed from the question on screen."""
    return [line for line in (_cost(told), _coverage(told), _voices(told)) if line]


def _cost(told: Told) -> str:
    before, after = told.before.selection, told.after.selection
    if before is None or after is None or before.tokens is None or after.tokens is None:
        return ""
    idle = sum(decision.reason is Reason.NO_NEW_CLAIMS for decision in after.decisions)
    return (
        f"All {text.counted(len(before.ranks), 'passage')} cost {before.tokens:,} tokens; "
        f"{text.counted(len(after.ranks), 'passage')} with something new to say cost "
        f"{after.tokens:,}. {text.counted(idle, 'passage')} of the "
        f"{len(before.ranks):,} {'adds' if idle == 1 else 'add'} nothing to those above."
    )


def _coverage(told: Told) -> str:
    pool = told.view.pool
    noun, total = ("fact", len(pool.gold)) if has_facts(pool) else ("statement", stated(pool))
    small, after = _covered(told.small), _covered(told.after)
    k = len(told.small.selection.ranks) if told.small.selection else 0
    return (
        f"The first {k:,} reach {text.out_of(small, total, noun + 's')}; "
        f"looking for what is new reaches {text.out_of(after, total)}."
    )


def _covered(lane: Lane) -> int | None:
    if lane.selection is None:
        return None
    return lane.facts if has_facts(lane.selection.pool) else len(lane.selection.claims)


def _voices(told: Told) -> str:
    """The claim that is said most often against those that are said once."""
    bits = told.view.pool.claim_bits
    times = bits.matrix().sum(axis=0)
    if not len(times) or times.max() < 2:
        return ""
    loud = bits.names[int(times.argmax())]
    lone = [name for name, count in zip(bits.names, times, strict=True) if count == 1]
    said = told.view.claim_texts.get(loud, loud).rstrip(".")
    sentence = f"{int(times.max()):,} passages say “{text.shortened(said, 90)}”"
    if not lone:
        return f"{sentence}."
    if len(lone) > 1:
        return f"{sentence}; {len(lone):,} statements are made by one passage each."
    rank = 1 + int(bits.matrix()[:, bits.names.index(lone[0])].argmax())
    only = told.view.claim_texts.get(lone[0], lone[0]).rstrip(".")
    return f"{sentence}; only rank {rank} says “{text.shortened(only, 120)}”."
