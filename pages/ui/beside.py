"""What stands beside the ledger: conflicts, outcomes of before and after, saved comparisons."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pages.ui import text
from pages.ui.lanes import Lane
from pages.ui.ledger import swatch
from selection.registry import parse_selector
from storage.records import ArmOutcome
from storage.views import Conflict, QuestionView, SavedResult

MOST = 12
_WORDS = re.compile(r"\s+|[^\s]+")


def beside_html(view: QuestionView, lanes: Sequence[Lane]) -> str:
    """HTML of the notes beside the ledger; empty where there is nothing to say."""
    parts = [
        _conflicts(view.conflicts, lanes),
        _arms(view.arms),
        _saved(view.saved),
        _answer(view.answer),
    ]
    return f'<aside class="r13 beside">{"".join(parts)}</aside>' if any(parts) else ""


def _section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>" if body else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """Two statements that differ only in a number or a unit, and who makes each of them.

    first, second: the statements; first_by, second_by: rank -> scope.
    """

    first: str
    second: str
    first_by: Mapping[int, str]
    second_by: Mapping[int, str]


def disputes(conflicts: Iterable[Conflict]) -> tuple[Dispute, ...]:
    """Conflicts by their two statements: copies of either are one side of the same conflict."""
    sides: dict[tuple[str, str], tuple[dict[int, str], dict[int, str]]] = {}
    for one in conflicts:
        pair = (one.first_text, one.second_text)
        turned = pair not in sides and pair[::-1] in sides
        first, second = sides.setdefault(pair[::-1] if turned else pair, ({}, {}))
        if turned:
            first, second = second, first
        first[one.first_rank] = one.first_scope
        second[one.second_rank] = one.second_scope
    return tuple(
        Dispute(first=first, second=second, first_by=a, second_by=b)
        for (first, second), (a, b) in sides.items()
    )


def _conflicts(conflicts: Sequence[Conflict], lanes: Sequence[Lane]) -> str:
    found = disputes(conflicts)
    body = "".join(_dispute(dispute, lanes) for dispute in found[:MOST])
    more = f'<p class="soft">and {len(found) - MOST:,} more</p>' if len(found) > MOST else ""
    return _section(text.counted(len(found), "conflict"), body + more)


def _dispute(dispute: Dispute, lanes: Sequence[Lane]) -> str:
    """The two statements, each with its scope and with what differs marked, and who sends both."""
    first, second = differing(dispute.first, dispute.second)
    both = [
        lane for lane in lanes if _sends(lane, dispute.first_by) and _sends(lane, dispute.second_by)
    ]
    sent = (
        "Both sent by " + " ".join(swatch(lane) for lane in both) + "."
        if both
        else "No selector sends both."
    )
    return (
        f'<div class="conflict">{_side(dispute.first_by, first)}{_side(dispute.second_by, second)}'
        f'<p class="soft">{sent}</p></div>'
    )


def _side(by: Mapping[int, str], statement: str) -> str:
    who = " ".join(
        f'<span class="tag">rank {rank}{": " + text.plain(scope) if scope else ""}</span>'
        for rank, scope in sorted(by.items())
    )
    return f"<p>{who}<br>{statement}</p>"


def _sends(lane: Lane, ranks: Iterable[int]) -> bool:
    return bool(lane.steps) and any(lane.by_rank[rank].decision.admitted for rank in ranks)


def differing(first: str, second: str) -> tuple[str, str]:
    """Two texts as HTML, with the words in which they differ marked."""
    left, right = _WORDS.findall(first), _WORDS.findall(second)
    matched = difflib.SequenceMatcher(a=left, b=right, autojunk=False)
    shown: tuple[list[str], list[str]] = ([], [])
    for kind, a, b, c, d in matched.get_opcodes():
        for pieces, words in ((shown[0], left[a:b]), (shown[1], right[c:d])):
            piece = text.plain("".join(words))
            pieces.append(piece if kind == "equal" or not piece else f"<mark>{piece}</mark>")
    return "".join(shown[0]), "".join(shown[1])


def _arms(arms: Sequence[ArmOutcome]) -> str:
    body = "".join(
        f"<p><b>{text.plain(arm.name)}</b>{_run(arm)}: {_outcome(arm)}</p>{_said(arm)}"
        for arm in arms[:12]
    )
    return _section("Before / after", body)


def _run(arm: ArmOutcome) -> str:
    return f' <span class="soft">run {arm.run}</span>' if arm.run > 1 else ""


def _outcome(arm: ArmOutcome) -> str:
    parts = []
    if arm.correct is not None:
        parts.append("right" if arm.correct else '<span class="warn-text">wrong</span>')
    if arm.score is not None:
        parts.append(text.decimal(arm.score))
    if arm.sent is not None:
        parts.append(f"{len(arm.sent):,} sent")
    return ", ".join(parts) or text.NA


def _said(arm: ArmOutcome) -> str:
    return f'<p class="quote">{text.plain(arm.answer)}</p>' if arm.answer else ""


def _saved(saved: Sequence[SavedResult]) -> str:
    body = "".join(
        f"<h3>{text.plain(name)}</h3><dl>{''.join(_result(result) for result in results)}</dl>"
        for name, results in groupby(saved, key=lambda result: result.comparison)
    )
    return _section("Saved comparisons", body)


def _result(result: SavedResult) -> str:
    """One selector of a comparison: what leads, then tokens, each with its difference."""
    leading = next((one for one in _LEADING if result.measures.get(one[0]) is not None), None)
    shown = ([leading] if leading else []) + [("tokens", "tokens", 0)]
    rows = "".join(_figure(result, name, title, digits) for name, title, digits in shown)
    return f"<dt>{text.plain(named(result.selector))}</dt>{rows}"


def _figure(result: SavedResult, name: str, title: str, digits: int) -> str:
    value = text.decimal(result.measures.get(name), digits=digits)
    beside = _difference(result, name, digits)
    return f'<dd>{title}</dd><dd class="num">{value}</dd><dd class="num soft">{beside}</dd>'


def _difference(result: SavedResult, name: str, digits: int) -> str:
    if result.baseline:
        return "baseline"
    return text.signed(result.differences.get(name), digits=digits)


def named(spec: str) -> str:
    """A stored selector as a person reads it; one that is not installed here keeps its text."""
    try:
        return parse_selector(spec).label
    except ValueError:
        return spec


_LEADING = (
    ("claim_recall", "fact recall", 2),
    ("evidence_recall", "evidence recall", 2),
    ("redundancy", "redundancy", 2),
)


def _answer(answer: str | None) -> str:
    return _section("Reference answer", f"<p>{text.plain(answer)}</p>" if answer else "")
