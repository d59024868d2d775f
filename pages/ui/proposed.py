"""Evidence proposed from the answer that was right: one key confirms it, one rejects it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import cache, gate, text
from pages.ui.reviewing import Panel
from storage.access import Role
from storage.diagnose import Regressions
from storage.evidence import Decision, decide, decisions, standing
from storage.proposing import Proposal, propose
from storage.studies.case import Case
from storage.views import CollectionView, QuestionView

_PROBLEM = "proposed-problem"


def control(panel: Panel, view: QuestionView) -> None:
    """What is proposed for a question without marked evidence, and what was said of it."""
    said = _said(panel)
    if panel.case.needs and not said:
        return
    made = proposals(panel.case, view)
    if _PROBLEM in st.session_state:
        st.text(st.session_state.pop(_PROBLEM))
    if not made:
        if not panel.case.needs:
            st.html(
                '<p class="r13 soft">No evidence is marked, and the answer that was right neither '
                "cites a passage nor says what one says.</p>"
            )
        return
    st.html(proposals_html(made, said, view))
    following = next((one for one in made if one.passage not in said), None)
    if following is None or not gate.may(Role.REVIEWER):
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.html(f'<p class="r13">Does rank {following.rank} hold the answer?</p>', width="content")
        for label, key, confirmed in (("Confirm", "Y", True), ("Reject", "X", False)):
            st.button(
                label,
                key=f"evidence-{key}",
                shortcut=key,
                on_click=_decide,
                args=(panel, following, confirmed),
            )


def counts(collection: CollectionView, found: Regressions) -> None:
    """How much of the gold was proposed by rule and then confirmed by people, where any was."""
    worse = {case.question for case in found.cases}
    said = standing(decisions(cache.engine(), collection.name)).values()
    mine = [one for one in said if one.question in worse]
    if not mine:
        return
    confirmed = [one for one in mine if one.confirmed]
    touched = len({one.question for one in confirmed})
    st.html(
        '<p class="r13 soft">Part of the evidence was proposed from answers that were right: '
        f"{text.counted(len(confirmed), 'passage')} confirmed, {len(mine) - len(confirmed):,} "
        f"rejected; the gold of {text.out_of(touched, found.worse, 'worse questions')} rests on "
        "it.</p>"
    )


def _said(panel: Panel) -> dict[str, Decision]:
    """Passage -> what counts of what was said of it."""
    history = decisions(cache.engine(), panel.collection.name, question=panel.case.question)
    return {passage: one for (_, passage), one in standing(history).items()}


def proposals(case: Case, view: QuestionView) -> tuple[Proposal, ...]:
    """What the answer before the change points to, among what was sent with it."""
    arm = case.before
    if not arm.answer:
        return ()
    return propose(view.question, arm.answer, view.candidates, sent=arm.sent)


def proposals_html(made: Sequence[Proposal], said: dict[str, Decision], view: QuestionView) -> str:
    """Each proposal with its rule and its overlap, and what somebody said of it."""
    confirmed = sum(one.passage in said and said[one.passage].confirmed for one in made)
    rows = "".join(_row(one, said.get(one.passage), view) for one in made)
    return (
        '<div class="r13 case"><h3>Proposed evidence '
        f'<span class="tag made-up">{len(made):,} proposed, {confirmed:,} confirmed</span></h3>'
        f"<ul>{rows}</ul></div>"
    )


def _row(one: Proposal, said: Decision | None, view: QuestionView) -> str:
    candidate = view.candidates[one.rank - 1]
    rule = (
        "the answer cites it"
        if one.rule == "cited"
        else f"holds {one.overlap:.0%} of “{text.plain(text.shortened(one.statement, 80))}”"
    )
    word = ""
    if said is not None:
        verb = "confirmed" if said.confirmed else "rejected"
        word = f' <span class="tag">{verb} by {text.plain(said.reviewer)}</span>'
    shown = text.plain(text.shortened(candidate.text, 220))
    return (
        f"<li>rank {one.rank}, {text.plain(candidate.title)}{word} "
        f'<span class="soft">{rule}; “{shown}”</span></li>'
    )


def _decide(panel: Panel, one: Proposal, confirmed: bool) -> None:
    try:
        decide(
            cache.writing(Role.REVIEWER),
            panel.collection.name,
            panel.case.question,
            one.passage,
            confirmed=confirmed,
            rule=one.rule,
            reviewer=panel.reviewer,
        )
    except (ValueError, LookupError) as problem:
        st.session_state[_PROBLEM] = text.clean(problem)
        return
    cache.forget()
