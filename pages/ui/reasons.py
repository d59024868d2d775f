"""Decisions as sentences: what a passage adds, or why it is out."""

from __future__ import annotations

from collections.abc import Mapping

from pages.ui.text import counted
from selection.ledger import Decision, Reason

_LEAD: Mapping[Reason, str] = {
    Reason.NO_NEW_CLAIMS: "adds nothing: ",
    Reason.BELOW_MIN_NEW_CLAIMS: "adds too little: ",
    Reason.OVER_BUDGET: "does not fit: ",
    Reason.BEYOND_K: "",
    Reason.NEAR_DUPLICATE: "near-duplicate: ",
    Reason.TOO_SIMILAR: "too similar: ",
    Reason.NO_GAIN: "no gain: ",
    Reason.OUTSCORED: "outscored: ",
    Reason.NOT_IN_OPTIMUM: "not in the best set: ",
    Reason.NOT_SENT: "",
}
_OF_CLAIMS = (Reason.NO_NEW_CLAIMS, Reason.BELOW_MIN_NEW_CLAIMS)


def sentence(decision: Decision, *, noun: str) -> str:
    """Why a passage is out, or what it adds. noun: "claim", or "statement" for computed ones."""
    if decision.reason is None:
        return added(decision, noun=noun)
    detail = decision.detail
    if decision.reason in _OF_CLAIMS:
        detail = detail.replace("claim", noun)
    return f"{_LEAD[decision.reason]}{detail}" if detail else _LEAD[decision.reason].rstrip(": ")


def added(decision: Decision, *, noun: str) -> str:
    """What an admitted passage adds: +2 new; nothing new; n/a where its claims are not known."""
    if decision.new_claims is None:
        return f"{noun}s not known"
    return f"+{decision.new_claims:,} new" if decision.new_claims else "nothing new"


def spoken(decision: Decision, *, noun: str) -> str:
    """The whole decision as one sentence, for readers who hear the page."""
    if not decision.admitted:
        return f"out, {sentence(decision, noun=noun)}"
    if decision.new_claims is None:
        return "in"
    return f"in, adds {counted(decision.new_claims, f'new {noun}')}"
