"""What is shown of one worse question: answers, evidence, what was added, and what people said."""

from __future__ import annotations

from collections.abc import Sequence

from pages.ui import text
from pages.ui.regressing import NAMES
from selection.diagnosis import Diagnosis
from storage.case_texts import CaseTexts
from storage.records import ArmOutcome
from storage.reviews import Review, standing
from storage.studies.case import Case
from storage.views import CandidateView, QuestionView

FATES = {
    "lost": "sent before, not after",
    "kept": "sent before and after",
    "gained": "sent after only",
    "absent": "in neither prompt",
}
SIGNS = {
    "contradicting": "passages that speak against it",
    "repetition": "times the competing statement is said",
    "tokens_before": "tokens before the evidence",
    "depth": "passages before the evidence",
    "distance": "tokens of the whole prompt",
}


def case_html(case: Case, view: QuestionView | CaseTexts) -> str:
    """Both answers, the evidence, what is around it, and what was added."""
    return (
        f'<div class="r13 case">{_answers(case, view)}'
        f'<div class="pairs">{_evidence(case, view)}{_signs(case)}</div>'
        f"{_passages(case, view)}</div>"
    )


def head_html(case: Case) -> str:
    """The question, where it is from, and its diagnosis."""
    suspected = case.diagnosis is Diagnosis.CROWDED and not case.supported
    name = NAMES[case.diagnosis] + (", suspected" if suspected else "")
    tags = "".join(f'<span class="tag">{text.plain(one)}</span> ' for one in _tags(case))
    runs = f" Worse in {text.out_of(case.worse_runs, case.runs, 'runs')}." if case.runs > 1 else ""
    return (
        f'<div class="r13 case-head"><h2 class="asked">{text.plain(case.text)}</h2>'
        f'<p class="soft"><span class="unit">{text.plain(case.question)}</span> {tags}</p>'
        f"<p><b>{name}:</b> {text.plain(case.why)}.{runs}</p></div>"
    )


def _tags(case: Case) -> list[str]:
    found = []
    for value in case.metadata.values():
        found += [str(one) for one in (value if isinstance(value, list | tuple) else [value])]
    return found[:6]


def _answers(case: Case, view: QuestionView | CaseTexts) -> str:
    cells = "".join(_answer(arm) for arm in (case.before, case.after))
    reference = f'<p class="soft">Reference: {text.plain(view.answer)}</p>' if view.answer else ""
    return f'<div class="pairs answers">{cells}</div>{reference}'


def _answer(arm: ArmOutcome) -> str:
    went = "right" if arm.correct else "wrong"
    cited = {True: ", cites a source", False: ", cites nothing", None: ""}[arm.cited]
    said = text.plain(arm.answer) if arm.answer else '<span class="soft">answer not stored</span>'
    return (
        f'<section class="{went}"><h3>{text.plain(arm.name)} '
        f'<span class="tag">{went}{cited}</span></h3><p>{said}</p></section>'
    )


def _evidence(case: Case, view: QuestionView | CaseTexts) -> str:
    """Each thing the answer needs: at which ranks, and whether it was sent."""
    if not case.needs:
        return '<section><h3>Evidence</h3><p class="soft">none is known</p></section>'
    wording = {fact.id: fact.text for fact in view.facts}
    rows = "".join(
        f"<li>{text.plain(wording.get(name, 'a passage that holds the answer'))} "
        f'<span class="soft">{_where(ranks)}; {FATES[fate]}</span></li>'
        for name, fate, ranks in case.needs
    )
    lost = "".join(
        f'<li class="warn-text">rank {one.rank} is out: {text.plain(one.detail)}'
        f"{'' if one.remaining is None else f', {one.remaining:,} tokens left'}</li>"
        for one in case.lost
    )
    return f"<section><h3>What the answer needs</h3><ul>{rows}{lost}</ul></section>"


def _where(ranks: Sequence[int]) -> str:
    return text.ranks(ranks) if ranks else "not among the candidates"


def _signs(case: Case) -> str:
    """What crowds the evidence, before and after."""
    if not case.signs:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{SIGNS[name]}</th>'
        f'<td class="num">{case.signs[name][0]:,}</td>'
        f'<td class="num">{_risen(case, name)}</td></tr>'
        for name in SIGNS
        if name in case.signs
    )
    return (
        '<section><table class="r13 signs"><thead><tr><th scope="col">Around the evidence</th>'
        '<th scope="col" class="num">before</th><th scope="col" class="num">after</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></section>"
    )


def _risen(case: Case, name: str) -> str:
    after = f"{case.signs[name][1]:,}"
    return f"<b>{after}</b>" if name in case.rose else after


def _passages(case: Case, view: QuestionView | CaseTexts) -> str:
    """Passages kept, added and dropped; the added ones by name, what they repeat first."""
    added = text.counted(len(case.added), "passage")
    tokens = "" if case.tokens_added is None else f", {case.tokens_added:,} tokens"
    again = (
        ""
        if case.repeated is None
        else f"; {case.repeated:.0%} of these tokens repeat what was said before"
    )
    head = (
        f"<h3>{len(case.kept):,} kept, {len(case.dropped):,} dropped, "
        f"{added} added{tokens}{again}</h3>"
    )
    by_rank = {candidate.rank: candidate for candidate in view.candidates}
    return head + "".join(
        _list(title, [by_rank[rank] for rank in ranks if rank in by_rank], case)
        for title, ranks in (("Dropped", case.dropped), ("Added", case.added))
    )


def _list(title: str, passages: Sequence[CandidateView], case: Case) -> str:
    if not passages:
        return ""
    items = "".join(
        f'<li title="{text.plain(one.text[:400])}"><span class="unit">{one.rank}</span> '
        f"{text.plain(one.title)}{_mark(one, case)}</li>"
        for one in passages
    )
    return f'<p class="soft">{title}, by rank:</p><ul class="titles">{items}</ul>'


def _mark(passage: CandidateView, case: Case) -> str:
    if passage.id not in case.suspects:
        return ""
    return ' <span class="tag warn">more often in worse questions</span>'


def history_html(history: Sequence[Review]) -> str:
    """What people said, the newest first; what was taken back is struck out."""
    if not history:
        return ""
    stands = {id(one) for one in standing(history)}
    rows = "".join(_said(one, stands=id(one) in stands) for one in reversed(history))
    return f'<div class="r13"><h3>What people said</h3><ul class="plain">{rows}</ul></div>'


def _said(row: Review, *, stands: bool) -> str:
    when = f"{row.reviewed_at:%Y-%m-%d %H:%M} UTC, {text.plain(row.reviewer)}"
    if not row.verdict:
        return f'<li class="soft">{when}: took a verdict back</li>'
    verdict = f"<b>{text.plain(row.verdict)}</b>"
    shown = verdict if stands else f"<s>{verdict}</s>"
    note = f". {text.plain(row.note)}" if row.note else ""
    group = ' <span class="tag">with its group</span>' if row.group else ""
    return f"<li>{when}: {shown}{group}{note}</li>"
