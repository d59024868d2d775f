"""The texts of the passages, with the sentence that carries each claim marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pages.ui import text
from pages.ui.lanes import Lane
from pages.ui.ledger import heading, noun, swatch
from pages.ui.matrix import lines
from storage.views import CandidateView, QuestionView


def texts_html(view: QuestionView, lanes: Sequence[Lane], *, ranks: Sequence[int]) -> str:
    """HTML of some passages in rank order: who sends each, and where its claims stand."""
    running = [lane for lane in lanes if lane.selection is not None]
    chosen = set(ranks)
    stating = {line.name: line.ranks for line in lines(view)}
    shown = [candidate for candidate in view.candidates if candidate.rank in chosen]
    return _legend(view) + "".join(_passage(view, one, running, stating) for one in shown)


def _legend(view: QuestionView) -> str:
    """What the marks mean."""
    word = noun(view)
    placed = {place.claim for one in view.candidates for place in one.places}
    fact = " <mark class=strong>a fact</mark>" if placed & set(view.pool.gold) else ""
    new = f" <mark class=new>a {word} said for the first time</mark>" if word == "claim" else ""
    again = f" <mark class=again>a {word} that a lower rank has said already</mark>"
    return f'<p class="r13 soft legend">Marked:{fact}{new}{again}</p>'


def _passage(
    view: QuestionView,
    candidate: CandidateView,
    lanes: Sequence[Lane],
    stating: Mapping[str, tuple[int, ...]],
) -> str:
    index = candidate.rank - 1
    cost = "" if view.pool.tokens is None else f"{int(view.pool.tokens[index]):,} tokens"
    senders = [lane for lane in lanes if lane.by_rank[candidate.rank].decision.admitted]
    sent = "sent by " + " ".join(swatch(lane) for lane in senders) if senders else "sent by none"
    return (
        f'<article class="r13 passage-text"><header><b class="num">{candidate.rank}</b> '
        f"<h3>{text.plain(heading(candidate))}</h3>"
        f'<span class="soft">{text.plain(candidate.id)} {cost} {_meta(candidate)}</span>'
        f'<span class="senders">{sent}</span></header>'
        f"<p>{marked(view, candidate, stating)}</p>{_unplaced(view, candidate)}</article>"
    )


def _meta(candidate: CandidateView) -> str:
    """What else is known of a passage: region EU · version 2025 · tags faq, refund."""
    shown = [
        f"{key} {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for key, value in candidate.metadata.items()
        if key != "title"
    ]
    return text.plain(text.shortened(" · ".join(shown), 160))


def marked(
    view: QuestionView, candidate: CandidateView, stating: Mapping[str, tuple[int, ...]]
) -> str:
    """HTML of a passage's text, its claims marked. stating: claim -> the ranks that state it."""
    spans = [
        text.Span(
            start=place.start,
            end=place.end,
            note=_note(view, place.claim, stating.get(place.claim, ())),
            kind=_kind(view, candidate.rank, place.claim, stating.get(place.claim, ())),
        )
        for place in candidate.places
        if place.start is not None and place.end is not None
    ]
    return text.highlighted(candidate.text, spans)


def _kind(view: QuestionView, rank: int, claim: str, ranks: tuple[int, ...]) -> text.Kind:
    """Every sentence is a statement: marking those said for the first time would mark it all."""
    if claim in view.pool.gold:
        return "strong"
    if ranks and rank > ranks[0]:
        return "again"
    return "new" if noun(view) == "claim" else "quiet"


def _note(view: QuestionView, claim: str, ranks: tuple[int, ...]) -> str:
    what = "fact" if claim in view.pool.gold else noun(view)
    where = f" (at {text.ranks(ranks)})" if ranks else ""
    return f"{what}{where}: {_wording(view, claim)}"


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
