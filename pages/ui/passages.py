"""The texts of the passages, with the sentence that carries each claim marked."""

from __future__ import annotations

from collections.abc import Sequence

from pages.ui import text
from pages.ui.lanes import Lane
from pages.ui.ledger import heading, noun, swatch
from storage.views import CandidateView, QuestionView


def texts_html(view: QuestionView, lanes: Sequence[Lane], *, ranks: Sequence[int]) -> str:
    """HTML of some passages in rank order: who sends each, and where its claims stand."""
    running = [lane for lane in lanes if lane.selection is not None]
    shown = [candidate for candidate in view.candidates if candidate.rank in set(ranks)]
    return "".join(_passage(view, candidate, running) for candidate in shown)


def _passage(view: QuestionView, candidate: CandidateView, lanes: Sequence[Lane]) -> str:
    index = candidate.rank - 1
    cost = "" if view.pool.tokens is None else f"{int(view.pool.tokens[index]):,} tokens"
    senders = [lane for lane in lanes if lane.by_rank[candidate.rank].decision.admitted]
    sent = "sent by " + " ".join(swatch(lane) for lane in senders) if senders else "sent by none"
    return (
        f'<article class="r13 passage-text"><header><b class="num">{candidate.rank}</b> '
        f"<h3>{text.plain(heading(candidate))}</h3>"
        f'<span class="soft">{text.plain(candidate.id)} {cost} {_meta(candidate)}</span>'
        f'<span class="senders">{sent}</span></header>'
        f"<p>{marked(view, candidate)}</p>{_unplaced(view, candidate)}</article>"
    )


def _meta(candidate: CandidateView) -> str:
    shown = [f"{key} {value}" for key, value in candidate.metadata.items() if key != "title"]
    return text.plain(" · ".join(shown)[:160])


def marked(view: QuestionView, candidate: CandidateView) -> str:
    """HTML of a passage's text; a sentence that carries a fact is marked more strongly."""
    facts = set(view.pool.gold)
    spans = [
        text.Span(
            start=place.start,
            end=place.end,
            note=f"{'fact' if place.claim in facts else noun(view)}: {_wording(view, place.claim)}",
            strong=place.claim in facts,
        )
        for place in candidate.places
        if place.start is not None and place.end is not None
    ]
    return text.highlighted(candidate.text, spans)


def _unplaced(view: QuestionView, candidate: CandidateView) -> str:
    """Claims whose place in the text is not known are listed below it."""
    names = [place.claim for place in candidate.places if place.start is None]
    if not names:
        return ""
    items = "".join(f"<li>{text.plain(_wording(view, name))}</li>" for name in names)
    return f'<p class="soft">States, at a place that is not known:</p><ul class="soft">{items}</ul>'


def _wording(view: QuestionView, claim: str) -> str:
    facts = {fact.id: fact.text for fact in view.facts}
    return view.claim_texts.get(claim) or facts.get(claim) or claim
