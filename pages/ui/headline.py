"""One row a selector: what it sends, what that costs, and the difference to the first."""

from __future__ import annotations

from collections.abc import Sequence

from pages.ui import text
from pages.ui.lanes import Lane, has_facts, stated, supported_by_pool
from pages.ui.ledger import noun, swatch
from storage.views import QuestionView


def headline_table(view: QuestionView, lanes: Sequence[Lane]) -> str:
    """HTML of the head lines; the first lane is the baseline."""
    heads = ["passages", "tokens", "budget", _covered_head(view), "add nothing", "redundancy"]
    heads += [_evidence_head(view)] if view.pool.answer_bearing else []
    head = '<th scope="col">selector</th>' + "".join(
        f'<th scope="col" class="num{"" if name == "budget" else " wide"}">{name}</th>'
        for name in heads
    )
    rows = "".join(_row(view, lane, lanes[0], columns=len(heads)) for lane in lanes)
    return (
        '<table class="r13 headline"><caption class="sr">What each selector sends, and the '
        f"difference to the first.</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _covered_head(view: QuestionView) -> str:
    """What is counted, and how much of it retrieval brought, where it did not bring all."""
    if not has_facts(view.pool):
        return f"{noun(view)}s"
    held = supported_by_pool(view.pool)
    return "facts" if held == len(view.pool.gold) else f"facts ({held:,} in the pool)"


def _evidence_head(view: QuestionView) -> str:
    held = len(view.pool.answer_bearing & set(view.pool.ids))
    return (
        "evidence" if held == len(view.pool.answer_bearing) else f"evidence ({held:,} in the pool)"
    )


def _row(view: QuestionView, lane: Lane, first: Lane, *, columns: int) -> str:
    baseline = ' <span class="soft">baseline</span>' if lane is first else ""
    name = (
        f'<th scope="row">{swatch(lane)} {text.plain(lane.label)}{baseline}{_strangers(lane)}</th>'
    )
    if lane.selection is None:
        return (
            f'<tr>{name}<td colspan="{columns}" class="warn-text">'
            f"cannot run here: {text.plain(lane.problem)}</td></tr>"
        )
    cells = [
        _counted(len(lane.selection.ranks), _sent(first), lane, first),
        _counted(lane.selection.tokens, _tokens(first), lane, first),
        _budget(lane),
        _covered(view, lane, first),
        _counted(lane.idle, first.idle, lane, first),
        _shares(lane.measures.get("redundancy"), first.measures.get("redundancy"), lane, first),
    ]
    if view.pool.answer_bearing:
        cells.append(_evidence(view, lane, first))
    row = "".join(f'<td class="num">{cell}</td>' for cell in cells)
    return f"<tr>{name}{row}</tr>"


def _strangers(lane: Lane) -> str:
    """What a record says was sent and is not in the pool: it cannot be shown, so it is counted."""
    missing = () if lane.selection is None else lane.selection.missing
    if not missing:
        return ""
    names = text.plain(text.shortened(text.listed(missing), 300))
    words = text.counted(len(missing), "sent passage is", "sent passages are")
    return f' <span class="tag warn" title="{names}">{words} not in the pool</span>'


def _sent(lane: Lane) -> int | None:
    return None if lane.selection is None else len(lane.selection.ranks)


def _tokens(lane: Lane) -> int | None:
    return None if lane.selection is None else lane.selection.tokens


def _budget(lane: Lane) -> str:
    remaining = None if lane.selection is None else lane.selection.remaining
    words = text.left(remaining)
    if remaining is not None and remaining < 0:
        return f'<span class="warn-text">{words}</span>'
    return words


def _counted(value: int | None, other: int | None, lane: Lane, first: Lane) -> str:
    return text.whole(value) + _beside(value, other, lane, first, digits=0)


def _shares(value: float | None, other: float | None, lane: Lane, first: Lane) -> str:
    return text.decimal(value) + _beside(value, other, lane, first, digits=2)


def _beside(
    value: float | None, other: float | None, lane: Lane, first: Lane, *, digits: int
) -> str:
    """The difference to the first, small and in a place of its own: figures stay aligned."""
    if lane is first:
        return '<span class="diff"></span>'
    shown = ""
    if value is not None and other is not None:
        shown = text.signed(value - other, digits=digits)
    return f'<span class="diff">{shown}</span>'


def _covered(view: QuestionView, lane: Lane, first: Lane) -> str:
    """Facts where they are known, else the distinct claims that stand in for them."""
    if has_facts(view.pool):
        notes = _weighed(view, lane) + _judged(lane)
        words = text.out_of(lane.facts, len(view.pool.gold))
        return words + notes + _beside(lane.facts, first.facts, lane, first, digits=0)
    now, then = _distinct(lane), _distinct(first)
    return text.out_of(now, stated(view.pool)) + _beside(now, then, lane, first, digits=0)


def _distinct(lane: Lane) -> int | None:
    known = lane.selection is not None and lane.selection.pool.claim_bits.complete
    return len(lane.selection.claims) if known and lane.selection is not None else None


def _weighed(view: QuestionView, lane: Lane) -> str:
    """The share of the weight, where facts do not all weigh the same."""
    recall = lane.measures.get("claim_recall")
    if recall is None or len(set(view.pool.gold.values())) < 2:
        return ""
    return f' <span class="soft">{recall:.0%} by weight</span>'


def _judged(lane: Lane) -> str:
    """A note where gold was judged for only part of what is sent."""
    if lane.selection is None:
        return ""
    known = lane.selection.pool.support_bits.known[list(lane.selection.picks.order)]
    if known.all():
        return ""
    return f' <span class="soft">judged {int(known.sum())} of {len(known)}</span>'


def _evidence(view: QuestionView, lane: Lane, first: Lane) -> str:
    words = text.out_of(lane.evidence, len(view.pool.answer_bearing))
    return words + _beside(lane.evidence, first.evidence, lane, first, digits=0)
