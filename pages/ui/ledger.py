"""The ledger by rank: every selector's decision on every passage, as one table of HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pages.ui import firmness, text
from pages.ui.lanes import Lane, Step
from pages.ui.reasons import sentence
from selection.ledger import Reason
from storage.views import CandidateView, Conflict, QuestionView

MOST_DOTS = 8


def noun(view: QuestionView) -> str:
    """What the selectors count in this collection: a claim, or a statement where it is computed."""
    return "claim" if view.sources.claims.startswith("given") else "statement"


def ledger_table(
    view: QuestionView,
    lanes: Sequence[Lane],
    *,
    full: Sequence[int],
    at: int | None = None,
    firm: bool = False,
) -> str:
    """HTML of the ledger. full: places of the lanes shown in full; the others are strips of cells.

    at: a rank to point at. firm: with a bar that says how often a passage stays when the input
    varies. Every text from outside is escaped.
    """
    wide = [lane for lane in lanes if lane.place in full and lane.selection is not None]
    strips = [lane for lane in lanes if lane.place not in full and lane.selection is not None]
    words = noun(view)
    rows = "".join(
        _row(view, candidate, wide, strips, words=words, here=candidate.rank == at, firm=firm)
        for candidate in view.candidates
    )
    return (
        f'<table class="r13 ledger"><caption class="sr">{_caption(view, wide, strips)}</caption>'
        f"{_columns(wide, strips)}{_head(wide, strips, words=words)}<tbody>{rows}</tbody></table>"
    )


def _caption(view: QuestionView, wide: Sequence[Lane], strips: Sequence[Lane]) -> str:
    names = text.listed([text.plain(lane.label) for lane in (*wide, *strips)])
    return (
        f"All {len(view.candidates):,} passages by rank, and what each selector decided: {names}."
    )


def _columns(wide: Sequence[Lane], strips: Sequence[Lane]) -> str:
    lane = '<col class="c-mark"><col class="c-why"><col class="c-left">'
    return (
        '<colgroup><col class="c-rank"><col class="c-passage"><col class="c-tokens">'
        f'<col class="c-claims">{lane * len(wide)}{"<col class=c-strip>" * len(strips)}</colgroup>'
    )


def _head(wide: Sequence[Lane], strips: Sequence[Lane], *, words: str) -> str:
    lanes = "".join(
        f'<th scope="colgroup" colspan="3" class="lane hue{lane.place}">{swatch(lane)} '
        f"{text.plain(lane.label)}</th>"
        for lane in wide
    )
    cells = "".join(
        f'<th scope="col" rowspan="2" class="strip hue{lane.place}" '
        f'title="{text.plain(lane.label)}">{swatch(lane)}'
        f'<span class="sr">{text.plain(lane.label)}</span></th>'
        for lane in strips
    )
    under = "".join(_lane_heads(lane, words=words) for lane in wide)
    return (
        '<thead><tr><th scope="col" rowspan="2" class="num">rank</th>'
        '<th scope="col" rowspan="2">passage</th>'
        '<th scope="col" rowspan="2" class="num">tokens</th>'
        f'<th scope="col" rowspan="2" class="num">{words}s</th>{lanes}{cells}</tr>'
        f"<tr>{under}</tr></thead>"
    )


def _lane_heads(lane: Lane, *, words: str) -> str:
    """The three columns of a lane that is shown in full."""
    first = "step" if lane.selector.reorders else '<span class="sr">in or out</span>'
    gains = lane.selector.reorders and any(s.decision.gain is not None for s in lane.admitted)
    what = f"new {words}s, gain" if gains else f"new {words}s"
    balance = "left" if _budgeted(lane) else "spent"
    return (
        f'<th scope="col" class="edge">{first}</th><th scope="col">{what}, or why it is out</th>'
        f'<th scope="col" class="num">{balance}</th>'
    )


def _budgeted(lane: Lane) -> bool:
    return lane.selection is not None and lane.selection.remaining is not None


def swatch(lane: Lane) -> str:
    """The number of a lane on its hue: the same sign in the chips, the head lines and the table."""
    return f'<span class="swatch hue{lane.place}">{lane.place}</span>'


def _row(
    view: QuestionView,
    candidate: CandidateView,
    wide: Sequence[Lane],
    strips: Sequence[Lane],
    *,
    words: str,
    here: bool,
    firm: bool,
) -> str:
    index = candidate.rank - 1
    tokens = None if view.pool.tokens is None else int(view.pool.tokens[index])
    claims = view.pool.claim_bits.row(index)
    lanes = "".join(
        _lane(lane, lane.by_rank[candidate.rank], words=words, firm=firm) for lane in wide
    )
    cells = "".join(_strip(lane.by_rank[candidate.rank], lane, words=words) for lane in strips)
    return (
        f"<tr{' class=here' if here else ''}>"
        f'<th scope="row" class="num">{candidate.rank}</th>'
        f'<td class="passage" title="{text.plain(hint(candidate))}">'
        f"<span>{text.plain(heading(candidate))}</span>"
        f"{_flags(view.conflicts, candidate.rank)}</td>"
        f'<td class="num">{text.whole(tokens)}</td>'
        f'<td class="num">{text.NA if claims is None else len(claims)}</td>{lanes}{cells}</tr>'
    )


def heading(candidate: CandidateView) -> str:
    """What a passage is called: its title, else how its text begins, else its id."""
    return candidate.title or text.shortened(candidate.text, 90) or candidate.id


def hint(candidate: CandidateView) -> str:
    """The passage's id and how its text begins."""
    return f"{candidate.id}: {text.shortened(candidate.text, 280)}"


