"""A story as one file to forward: self-contained, escaped, without a script, light and dark."""

from __future__ import annotations

from datetime import datetime

from pages.ui import blocks, scene, text
from pages.ui.frame import ROOMS_STYLE, STYLE
from pages.ui.head import question_html
from pages.ui.lanes import HUES
from pages.ui.ledger import heading, mark, noun, swatch
from pages.ui.reasons import sentence
from pages.ui.story import Told, conclusion
from storage.html import Markup, document

OWN = """
.blocks { margin: 0.8rem 0 0 !important; }
.scene { margin-top: 1rem; }
.walk td, .walk th { vertical-align: top !important; }
.walk caption { padding: 0; }
@media print { .blocks li, .pill, .bar span, .dot { print-color-adjust: exact; } }
"""


def story_file(told: Told, *, saved_at: datetime) -> bytes:
    """The whole story as HTML. saved_at: the moment that the file says it was made."""
    view = told.view
    size = len(view.pool)
    parts = (
        question_html(view),
        conclusion_html(told),
        *(blocks.blocks_html(view, lane) for lane in told.lanes),
        blocks.KEY,
        scene.end_html(told) if size else "",
        _walk_table(told),
    )
    made_up = ", made-up data" if view.collection.made_up else ""
    return document(
        title=view.question,
        body=Markup("".join(parts)),
        about=[
            f"Collection {view.collection.name}{made_up}, question {view.id}",
            f"{noun(view)}s {view.sources.claims}, tokens {view.sources.tokens}",
        ],
        saved_at=saved_at,
        css=f"{_hues()}{STYLE.read_text('utf-8')}{ROOMS_STYLE.read_text('utf-8')}{OWN}",
    )


def conclusion_html(told: Told) -> str:
    """The sentences of the conclusion as one paragraph."""
    return f'<p class="r13 tell">{text.plain(" ".join(conclusion(told)))}</p>'


def _hues() -> str:
    return "".join(f".hue{place}{{--hue:{hue}}}" for place, hue in enumerate(HUES, start=1))


def _walk_table(told: Told) -> str:
    """Every rank with what each selector does about it, in words."""
    lanes = [lane for lane in told.lanes if lane.selection is not None]
    if not told.view.candidates:
        return ""
    heads = "".join(
        f'<th scope="col" class="hue{lane.place}">{swatch(lane)} {text.plain(lane.label)}</th>'
        for lane in lanes
    )
    rows = ""
    for candidate in told.view.candidates:
        cells = ""
        for lane in lanes:
            step = lane.by_rank[candidate.rank]
            why = text.plain(sentence(step.decision, noun=noun(told.view)))
            cells += f'<td class="hue{lane.place}">{mark(step, numbered=False)} {why}</td>'
        tokens = lanes[0].by_rank[candidate.rank].decision.tokens if lanes else None
        rows += (
            f'<tr><th scope="row" class="num">{candidate.rank}</th>'
            f'<td>{text.plain(heading(candidate))}</td><td class="num">{text.whole(tokens)}</td>'
            f"{cells}</tr>"
        )
    return (
        '<table class="r13 walk"><caption class="sr">Every rank and every decision</caption><thead>'
        '<tr><th scope="col" class="num">rank</th><th scope="col">passage</th>'
        f'<th scope="col" class="num">tokens</th>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    )
