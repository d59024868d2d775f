"""The review panel: one question at a time, a verdict with one key, nothing ever overwritten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.ui import cache, frame, gate, regressing_list, state, text, wayfinding
from pages.ui.frame import Viewer
from pages.ui.regressing_list import Listed, Reviews
from selection.registry import Selector, make_selector, parse_selector
from storage.access import Role
from storage.reviews import (
    LONGEST_NAME,
    LONGEST_NOTE,
    LONGEST_VERDICT,
    VERDICTS,
    Review,
    add_review,
    reviews,
    standing,
    take_back,
)
from storage.studies.case import Case
from storage.views import CollectionView

MOST_BUTTONS = 6
_PROBLEM, _NAME, _SAID = "review-problem", "reviewer-name", "review-said"


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What the panel is about. titles: passage id -> what it is called."""

    collection: CollectionView
    case: Case
    listed: Listed
    reviews: Reviews
    reviewer: str

    @property
    def history(self) -> tuple[Review, ...]:
        now = self.reviews.get(self.case.question)
        return now.history if now else ()

    @property
    def current(self) -> Review | None:
        now = self.reviews.get(self.case.question)
        return now.current if now else None

    @property
    def fellows(self) -> tuple[str, ...]:
        """Questions of the same group that nobody has reviewed, without this one."""
        return tuple(
            one.question
            for one in self.listed.all
            if self.case.suspects
            and one.group == self.case.group
            and one is not self.case
            and not regressing_list.verdict(self.reviews, one.question)
        )


def stored(collection: CollectionView) -> Reviews:
    """Every verdict as it is now: asked at each run, so that two people see each other's."""
    return reviews(cache.engine(), collection.name)


def reviewer(viewer: Viewer) -> str:
    """Who signs a verdict: as signed in; on one's own machine, the name that was typed."""
    if viewer.name != "local":
        return viewer.name
    return str(st.session_state.get(_NAME) or "").strip() or viewer.name


def chosen(listed: Listed, reviews: Reviews) -> Case | None:
    """The case of the address, else the first of the list that nobody has reviewed."""
    asked = state.get(state.CASE)
    known = next((one for one in listed.all if one.question == asked), None)
    first = next((one for one in listed.cases if not _done(one, reviews)), None)
    return known or first or next(iter(listed.cases), None)


def _done(case: Case, reviews: Reviews) -> bool:
    return bool(regressing_list.verdict(reviews, case.question))


def progress(listed: Listed, reviews: Reviews) -> None:
    """How many are reviewed, of all that got worse, and of those in the list."""
    done = sum(_done(one, reviews) for one in listed.all)
    shown = len(listed.cases)
    here = f"; {shown:,} in this list" if shown != len(listed.all) else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.progress(done / max(1, len(listed.all)), width=150)
        st.html(
            f'<p class="r13 unit"><b>{text.out_of(done, len(listed.all), "reviewed")}</b>'
            f"{here}</p>",
            width="content",
        )


def steps(listed: Listed, reviews: Reviews, case: Case) -> None:
    """The way to the question before, the one after, and the next that nobody has reviewed."""
    at = next((i for i, one in enumerate(listed.cases) if one is case), -1)
    after = [*listed.cases[at + 1 :], *listed.cases[: max(0, at)]]
    upcoming = next((one for one in after if not _done(one, reviews)), None)
    before = listed.cases[at - 1] if at > 0 else None
    following = listed.cases[at + 1] if at + 1 < len(listed.cases) else None
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        _step("Next open", listed, upcoming, shortcut="O", kind="primary")
        _step("Previous", listed, before, shortcut="K")
        _step("Next", listed, following, shortcut="J")


def _step(
    label: str, listed: Listed, target: Case | None, *, shortcut: str, kind: Any = "secondary"
) -> None:
    st.button(
        label,
        key=f"step-{shortcut}",
        shortcut=shortcut,
        type=kind,
        disabled=target is None,
        on_click=state.put,
        args=(regressing_list.address_of(listed, target) if target else {},),
    )


def verdicts(panel: Panel) -> None:
    """One button and one key a verdict; a note, one's own words, the whole group, and undo."""
    if not gate.may(Role.REVIEWER):
        st.text("You may read here; giving a verdict needs the role of reviewer.")
        return
    offered = _offered(panel.reviews)
    current = panel.current
    with st.container(horizontal=True, gap="small", key="verdicts"):
        for place, verdict in enumerate(offered, start=1):
            st.button(
                text.label(verdict),
                key=f"verdict-{place}",
                shortcut=str(place),
                type="primary" if current and current.verdict == verdict else "secondary",
                on_click=_give,
                args=(panel, verdict),
            )
        with st.popover("Other …", key="own-verdict"):
            st.text_input("In your own words", key=_key(panel, "own"), max_chars=LONGEST_VERDICT)
            st.button("Give this verdict", on_click=_give_own, args=(panel,), key="give-own")
        _group_control(panel)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.text_input(
            "Note (saved with the verdict)",
            key=_key(panel, "note"),
            max_chars=LONGEST_NOTE,
            placeholder="Note, saved with the verdict that you press next",
            label_visibility="collapsed",
        )
        if panel.reviewer == "local" or st.session_state.get(_NAME):
            st.text_input(
                "Your name",
                key=_NAME,
                width=130,
                max_chars=LONGEST_NAME,
                persist_state="session",
                placeholder="Your name",
                label_visibility="collapsed",
            )
    if _PROBLEM in st.session_state:
        st.text(st.session_state.pop(_PROBLEM))
    if _SAID in st.session_state:
        st.toast(text.label(st.session_state.pop(_SAID)))


