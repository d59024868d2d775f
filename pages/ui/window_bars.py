"""Windows as bars to one scale: as allotted, and as each selector leaves them."""

from __future__ import annotations

from collections.abc import Sequence

from pages.ui import text, window
from pages.ui.lanes import Lane
from pages.ui.ledger import heading, swatch
from selection.window.fill import Filled
from selection.window.slices import NAMES, Name, Window
from storage.views import QuestionView

NARROW, TIGHT = 0.03, 0.06
"""Shares of the bar below which a slice has no room for its name, and for its tokens beside it."""
ROOM, SLIVER = 0.016, 0.004
"""Shares of the bar below which a passage has no room for its rank, and is no cell of its own."""


def bars_html(view: QuestionView, lanes: Sequence[Lane], slices: Window) -> str:
    """All bars under each other, and in words what happened to each."""
    runs = [(lane, window.filled(view, lane, slices)) for lane in lanes if lane.selection]
    widest = max([1, slices.total, *(one.total for _, one in runs)])
    allotted = "".join(
        _segment(one.name, one.size, widest, note="allotted") for one in slices.slices
    )
    bars = "".join(_lane(view, lane, one, widest=widest) for lane, one in runs)
    problems = "".join(
        f'<p class="soft">{swatch(lane)} {text.plain(lane.label)}: {text.plain(lane.problem)}</p>'
        for lane in lanes
        if lane.selection is None
    )
    return (
        '<div class="r13 windows"><figure><figcaption><b>as allotted</b> <span class="unit">'
        f"{slices.total:,} tokens</span></figcaption>"
        f'<div class="window" role="img" aria-label="{_said(slices)}">{allotted}</div></figure>'
        f"{bars}{problems}</div>"
    )


def _said(slices: Window) -> str:
    return text.listed([f"{window.TITLES[one.name]} {one.size:,}" for one in slices.slices])


def _lane(view: QuestionView, lane: Lane, one: Filled, *, widest: int) -> str:
    parts = ""
    for name in NAMES:
        if name == "retrieval":
            parts += _retrieval(view, lane, one, widest)
        else:
            parts += _segment(name, one.tokens[name], widest, note=_note(one, name))
    limit = one.window.total / widest
    mark = f'<i class="limit" style="left:{limit:.2%}"></i>' if one.over else ""
    return (
        f'<figure class="hue{lane.place}"><figcaption>{swatch(lane)} '
        f"<b>{text.plain(lane.label)}</b> {text.plain(verdict(one))}</figcaption>"
        f'<div class="window" role="img" aria-label="{text.plain(verdict(one))}">{parts}{mark}'
        "</div></figure>"
    )


def _segment(name: Name, tokens: int, widest: int, *, note: str) -> str:
    share = tokens / widest
    title = f"{window.TITLES[name]}: {tokens:,} tokens, {note}"
    figure = f" {tokens:,}" if share >= TIGHT else ""
    words = f"<b>{window.TITLES[name]}</b>{figure}" if share >= NARROW else ""
    changed = " less" if note.startswith(text.MINUS) else " more" if note.startswith("+") else ""
    delta = f"<i>{text.plain(note)}</i>" if changed and share >= NARROW else ""
    return (
        f'<span class="slice {name}{changed}" style="width:{share:.3%}" '
        f'title="{text.plain(title)}">{words} {delta}</span>'
    )


def _note(one: Filled, name: Name) -> str:
    if one.lost[name]:
        return text.signed(-one.lost[name])
    if name == "history" and one.back:
        return f"+{one.back:,} handed back"
    return "unchanged"


def _retrieval(view: QuestionView, lane: Lane, one: Filled, widest: int) -> str:
    """The passages in their order, as wide as their tokens."""
    order = window.order_of(view, lane)
    kept = order[: len(order) - one.dropped]
    tokens = view.pool.tokens
    if tokens is None or not kept:
        return ""
    share = one.tokens["retrieval"] / widest
    if share / len(kept) < SLIVER:
        words = text.counted(len(kept), "passage")
        return (
            f'<span class="slice passage new" style="width:{share:.3%}" title="{words}">'
            f"{words if share >= TIGHT else ''}</span>"
        )
    steps = lane.by_rank
    cells = ""
    for index in kept:
        step = steps[index + 1]
        kind = "new" if step.new or step.new is None else "idle"
        said = f"rank {index + 1}, {int(tokens[index]):,} tokens: {heading(view.candidates[index])}"
        cells += (
            f'<span class="slice passage {kind}" style="width:{int(tokens[index]) / widest:.3%}" '
            f'title="{text.plain(said)}">{index + 1 if share / len(kept) >= ROOM else ""}</span>'
        )
    return cells


def verdict(one: Filled) -> str:
    """What happened to the window, in a sentence."""
    spent = one.tokens["retrieval"]
    room = one.window["retrieval"].size
    said = f"{spent:,} of {room:,} retrieval tokens"
    if one.over:
        return f"{said}: {one.over:,} tokens fit nowhere, so this prompt is refused"
    if one.changed:
        dropped = f"; {text.counted(one.dropped, 'passage')} dropped" if one.dropped else ""
        return f"{said}: {taken(one)}{dropped}"
    if one.dropped:
        return f"{said}: {text.counted(one.dropped, 'passage')} from the end dropped"
    if one.back:
        return f"{said}: {one.back:,} go back to history"
    return f"{said}: it fits exactly"


def taken(one: Filled) -> str:
    """What was taken from whom, the first to give way first."""
    lost = [
        f"{one.lost[part.name]:,} from {window.TITLES[part.name]}"
        for part in one.window.eviction
        if part.name in one.changed
    ]
    return f"it takes {text.listed(lost)}"


def table_html(view: QuestionView, lanes: Sequence[Lane], slices: Window) -> str:
    """Every slice as figures: allotted, floor, place, and what each selector leaves."""
    runs = [(lane, window.filled(view, lane, slices)) for lane in lanes if lane.selection]
    heads = "".join(
        f'<th scope="col" class="num hue{lane.place}">{swatch(lane)} {text.plain(lane.label)}</th>'
        for lane, _ in runs
    )
    body = "".join(_row(slices, name, [one for _, one in runs]) for name in NAMES)
    totals = "".join(f'<td class="num">{one.total:,}</td>' for _, one in runs)
    return (
        '<table class="r13 figures"><caption class="sr">Slices of the window</caption><thead><tr>'
        '<th scope="col">slice</th><th scope="col" class="num">allotted</th>'
        '<th scope="col" class="num">floor</th><th scope="col">gives way</th>'
        f"{heads}</tr></thead><tbody>{body}</tbody><tfoot><tr><th scope=row>all</th>"
        f'<td class="num">{slices.total:,}</td><td></td><td></td>{totals}</tr></tfoot></table>'
    )


def _row(slices: Window, name: Name, runs: Sequence[Filled]) -> str:
    one = slices[name]
    cells = "".join(
        f'<td class="num">{run.tokens[name]:,} <span class="diff">'
        f"{text.signed(run.tokens[name] - one.size)}</span></td>"
        for run in runs
    )
    place = "never" if one.place is None else f"at place {one.place}"
    return (
        f'<tr><th scope="row">{window.TITLES[name]}</th><td class="num">{one.size:,}</td>'
        f'<td class="num">{one.floor:,}</td><td>{place}</td>{cells}</tr>'
    )
