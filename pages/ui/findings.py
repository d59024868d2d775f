"""Below the head lines, one sentence a selector: what bound it, and how near the best it comes."""

from __future__ import annotations

from collections.abc import Sequence

from pages.ui import text
from pages.ui.appraisal import Appraisal, Best
from pages.ui.lanes import Lane, has_facts, supported_by_pool
from pages.ui.ledger import swatch
from selection.binding import binding
from selection.ledger import Reason, Selection
from storage.views import QuestionView

WAITING = "against the best possible: being worked out"
OVER = "over its budget, so it is not held against the best possible"


def findings_html(view: QuestionView, lanes: Sequence[Lane]) -> str:
    """HTML of the sentences. What takes long is said once it is known; the lines stay in place."""
    items = "".join(_item(lane) for lane in lanes if lane.selection is not None)
    best = _best_line(view, lanes)
    return f'<ul class="r13 findings">{items}{best}</ul>' if items else ""


def _item(lane: Lane) -> str:
    words = "; ".join(filter(None, (binds(lane), against_facts(lane), by_own_objective(lane))))
    return f"<li>{swatch(lane)} {text.plain(words)}</li>"


# What binds.


def binds(lane: Lane) -> str:
    """Which knob binds, and what is left: k binds, 777 tokens left."""
    selection = lane.selection
    if selection is None:
        return ""
    knobs = binding_knobs(selection)
    if knobs:
        verb = "binds" if len(knobs) == 1 and knobs[0] != "tokens" else "bind"
        words = f"{text.listed([_knob(selection, knob) for knob in knobs])} {verb}"
    else:
        words = _unbound(selection)
    left = selection.remaining
    if left is None:
        return words
    return f"{words}, {abs(left):,} tokens {'left' if left >= 0 else 'over'}"


def binding_knobs(selection: Selection) -> tuple[str, ...]:
    """The knobs that turned away what had something to add: first the one that did so first."""
    found = binding(selection)
    knobs = [knob for knob in found.knobs if not (knob == "min_new_claims" and _idle(selection))]
    if not knobs and _wanted(selection):
        budget = selection.budget
        limits = (("tokens", budget.tokens), ("passages", budget.passages))
        knobs = [name for name, limit in limits if limit is not None]
    return tuple(sorted(knobs, key=lambda knob: knob != found.first))


def _idle(selection: Selection) -> bool:
    """Whether the demand for new claims turned away nothing but what adds none."""
    return all(one.reason is not Reason.BELOW_MIN_NEW_CLAIMS for one in selection.decisions)


def _wanted(selection: Selection) -> bool:
    """Whether a best set leaves out something that would add to it, if only there were room."""
    return any(
        one.reason is Reason.NOT_IN_OPTIMUM and (one.gain or 0.0) > 0 for one in selection.decisions
    )


def _knob(selection: Selection, knob: str) -> str:
    named = {"tokens": "tokens", "passages": "the cap on passages"}
    own = {param.name: param.label for param in selection.selector.params}
    return named.get(knob) or own.get(knob) or knob


def _unbound(selection: Selection) -> str:
    reasons = {one.reason for one in selection.decisions if not one.admitted}
    if Reason.NOT_SENT in reasons:
        return "as recorded"
    return "nothing binds: the rest adds nothing" if reasons else "nothing binds: all of it is in"


# The best possible.


def against_facts(lane: Lane) -> str:
    """What share of the judged facts that the budget could buy is held, in facts."""
    selection = lane.selection
    if selection is None or not has_facts(selection.pool):
        return ""
    if not lane.appraised:
        return WAITING
    found = lane.appraisal
    loss = found.loss
    if loss is None:
        return ""
    if loss.selector is None:
        over = loss.reachable is not None
        return OVER if over else "the best possible on judged facts is not known"
    if not loss.reachable:
        none = "no judged fact was retrieved"
        return none if loss.never >= 1 else f"{_buyer(selection)} no judged fact"
    held, most = loss.count(1 - loss.missed), loss.count(loss.reachable)
    if held is None or most is None:
        share = (1 - loss.missed) / loss.reachable
        words = f"{whole_percent(share)} of the judged weight that {_buyer(selection)}"
    elif most == 1:
        verb = "holds" if held else "misses"
        words = f"{verb} the one judged fact that {_buyer(selection)}"
    else:
        words = f"{held:,} of the {most:,} judged facts that {_buyer(selection)}"
    return words + _dearer(selection, found)


