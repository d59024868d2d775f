"""At the end of a story: what each selector left out, why, and whether it mattered."""

from __future__ import annotations

from collections import Counter

from pages.ui import text
from pages.ui.lanes import Lane, has_facts
from pages.ui.ledger import noun, swatch
from pages.ui.story import SMALL_K, Told
from selection.ledger import Reason

MOST_FACTS = 2


def summary_html(told: Told) -> str:
    """HTML: a paragraph a selector, with what its choice cost and what it lost."""
    return '<p class="passage"><b>What was left out, and whether it mattered</b></p>' + "".join(
        f'<div class="told hue{lane.place}">{swatch(lane)} '
        f"<p>{text.plain(' '.join(sentences(told, lane)))}</p></div>"
        for lane in told.lanes
        if lane.selection is not None
    )


def sentences(told: Told, lane: Lane) -> list[str]:
    """What is out and why; what it lost by that; what is sent in vain."""
    return [one for one in (_out(lane), _lost(told, lane), _idle(told, lane)) if one]


def _out(lane: Lane) -> str:
    reasons = Counter(step.decision.reason for step in lane.steps if not step.decision.admitted)
    if not reasons:
        return "Nothing is left out."
    counts = [(reason, count) for reason, count in reasons.most_common() if reason]
    shown = [("" if len(counts) == 1 else f"{n:,} ") + _why(reason, n) for reason, n in counts]
    lead = "it " if reasons.total() == 1 else "all " if len(counts) == 1 else ""
    return f"{text.counted(reasons.total(), 'passage')} left out: {lead}{text.listed(shown)}."


def _why(reason: Reason, count: int) -> str:
    one, many = {
        Reason.NO_NEW_CLAIMS: ("adds nothing", "add nothing"),
        Reason.OVER_BUDGET: ("does not fit", "do not fit"),
        Reason.BEYOND_K: (f"stands beyond rank {SMALL_K}", f"stand beyond rank {SMALL_K}"),
    }.get(reason, (str(reason).replace("_", " "),) * 2)
    return one if count == 1 else many


def _lost(told: Told, lane: Lane) -> str:
    """Facts, or else statements, that only passages which are out would have brought."""
    if not lane.steps or all(step.decision.admitted for step in lane.steps):
        return ""
    pool = told.view.pool
    facts = has_facts(pool)
    bits = pool.support_bits if facts else pool.claim_bits
    sent = [step.decision.rank - 1 for step in lane.admitted]
    held = bits.decode(bits.union(sent))
    first: dict[str, int] = {}
    for index in sorted(set(range(len(pool))) - set(sent)):
        for name in bits.row(index) or ():
            if name not in held:
                first.setdefault(name, index + 1)
    kind = "fact" if facts else noun(told.view)
    if not first:
        return f"No {kind} is lost by that."
    which = f": {_named(told, first)}" if facts else ""
    return f"{text.counted(len(first), kind)} {_verb(len(first))} lost by that{which}."


def _verb(count: int) -> str:
    return "is" if count == 1 else "are"


def _named(told: Told, first: dict[str, int]) -> str:
    """The lost facts in words, each with the first rank that states it."""
    words = {fact.id: fact.text for fact in told.view.facts}
    shown = [
        f"“{text.shortened(words.get(name) or name, 90).rstrip('.')}” (rank {rank})"
        for name, rank in list(first.items())[:MOST_FACTS]
    ]
    more = len(first) - MOST_FACTS
    return text.listed([*shown, *([f"{more:,} more"] if more > 0 else [])])


def _idle(told: Told, lane: Lane) -> str:
    """Passages that are sent and only repeat, and what they cost."""
    idle = [step for step in lane.admitted if step.new is not None and not step.new]
    if not idle:
        return ""
    costs = [step.decision.tokens for step in idle]
    tokens = "" if None in costs else f", {sum(one or 0 for one in costs):,} tokens"
    out_of = text.out_of(len(idle), len(lane.admitted))
    return f"{out_of} sent {'repeats' if len(idle) == 1 else 'repeat'} what was said{tokens}."
