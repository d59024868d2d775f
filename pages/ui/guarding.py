"""Making a reviewed question a case of the gate: which setting has to hold it, and whether it does.

What is checked is computed when the panel is opened, not before.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.ui import cache, gate, regressing_change, text
from pages.ui.reviewing import Panel
from pages.ui.saving import limit_words
from selection.model import Budget
from selection.registry import Selector
from storage.access import Role
from storage.cases import Candidate, Case, candidate, cases, promote, release
from storage.diagnose import Regressions
from storage.guard import Checked, State
from storage.remedies import settings

COMMAND = "python -m storage gate --cases"
SAID = {
    State.HELD: "holds",
    State.FAILED: "fails",
    State.UNJUDGED: "cannot run",
}
_PROBLEM = "guard-problem"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A setting that could guard a question, and what it does to it now."""

    selector: Selector
    budget: Budget
    checked: Checked

    @property
    def label(self) -> str:
        tokens = "" if self.checked.tokens is None else f" with {self.checked.tokens:,} tokens"
        limits = limit_words(self.budget)
        return f"{self.selector.label}, {limits}: {SAID[self.checked.state]}{tokens}"


def control(panel: Panel, found: Regressions) -> None:
    """The panel of one question, once somebody has reviewed it."""
    if not gate.may(Role.REVIEWER):
        return
    now = cases(cache.engine(), panel.collection.name, question=panel.case.question)
    if not now and panel.current is None:
        return
    label = "In the gate" if now else "Add to the gate"
    name = f"guard-{panel.collection.id}-{panel.case.question}"
    with st.popover(label, key=name, icon=":material/verified_user:", on_change="rerun") as opened:
        if not opened.open:
            return
        if _PROBLEM in st.session_state:
            st.text(st.session_state.pop(_PROBLEM))
        if now:
            _guarded(panel, now[0])
        else:
            _offer(panel, found)


def _guarded(panel: Panel, case: Case) -> None:
    """What is guarded, whether it holds, and the way out."""
    checked = case.check()
    st.html(guarded_html(case, checked))
    st.code(COMMAND, language=None)
    st.button(
        "Take it out of the gate",
        key="release",
        type="tertiary",
        on_click=_release,
        args=(panel,),
    )


def guarded_html(case: Case, checked: Checked) -> str:
    """The case in words: by whom, what it checks, and how that stands."""
    why = "".join(f"<li>{text.plain(one)}</li>" for one in checked.why)
    held = f"It {SAID[checked.state]} now" + (f":<ul>{why}</ul>" if why else ".")
    return (
        f'<div class="r13"><p><b>{text.plain(case.setting)}, {limit_words(case.budget)}</b>, has '
        f"to send what the answer needs{_limits(case)}. {held}</p>"
        f'<p class="soft">{text.plain(case.verdict)}; added by {text.plain(case.promoted_by)}, '
        f"{case.promoted_at:%Y-%m-%d %H:%M} UTC, with its candidates as they were then.</p></div>"
    )


def _limits(case: Case | Candidate) -> str:
    return ", no more crowded than before the change" if case.expected.limits else ""


def choices(chosen: Candidate, found: Regressions) -> list[Choice]:
    """Every setting that needs no long work: those that hold come first, the cheapest of them."""
    tried = [
        Choice(selector=one.selector, budget=one.budget, checked=checked)
        for one in settings(regressing_change.budgets(found))
        if one.selector is not None
        for checked in (chosen.check(one.selector, one.budget),)
        if checked.state is not State.UNJUDGED
    ]
    return sorted(
        tried, key=lambda one: (one.checked.state is not State.HELD, one.checked.tokens or 0)
    )


def _offer(panel: Panel, found: Regressions) -> None:
    try:
        chosen = candidate(
            cache.engine(),
            panel.collection.name,
            panel.case.question,
            baseline=found.baseline,
            candidate=found.candidate,
            marks=[row.sign for row in found.crowding if row.confirmed],
        )
    except (ValueError, LookupError) as problem:
        st.text(text.clean(problem))
        return
    offered = choices(chosen, found)
    st.html(
        '<p class="r13">The question is kept with its candidates as they are now. From then on '
        "the gate fails where the setting does not send what the answer needs"
        f"{_limits(chosen)}. No model is asked.</p>"
    )
    picked = st.selectbox(
        "The setting that has to hold it",
        range(len(offered)),
        format_func=lambda at: offered[at].label,
        key=f"guard-setting-{panel.case.question}",
        width=420,
    )
    if picked is None:
        return
    for why in offered[picked].checked.why:
        st.text(text.clean(why))
    st.button(
        "Add to the gate",
        key="promote",
        type="primary",
        on_click=_promote,
        args=(panel, chosen, offered[picked]),
    )


def _promote(panel: Panel, chosen: Candidate, choice: Choice) -> None:
    try:
        promote(
            cache.writing(Role.REVIEWER),
            panel.collection.name,
            panel.case.question,
            chosen,
            selector=choice.selector,
            budget=choice.budget,
            by=panel.reviewer,
        )
    except (ValueError, LookupError) as problem:
        st.session_state[_PROBLEM] = text.clean(problem)


def _release(panel: Panel) -> None:
    release(cache.writing(Role.REVIEWER), panel.collection.name, panel.case.question)
