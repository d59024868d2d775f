"""A story as one file to forward: self-contained, escaped, without a script, light and dark."""

from __future__ import annotations

from datetime import datetime

from pages.ui import blocks, scene, text
from pages.ui.frame import PRODUCT, ROOMS_STYLE, STYLE
from pages.ui.lanes import HUES, WARNING
from pages.ui.ledger import heading, mark, noun, swatch
from pages.ui.reasons import sentence
from pages.ui.story import Told, conclusion

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
PAGE = """
:root { color-scheme: light dark; --paper: light-dark(#fcfcfa, #17191c);
  --shade: light-dark(#f2f1ec, #212428); }
body { margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: var(--paper);
  color: light-dark(#23262b, #e4e2dc); font: 14px/1.45 "Source Sans 3", "Segoe UI", sans-serif; }
.blocks { margin: 0.8rem 0 0 !important; }
.scene { margin-top: 1rem; }
.walk td, .walk th { vertical-align: top !important; }
@media print { .blocks li, .pill, .bar span, .dot { print-color-adjust: exact; } }
"""


def story_file(told: Told, *, saved_at: datetime) -> bytes:
    """The whole story as HTML. saved_at: the moment that the file says it was made."""
    view = told.view
    made_up = ", made-up data" if view.collection.made_up else ""
    size = len(view.pool)
    head = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text.plain(view.question)} · {PRODUCT}</title>"
        f"<style>{_hues()}{STYLE.read_text('utf-8')}{ROOMS_STYLE.read_text('utf-8')}{PAGE}</style>"
    )
    body = (
        f'<main><div class="r13 question"><h1>{text.plain(view.question)}</h1></div>'
        f"{conclusion_html(told)}{''.join(blocks.blocks_html(view, lane) for lane in told.lanes)}"
        f"{blocks.KEY}{scene.scene_html(told, at=size) if size else ''}{_walk_table(told)}</main>"
        f'<footer class="r13 soft"><p>{PRODUCT}. Collection {text.plain(view.collection.name)}'
        f"{made_up}, question {text.plain(view.id)}; {noun(view)}s "
        f"{text.plain(view.sources.claims)}, tokens {text.plain(view.sources.tokens)}; "
        f"{saved_at:%Y-%m-%d %H:%M} UTC.</p></footer>"
    )
    return f"{head}</head><body>{body}</body></html>".encode()


def conclusion_html(told: Told) -> str:
    """The sentences of the conclusion as one paragraph."""
    return f'<p class="r13 tell">{text.plain(" ".join(conclusion(told)))}</p>'


def _hues() -> str:
    rules = "".join(f".hue{place}{{--hue:{hue}}}" for place, hue in enumerate(HUES, start=1))
    return f":root{{--warn:{WARNING}}}{rules}"


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