def _buyer(selection: Selection) -> str:
    """What sets the limit of the best possible: the budget, or without one the pool."""
    budget = selection.budget
    unlimited = budget.tokens is None and budget.passages is None
    return "this pool holds" if unlimited else "this budget could buy"


def _dearer(selection: Selection, found: Appraisal) -> str:
    """How many tokens more than the cheapest set that is as good; nothing where it is worse."""
    best = found.best
    if found.loss is None or best is None or found.loss.selector is None or not best.proven:
        return ""
    if found.loss.selector > 1e-9 or selection.tokens is None or best.tokens is None:
        return ""
    more = selection.tokens - best.tokens
    return f", {more:,} tokens above the cheapest set" if more > 0 else ""


def by_own_objective(lane: Lane) -> str:
    """What is certain by the selector's own objective, with its guarantee or that it has none."""
    selection = lane.selection
    if selection is None:
        return ""
    guarantee = selection.guarantee
    if guarantee is not None and guarantee.startswith("the best"):
        return f"by its own objective {guarantee.replace('the best', 'the best possible', 1)}"
    near = ""
    if selection.objective is not None and selection.bound:
        near = f"by its own objective {nearness(selection.objective / selection.bound)}"
    assured = "no guarantee" if guarantee is None else f"guaranteed {guarantee}"
    return ", ".join(filter(None, (near, assured)))


def nearness(ratio: float) -> str:
    """How much of the best possible is certain, never rounded up: at least 76% of it."""
    if ratio >= 1 - 1e-9:
        return "the best possible"
    return f"at least {whole_percent(ratio)} of the best possible"


def whole_percent(share: float) -> str:
    """A share as a whole percentage, never rounded up: 76%."""
    return f"{int(100 * share + 1e-9)}%"


def best_of(lanes: Sequence[Lane]) -> Best | None:
    """The best set on judged facts, once it is known; None too where a selector already is it."""
    if any(shows_best(lane) for lane in lanes):
        return None
    known = (lane.appraisal.best for lane in lanes if lane.selection and lane.appraised)
    return next((best for best in known if best is not None), None)


def shows_best(lane: Lane) -> bool:
    """Whether a lane is the best set on judged facts."""
    values = lane.selector.values
    return lane.selector.name == "optimum" and values.get("objective") == "gold"


def _best_line(view: QuestionView, lanes: Sequence[Lane]) -> str:
    """The cheapest set that holds the most judged facts; a line waits for it from the start."""
    if not has_facts(view.pool) or not supported_by_pool(view.pool):
        return ""
    if any(shows_best(lane) for lane in lanes):
        return ""
    best = best_of(lanes)
    words = WAITING if best is None else best_words(best, facts=len(view.pool.gold))
    if best is None and all(lane.appraised for lane in lanes if lane.selection):
        return ""
    return f'<li class="soft"><span class="swatch none">max</span> {words}</li>'


def best_words(best: Best, *, facts: int) -> str:
    """The best set in words: the best possible on judged facts: 6 of 6 with 1,953 tokens, at ..."""
    lead = "best possible on judged facts" if best.proven else "best found so far on judged facts"
    held = text.out_of(best.facts, facts)
    if not best.ranks:
        return f"{lead}: {held}"
    cost = "" if best.tokens is None else f" with {best.tokens:,} tokens"
    where = f" at {text.ranks(best.ranks)}" if len(best.ranks) <= 12 else ""
    return f"{lead}: {held}{cost} in {text.counted(len(best.ranks), 'passage')}{where}"