def _offered(reviews: Reviews) -> tuple[str, ...]:
    """The verdicts of this collection: those that are offered first, then people's own."""
    own = (one.verdict for now in reviews.values() for one in now.history if one.verdict)
    return tuple(dict.fromkeys([*VERDICTS, *own]))[: MOST_BUTTONS + 3]


def _key(panel: Panel, name: str) -> str:
    """A widget of this question alone: what was typed for one is never saved with another."""
    return f"{name}-{panel.collection.id}-{panel.case.question}"


def _group_control(panel: Panel) -> None:
    fellows = panel.fellows
    mine = panel.current is not None and any(
        one.reviewer == panel.reviewer for one in standing(panel.history)
    )
    if fellows:
        together = _together(panel)
        # A button and not a checkbox: inside an input, the keys of the verdicts are letters.
        st.button(
            f"{'Counts' if together else 'Count'} for all {len(fellows) + 1:,} of its group",
            key="group",
            shortcut="G",
            type="primary" if together else "secondary",
            help="Questions that nobody has reviewed, with the same diagnosis and the same "
            "suspicious article added. One verdict for all of them can be taken back at once.",
            on_click=_turn,
            args=(_key(panel, "group"),),
        )
    if mine:
        st.button(
            "Take my verdict back",
            key="undo",
            shortcut="U",
            type="tertiary",
            on_click=_undo,
            args=(panel,),
        )


def _together(panel: Panel) -> bool:
    return bool(st.session_state.get(_key(panel, "group"))) and bool(panel.fellows)


def _turn(key: str) -> None:
    st.session_state[key] = not st.session_state.get(key)


def _give(panel: Panel, verdict: str) -> None:
    together = _together(panel)
    questions = [panel.case.question, *(panel.fellows if together else ())]
    _write(
        panel,
        lambda: add_review(
            cache.writing(Role.REVIEWER),
            panel.collection.name,
            questions,
            verdict=verdict,
            note=str(st.session_state.get(_key(panel, "note")) or ""),
            reviewer=panel.reviewer,
            group=panel.case.group if together else "",
        ),
        said=f"{verdict}: {text.counted(len(questions), 'question')}. U takes it back.",
    )


def _give_own(panel: Panel) -> None:
    _give(panel, str(st.session_state.get(_key(panel, "own")) or ""))


def _undo(panel: Panel) -> None:
    """Take back the verdict on this question; one that was given to a group, on all of it."""
    mine = [one for one in standing(panel.history) if one.reviewer == panel.reviewer]
    together = _given_with(panel, mine[-1]) if mine else ()
    questions = [panel.case.question, *together]
    _write(
        panel,
        lambda: take_back(
            cache.writing(Role.REVIEWER), panel.collection.name, questions, reviewer=panel.reviewer
        ),
        said=f"Taken back: {text.counted(len(questions), 'question')}.",
    )


def _given_with(panel: Panel, row: Review) -> tuple[str, ...]:
    """The other questions that got this very verdict with it and still have it."""
    if not row.group:
        return ()
    return tuple(
        question
        for question, now in panel.reviews.items()
        if question != row.question
        and now.current is not None
        and (now.current.group, now.current.reviewer, now.current.reviewed_at)
        == (row.group, row.reviewer, row.reviewed_at)
    )


def _write(panel: Panel, write: Any, *, said: str) -> None:
    try:
        write()
    except (ValueError, LookupError) as problem:
        st.session_state[_PROBLEM] = text.clean(problem)
        return
    st.session_state[_SAID] = said
    state.put(regressing_list.address_of(panel.listed, panel.case))
    cache.forget()


def open_link(panel: Panel) -> None:
    """The question itself, with both prompts beside a selector that leaves repeats out."""
    st.page_link(
        frame.path("question"),
        label="Open side by side",
        icon=":material/arrow_forward:",
        query_params=wayfinding.to(
            panel.collection, panel.case.question, {state.SELECTORS: _selectors(panel.case)}
        ),
    )


def _selectors(case: Case) -> Sequence[Selector]:
    return (*(parse_selector(one) for one in case.selectors), make_selector("marginal_gain"))