def _flags(conflicts: Iterable[Conflict], rank: int) -> str:
    others = sorted(
        {c.second_rank for c in conflicts if c.first_rank == rank}
        | {c.first_rank for c in conflicts if c.second_rank == rank}
    )
    if not others:
        return ""
    return f' <span class="tag warn">differs from {text.ranks(others)}</span>'


def _lane(lane: Lane, step: Step, *, words: str, firm: bool) -> str:
    decision = step.decision
    why = text.plain(sentence(decision, noun=words))
    if decision.admitted and decision.gain is not None and lane.selector.reorders:
        why += f' <span class="soft whole">gain {text.decimal(decision.gain)}</span>'
    balance = decision.remaining if _budgeted(lane) else decision.spent
    over = decision.remaining is not None and decision.remaining < 0 and decision.admitted
    state = _state(step)
    hue = f"hue{lane.place}"
    bar = ""
    if firm and firmness.may_vary(lane):
        bar = firmness.bar(lane.stability, rank=decision.rank, admitted=decision.admitted)
    form = mark(step, numbered=lane.selector.reorders)
    return (
        f'<td class="edge mark {state} {hue}">{form}{bar}</td>'
        f'<td class="why {state} {hue}">{dots(step, words=words)}'
        f'<span class="words">{why}</span></td>'
        f'<td class="num {state} {hue}{" over" if over else ""}">{text.whole(balance)}</td>'
    )


def _state(step: Step) -> str:
    if step.decision.admitted:
        return "in idle" if step.decision.new_claims == 0 else "in"
    return "out tight" if step.decision.reason is Reason.OVER_BUDGET else "out"


def mark(step: Step, *, numbered: bool) -> str:
    """In or out as a form and a word; selectors that reorder say at which step."""
    if not step.decision.admitted:
        return '<span class="pill">out</span>'
    return f'<span class="pill full">{step.decision.step if numbered else "in"}</span>'


def _strip(step: Step, lane: Lane, *, words: str) -> str:
    word = "in" if step.decision.admitted else "out"
    why = text.plain(f"{lane.label}: {word}, {sentence(step.decision, noun=words)}")
    full = " full" if step.decision.admitted else ""
    return (
        f'<td class="strip {_state(step)} hue{lane.place}" title="{why}">'
        f'<span class="box{full}"></span><span class="sr">{word}</span></td>'
    )


def dots(step: Step, *, words: str) -> str:
    """One dot a claim: filled where new at that moment, hollow where covered; facts ringed."""
    shown = list(_dots(step))
    if not shown:
        return ""
    more = f'<span class="soft">+{len(shown) - MOST_DOTS}</span>' if len(shown) > MOST_DOTS else ""
    said = text.plain(_said(step, words=words))
    row = "".join(f'<i class="dot{kind}"></i>' for kind in shown[:MOST_DOTS])
    return f'<span class="dots" role="img" aria-label="{said}" title="{said}">{row}{more}</span>'


def _dots(step: Step) -> Iterable[str]:
    facts = {*(step.new_facts or ()), *(step.old_facts or ())}
    yield from (" new fact" for _ in step.new_facts or ())
    yield from (" fact" for _ in step.old_facts or ())
    yield from (" new" for name in step.new or () if name not in facts)
    yield from ("" for name in step.old or () if name not in facts)


def _said(step: Step, *, words: str) -> str:
    parts = [
        text.counted(len(step.new_facts or ()), "new fact"),
        text.counted(len(step.old_facts or ()), "fact already covered", "facts already covered"),
        text.counted(len(step.new or ()), f"new {words}"),
        text.counted(len(step.old or ()), f"{words} already covered", f"{words}s already covered"),
    ]
    return ", ".join(part for part in parts if not part.startswith("0 "))


def ledger_rows(view: QuestionView, lanes: Sequence[Lane]) -> list[dict[str, object]]:
    """The same as plain rows, one a rank, for a file: every lane's fields behind its label."""
    rows = []
    for candidate in view.candidates:
        index = candidate.rank - 1
        claims = view.pool.claim_bits.row(index)
        row: dict[str, object] = {
            "rank": candidate.rank,
            "passage": candidate.id,
            "title": candidate.title,
            "tokens": None if view.pool.tokens is None else int(view.pool.tokens[index]),
            "claims": None if claims is None else len(claims),
        }
        for lane in lanes:
            if lane.selection is not None:
                row |= _fields(lane, candidate.rank)
        rows.append(row)
    return rows


def _fields(lane: Lane, rank: int) -> dict[str, object]:
    decision = lane.by_rank[rank].decision
    name = f"{lane.place} {lane.selector.spec}"
    return {
        f"{name} admitted": "in" if decision.admitted else "out",
        f"{name} step": decision.step,
        f"{name} reason": None if decision.reason is None else decision.reason.value,
        f"{name} detail": decision.detail,
        f"{name} new_claims": decision.new_claims,
        f"{name} gain": decision.gain,
        f"{name} spent": decision.spent,
        f"{name} remaining": decision.remaining,
    }
