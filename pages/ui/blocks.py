"""Passages as blocks, as wide as their tokens: what each adds, and whether it is in."""

from __future__ import annotations

from pages.ui import text
from pages.ui.lanes import Lane, Step, has_facts, stated
from pages.ui.ledger import heading, noun, swatch
from pages.ui.reasons import sentence
from storage.views import QuestionView

MOST_NUMBERED = 60
"""Above this many passages the blocks are too narrow for their numbers."""

KEY = (
    '<p class="r13 soft key"><i class="new"></i> sent, +n new <i class="idle"></i> sent, repeats '
    '<i class="out"></i> left out. As wide as its tokens; point at a block for the reason.</p>'
)


def blocks_html(view: QuestionView, lane: Lane, *, at: int | None = None) -> str:
    """HTML of one lane's blocks in the order of the ranks.

    at: ranks walked, None for all; later ones are still open. Filled: admitted with something
    new. Striped: admitted, adds nothing. Dashed: left out.
    """
    if lane.selection is None:
        return f'<p class="r13 soft">{text.plain(lane.label)}: {text.plain(lane.problem)}</p>'
    walked = len(view.candidates) if at is None else at
    cells = "".join(
        _block(view, lane.by_rank[candidate.rank], walked=walked, now=candidate.rank == at)
        for candidate in view.candidates
    )
    many = " many" if len(view.candidates) > MOST_NUMBERED else ""
    return (
        f'<figure class="r13 blocks{many} hue{lane.place}">'
        f"<figcaption>{swatch(lane)} <b>{text.plain(lane.label)}</b> "
        f'<span class="unit">{_sum(view, lane, walked)}</span></figcaption>'
        f"<ol>{cells}</ol></figure>"
    )


def _sum(view: QuestionView, lane: Lane, walked: int) -> str:
    """What has been sent by now: passages, tokens, what is left, and what that covers."""
    steps = [step for step in lane.steps if step.decision.rank <= walked]
    admitted = [step for step in steps if step.decision.admitted]
    tokens = admitted[-1].tokens if admitted else 0
    budget = lane.selection.budget.tokens if lane.selection else None
    said = [text.counted(len(admitted), "passage"), f"{text.whole(tokens)} tokens"]
    if budget is not None and tokens is not None:
        said.append(text.left(budget - tokens))
    if has_facts(view.pool):
        covered = steps[-1].facts if steps else 0
        said.append(text.out_of(covered, len(view.pool.gold), "facts"))
    else:
        covered = steps[-1].claims if steps else 0
        said.append(text.out_of(covered, stated(view.pool), f"{noun(view)}s"))
    return ", ".join(said)


def _block(view: QuestionView, step: Step, *, walked: int, now: bool) -> str:
    decision = step.decision
    shown = decision.rank <= walked
    kind = _kind(step) if shown else "open"
    title = heading(view.candidates[decision.rank - 1])
    why = sentence(decision, noun=noun(view)) if shown else "not decided yet"
    said = text.plain(f"rank {decision.rank}, {text.whole(decision.tokens)} tokens: {title}. {why}")
    marks = {"new": f"+{len(step.new or ())}" if step.new else "", "idle": "0"}
    return (
        f'<li class="{kind}{" now" if now else ""}" title="{said}" '
        f'style="flex-grow:{max(1, decision.tokens or 1)}"><span class="sr">{said}</span>'
        f'<b aria-hidden="true">{decision.rank}</b>'
        f'<i aria-hidden="true">{marks.get(kind, "")}</i></li>'
    )


def _kind(step: Step) -> str:
    if not step.decision.admitted:
        return "out"
    return "new" if step.new or step.new is None else "idle"
