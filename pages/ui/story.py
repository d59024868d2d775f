"""The story of one question: a dial that counts, and a loop that looks at what is new."""

from __future__ import annotations

from dataclasses import dataclass

from pages.ui import text
from pages.ui.lanes import Lane, has_facts, run_lane, stated, supported_by_pool
from pages.ui.ledger import noun
from selection.ledger import Reason
from selection.model import Budget
from selection.registry import make_selector
from storage.views import QuestionView

SMALL_K = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One question told: top-k over the whole pool, the marginal-gain loop, and top-k at 8."""

    view: QuestionView
    before: Lane
    small: Lane
    after: Lane

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """In the order of their numbers; a pool of 8 or fewer has only one top-k."""
        if len(self.view.pool) <= SMALL_K:
            return (self.before, self.after)
        return (self.before, self.after, self.small)


def walk(view: QuestionView, budget: Budget) -> Told:
    """Run the three selectors of the story under one budget."""
    size = len(view.pool)
    loop = make_selector("marginal_gain", min_new_claims=1)
    return Told(
        view=view,
        before=run_lane(view.pool, budget, make_selector("top_k", k=size), place=1),
        small=run_lane(view.pool, budget, make_selector("top_k", k=min(SMALL_K, size)), place=3),
        after=run_lane(view.pool, budget, loop, place=2),
    )


def title(told: Told) -> str:
    """The story in one line, computed: how many were retrieved, and which of them matter."""
    many = text.counted(len(told.view.pool), "passage")
    late = ranks_of_what_was_missing(told)
    if late and len(late) <= 3:
        return f"{many}, and what the first {SMALL_K} lack stands at {text.ranks(late)}."
    return f"{many}, and {len(told.after.admitted):,} of them say something new."


def conclusion(told: Told) -> list[str]:
    """Up to three sentences, every number of them computed from the question on screen."""
    if not len(told.view.pool):
        return ["Nothing was retrieved for this question, so there is nothing to choose from."]
    return [line for line in (_cost(told), _coverage(told), _voices(told)) if line]


def _cost(told: Told) -> str:
    before, after = told.before.selection, told.after.selection
    if before is None or after is None or before.tokens is None or after.tokens is None:
        return f"The loop cannot run here: {told.after.problem}" if after is None else ""
    size, sent = len(told.view.pool), len(after.ranks)
    if size == 1:
        return f"The only passage costs {before.tokens:,} tokens."
    over = ""
    if before.remaining is not None and before.remaining < 0:
        over = f", {-before.remaining:,} over the budget of {before.budget.tokens:,}"
    costs = f"All {size:,} passages cost {before.tokens:,} tokens{over}"
    if sent in (0, size):
        chosen = "each of them says something new" if sent else "none of them is sent"
    elif sent == 1:
        chosen = f"the one with something new costs {after.tokens:,}"
    else:
        chosen = f"{sent:,} with something new cost {after.tokens:,}"
    return f"{costs}; {chosen}{_left_out(told)}."


def _left_out(told: Told) -> str:
    """Why the others are out: how many add nothing, and how many do not fit any more."""
    reasons = [step.decision.reason for step in told.after.steps]
    idle, tight = reasons.count(Reason.NO_NEW_CLAIMS), reasons.count(Reason.OVER_BUDGET)
    said = [f"{idle:,} {_verb(idle, 'adds', 'add')} nothing"] if idle else []
    if tight:
        said.append(f"{tight:,} {_verb(tight, 'does', 'do')} not fit")
    return f", {text.listed(said)}" if said else ""


def _verb(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def _coverage(told: Told) -> str:
    pool = told.view.pool
    facts = has_facts(pool)
    kind, total = ("facts", len(pool.gold)) if facts else (f"{noun(told.view)}s", stated(pool))
    small, after = _covered(told.small), _covered(told.after)
    k, sent, size = len(told.small.admitted), len(told.after.admitted), len(pool)
    if small is None or after is None or not total or not k:
        return ""
    who = "It" if size == 1 else f"All {k:,}" if k == size else f"The first {k:,}"
    holds = f"{who} {_verb(k, 'holds', 'hold')} {text.out_of(small, total, kind)}"
    nowhere = _nowhere(told) if facts else ""
    if sent in (0, size):
        return f"{holds}{nowhere}."
    late = ranks_of_what_was_missing(told) if facts else ()
    brings = f": {text.ranks(late)} {_verb(len(late), 'has', 'have')} what was missing"
    chosen = "that one holds" if sent == 1 else f"those {sent:,} hold"
    return f"{holds}, {chosen} {text.out_of(after, total)}{brings if late else nowhere}."


def _nowhere(told: Told) -> str:
    """Facts that no passage of the pool supports: retrieval lost them, not selection."""
    lost = len(told.view.pool.gold) - supported_by_pool(told.view.pool)
    return (
        f"; {text.counted(lost, 'fact')} {_verb(lost, 'is', 'are')} in no passage" if lost else ""
    )


def _covered(lane: Lane) -> int | None:
    if lane.selection is None:
        return None
    return lane.facts if has_facts(lane.selection.pool) else len(lane.selection.claims)


def ranks_of_what_was_missing(told: Told) -> tuple[int, ...]:
    """Ranks that the loop sends for a fact which the first 8 do not hold."""
    held = {name for step in told.small.admitted for name in step.new_facts or ()}
    return tuple(
        step.decision.rank for step in told.after.admitted if set(step.new_facts or ()) - held
    )


def _voices(told: Told) -> str:
    """The claim that is said most often against one that is said once."""
    bits = told.view.pool.claim_bits
    times = bits.matrix().sum(axis=0)
    if not len(times) or len(told.view.pool) < 2:
        return ""
    loudest = int(times.argmax())
    if times[loudest] < 2:
        return f"No two passages share a {noun(told.view)}: nothing repeats here."
    loud = f"{int(times[loudest]):,} passages say {_quoted(told, bits.names[loudest], 90)}"
    lone = [name for name, count in zip(bits.names, times, strict=True) if count == 1]
    if not lone:
        return f"{loud}; nothing is said by one passage alone."
    at = _telling(told, lone)
    if at is None:
        many = text.counted(len(lone), noun(told.view))
        return f"{loud}; {many} {_verb(len(lone), 'stands', 'stand')} in one passage only."
    rank, name = at
    return f"{loud}; only rank {rank} says {_quoted(told, name, 120)}."


def _telling(told: Told, lone: list[str]) -> tuple[int, str] | None:
    """The lone claim to quote: one that the first 8 lack and the loop sends; else none."""
    held = {name for step in told.small.admitted for name in step.new or ()}
    alone = set(lone)
    late = [
        (step.decision.rank, name)
        for step in told.after.admitted
        for name in step.new or ()
        if name in alone and name not in held
    ]
    facts = [one for one in late if one[1] in told.view.pool.gold]
    return next(iter(facts), None) or (late[0] if len(late) == 1 else None)


def _quoted(told: Told, name: str, most: int) -> str:
    said = told.view.claim_texts.get(name, name).rstrip(".")
    return f"“{text.shortened(said, most)}”"
