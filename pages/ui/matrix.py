"""Claims by rank: who states what, and what of it was sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.ui import text
from pages.ui.lanes import Lane, has_facts
from pages.ui.ledger import noun, swatch
from storage.views import QuestionView

MOST_LINES = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One claim or fact: its wording, and the ranks that state it."""

    name: str
    wording: str
    fact: bool
    ranks: tuple[int, ...]


def lines(view: QuestionView) -> tuple[Line, ...]:
    """Facts first, then the other claims; among each the most repeated first, then by rank."""
    facts = _facts(view)
    named = {line.name for line in facts}
    claims = [
        Line(name=name, wording=view.claim_texts.get(name) or name, fact=False, ranks=ranks)
        for name, ranks in _stating(view).items()
        if name not in named
    ]
    order = [*sorted(facts, key=_repeated), *sorted(claims, key=_repeated)]
    return tuple(order)


def _repeated(line: Line) -> tuple[int, tuple[int, ...]]:
    return -len(line.ranks), line.ranks


def _facts(view: QuestionView) -> list[Line]:
    if not has_facts(view.pool):
        return []
    words = {fact.id: fact.text for fact in view.facts}
    held = view.pool.support_bits.matrix()
    return [
        Line(
            name=name,
            wording=words.get(name) or view.claim_texts.get(name) or name,
            fact=True,
            ranks=tuple(int(index) + 1 for index in held[:, at].nonzero()[0]),
        )
        for at, name in enumerate(view.pool.support_bits.names)
    ]


def _stating(view: QuestionView) -> Mapping[str, tuple[int, ...]]:
    bits = view.pool.claim_bits
    held = bits.matrix()
    return {
        name: tuple(int(index) + 1 for index in held[:, at].nonzero()[0])
        for at, name in enumerate(bits.names)
    }


def matrix_table(view: QuestionView, lanes: Sequence[Lane], *, full: Sequence[int]) -> str:
    """HTML: one line a claim, one column a rank, and how often each selector sends it.

    full: places of the two selectors whose admissions fill the halves of a circle.
    """
    shown = lines(view)
    ranks = [candidate.rank for candidate in view.candidates]
    running = [lane for lane in lanes if lane.selection is not None]
    pair = [lane for lane in running if lane.place in full]
    body = "".join(_line(line, ranks, running, pair) for line in shown[:MOST_LINES])
    left_out = len(shown) - MOST_LINES
    more = ""
    if left_out > 0:
        said = f"{left_out:,} more {noun(view)}s that fewer passages state are in the file."
        more = f'<p class="soft">{said}</p>'
    return (
        f'{_legend(pair)}<table class="r13 matrix"><caption class="sr">Which passage states which '
        f"{noun(view)}, and which were sent.</caption>{_head(view, ranks, running)}"
        f"<tbody>{body}</tbody></table>{more}"
    )


def _legend(pair: Sequence[Lane]) -> str:
    if len(pair) < 2:
        return ""
    first, second = (f"{swatch(lane)} {text.plain(lane.label)}" for lane in pair)
    return (
        '<p class="r13 soft legend">A circle is a passage that states it. Its left half is filled '
        f"where {first} sends the passage, its right half where {second} does.</p>"
    )


def _head(view: QuestionView, ranks: Sequence[int], lanes: Sequence[Lane]) -> str:
    numbers = "".join(f'<th scope="col" class="cell">{rank}</th>' for rank in ranks)
    counts = "".join(
        f'<th scope="col" class="num" title="{text.plain(lane.label)}">sent by {swatch(lane)}</th>'
        for lane in lanes
    )
    sent = "".join(_sent(lane, ranks, len(lanes)) for lane in lanes)
    what = f"fact or {noun(view)}" if has_facts(view.pool) else noun(view)
    return (
        f'<thead><tr><th scope="col">{what}</th><th scope="col" class="num">passages</th>{counts}'
        f"{numbers}</tr>{sent}</thead>"
    )


def _sent(lane: Lane, ranks: Sequence[int], lanes: int) -> str:
    """One head row a selector: which ranks it sends."""
    cells = "".join(
        f'<td class="cell hue{lane.place}"><span class="box{" full" if _in(lane, rank) else ""}">'
        f'</span><span class="sr">{"in" if _in(lane, rank) else "out"}</span></td>'
        for rank in ranks
    )
    name = f"{swatch(lane)} {text.plain(lane.label)}"
    return f'<tr class="sent"><th scope="row" colspan="{2 + lanes}">{name}</th>{cells}</tr>'


def _in(lane: Lane, rank: int) -> bool:
    return lane.by_rank[rank].decision.admitted


def _line(line: Line, ranks: Sequence[int], lanes: Sequence[Lane], pair: Sequence[Lane]) -> str:
    stating = set(line.ranks)
    counts = "".join(
        f'<td class="num">{sum(_in(lane, rank) for rank in line.ranks)}</td>' for lane in lanes
    )
    cells = "".join(_cell(rank in stating, rank, pair) for rank in ranks)
    ring = '<i class="dot new fact"></i> ' if line.fact else ""
    wording = text.plain(line.wording)
    return (
        f'<tr><th scope="row" title="{wording}">{ring}{wording}</th>'
        f'<td class="num">{len(line.ranks)}</td>{counts}{cells}</tr>'
    )


def _cell(states: bool, rank: int, pair: Sequence[Lane]) -> str:
    """A circle where the passage states it; its halves are filled where a selector sends it."""
    if not states:
        return '<td class="cell"></td>'
    fills = [
        f"--{side}:{lane.hue}"
        for side, lane in zip(("left", "right"), _halves(pair), strict=False)
        if _in(lane, rank)
    ]
    senders = [str(lane.place) for lane in pair if _in(lane, rank)]
    word = f"stated, sent by {text.listed(senders)}" if senders else "stated, not sent"
    return (
        f'<td class="cell" title="rank {rank}: {word}">'
        f'<i class="half" style="{";".join(fills)}"></i><span class="sr">{word}</span></td>'
    )


def _halves(pair: Sequence[Lane]) -> Sequence[Lane]:
    return pair if len(pair) > 1 else [*pair, *pair]


def matrix_rows(view: QuestionView, lanes: Sequence[Lane]) -> list[dict[str, object]]:
    """The same as plain rows, one a claim, for a file; nothing is left out."""
    running = [lane for lane in lanes if lane.selection is not None]
    return [
        {
            "claim": line.name,
            "wording": line.wording,
            "fact": line.fact,
            "passages": len(line.ranks),
            "ranks": " ".join(map(str, line.ranks)),
            **{
                f"sent by {lane.place} {lane.selector.spec}": sum(
                    _in(lane, rank) for rank in line.ranks
                )
                for lane in running
            },
        }
        for line in lines(view)
    ]
