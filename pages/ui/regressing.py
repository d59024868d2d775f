"""What the Regressions page says first: how many got worse, whether that is noise, and why."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import cache, frame, state, text, wayfinding
from selection.diagnosis import Diagnosis
from selection.significance import McNemar
from storage import outcomes
from storage.diagnose import Noise, Regressions, regressions
from storage.views import CollectionView

NAMES = {
    Diagnosis.EVIDENCE_LOST: "Evidence lost",
    Diagnosis.CROWDED: "Crowded",
    Diagnosis.SAME_EVIDENCE: "Same evidence",
    Diagnosis.GAINED_STILL_WORSE: "Gained, still worse",
    Diagnosis.WITHOUT_EVIDENCE: "Right without evidence",
    Diagnosis.NO_GOLD: "Cannot be judged",
}
MEANINGS = {
    Diagnosis.EVIDENCE_LOST: "sent before, not sent after: look at the rank and the reason",
    Diagnosis.CROWDED: "still sent, but among more that repeats, competes or comes first",
    Diagnosis.SAME_EVIDENCE: "nothing about the evidence changed: look at the model",
    Diagnosis.GAINED_STILL_WORSE: "sent only after, and yet worse: look at the model",
    Diagnosis.WITHOUT_EVIDENCE: "no known evidence in either prompt: check the label, the gold, "
    "or what the model knows by heart",
    Diagnosis.NO_GOLD: "no facts or answer-bearing passages are known, or not what was sent",
}
LEVEL = 0.05


def chosen(collections: Sequence[CollectionView]) -> CollectionView | None:
    """The collection of the address, else one's own before built-in ones, by its outcomes."""
    if state.get(state.COLLECTION) is None:
        return max(collections, key=lambda one: (not one.made_up, one.with_outcomes), default=None)
    return wayfinding.chosen(collections)


@st.cache_data(max_entries=32, show_spinner=False)
def _arms(name: str, stamp: str) -> tuple[str, ...]:
    return outcomes.arms(cache.engine(), name)


def arms(collection: CollectionView) -> tuple[str, ...]:
    """The arms that the collection has outcomes of."""
    return _arms(collection.name, cache.version(collection))


@st.cache_resource(max_entries=16, show_spinner="Comparing the two prompts of every question")
def kept(name: str, baseline: str, candidate: str, stamp: str) -> Regressions:
    """The two arms of a collection, kept under its version."""
    return regressions(cache.engine(), name, baseline=baseline, candidate=candidate)


def found(collection: CollectionView, names: Sequence[str]) -> Regressions:
    """Everything that is known of the two arms of the address. Shared: never changed."""
    first, last = pair(names)
    return kept(collection.name, first, last, cache.version(collection))


def pair(names: Sequence[str]) -> tuple[str, str]:
    """The two arms of the address; what is not there, or named twice, falls back."""
    first, last = state.get(state.BEFORE), state.get(state.AFTER)
    if first not in names:
        first = next(name for name in names if name != last)
    if last not in names or last == first:
        last = next(name for name in reversed(names) if name != first)
    return str(first), str(last)


def arm_controls(names: Sequence[str]) -> None:
    """Which arm is before and which is after, where there is a choice."""
    if len(names) < 3:
        return
    first, last = pair(names)
    for key, label, now in ((state.BEFORE, "Before", first), (state.AFTER, "After", last)):
        widget = state.prime(f"w-{key.name}", now)
        st.selectbox(label, names, key=widget, on_change=_arm, args=(key, widget), width=180)


def _arm(key: state.Key[str | None], widget: str) -> None:
    state.put(
        {
            key: st.session_state[widget],
            state.DIAGNOSIS: None,
            state.GROUP: None,
            state.CASE: None,
            state.PAGE: 1,
        }
    )


def nothing_to_compare(
    collection: CollectionView, collections: Sequence[CollectionView], names: Sequence[str]
) -> None:
    """Without outcomes of two arms: what is missing, and where to see it work."""
    had = f"of one arm only ({text.clean(names[0])})" if names else "of no arm"
    st.text(
        f"This collection has outcomes {had}. Two are needed: whether each question was answered "
        "right before and after a change. They come with the questions, as “arms”."
    )
    with st.container(horizontal=True, gap="small"):
        if frame.has_room("data"):
            st.page_link(
                frame.path("data"),
                label="Bring in questions with outcomes",
                icon=":material/arrow_forward:",
            )
        other = max(collections, key=lambda one: one.with_outcomes, default=None)
        if other is not None and other.with_outcomes and other.name != collection.name:
            st.button(
                text.label(f"Show {other.name}"),
                on_click=state.put,
                args=({state.COLLECTION: other.name},),
            )


def opening_html(found: Regressions) -> str:
    """The first sentence: how many, against how many, and whether that is more than a coin toss."""
    test = found.mcnemar
    arms = f"from <b>{text.plain(found.baseline)}</b> to <b>{text.plain(found.candidate)}</b>"
    return (
        '<div class="r13"><p class="tell">'
        f"<b>{text.out_of(test.worse, test.n, 'questions')} got worse</b> {arms}; "
        f"<b>{test.better:,} got better</b>. {chance(test)}</p>"
        f'<p class="soft">{noise_words(found.noise, test.worse)} {citation_words(found)}</p></div>'
    )


def chance(test: McNemar) -> str:
    """What the exact test says, in words."""
    if test.p is None or test.share is None:
        return "Nothing changed, so there is nothing to test."
    changed = test.worse + test.better
    share = (
        f"of the {changed:,} that changed, {test.share.value:.0%} got worse "
        f"({test.share.low:.0%} to {test.share.high:.0%}; exact test, {p_words(test.p)})"
    )
    if test.p >= LEVEL:
        return f"That is no more than a coin toss: {share}."
    return f"Chance does not explain it: {share}."


def p_words(p: float | None) -> str:
    """A p value as it is read: p < 0.001; p = 0.04."""
    if p is None:
        return text.NA
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def noise_words(noise: Noise, worse: int) -> str:
    """How much of it a rerun would change, where arms were run more than once."""
    if noise.rate is None:
        return "How much of this a rerun would change is not known: every question was asked once."
    return (
        f"Two runs of one arm disagree in {text.out_of(noise.flips, noise.pairs, 'pairs')} "
        f"({noise.rate:.0%}): about {worse * noise.rate:.0f} of these {worse:,} would flip on a "
        "rerun."
    )


def citation_words(found: Regressions) -> str:
    """Paired counts of cited answers, where both arms say."""
    cited = found.citations
    if cited is None:
        return ""
    return (
        f"Answers that cite a source: {text.out_of(cited.before, cited.test.n)} before, "
        f"{text.out_of(cited.after, cited.test.n)} after; {cited.test.worse:,} stopped, "
        f"{cited.test.better:,} started ({p_words(cited.test.p)})."
    )


def diagnosis_table(found: Regressions) -> None:
    """One row a diagnosis: press it to see its questions. The sum is on the screen."""
    asked = state.get(state.DIAGNOSIS)
    with st.container(key="diagnoses", gap=None):
        for kind in NAMES:
            count = found.counts[kind]
            if count:
                _row(str(kind), name_of(kind, found), count, MEANINGS[kind], chosen=asked == kind)
        _row("", "All that got worse", found.worse, sum_words(found), chosen=asked is None)
    split = split_html(found)
    if split:
        st.html(split)


def _row(value: str, name: str, count: int, meaning: str, *, chosen: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            name,
            key=f"diagnosis-{value or 'all'}",
            type="primary" if chosen else "secondary",
            width=215,
            on_click=state.put,
            args=({state.DIAGNOSIS: value or None, state.CASE: None, state.PAGE: 1},),
        )
        st.html(f'<p class="r13 tally num">{count:,}</p>', width=40)
        st.html(f'<p class="r13 soft">{text.plain(meaning)}</p>')


def name_of(kind: Diagnosis, found: Regressions) -> str:
    """A diagnosis by name; crowding is suspected until a sign grows more in worse questions."""
    name = NAMES[kind]
    confirmed = any(row.confirmed for row in found.crowding)
    return f"{name}, suspected" if kind is Diagnosis.CROWDED and not confirmed else name


def sum_words(found: Regressions) -> str:
    """The counts as a sum, and the diagnoses that nobody got."""
    counts = [found.counts[kind] for kind in NAMES if found.counts[kind]]
    parts = f"{' + '.join(f'{count:,}' for count in counts)} = {sum(counts):,}" if counts else "0"
    none = [NAMES[kind].lower() for kind in NAMES if not found.counts[kind]]
    return parts + (f"; none: {', '.join(none)}" if none else "")


def split_html(found: Regressions) -> str:
    """The classic split, with what it can and cannot prove."""
    known = found.in_pool + found.not_in_pool
    if not known:
        return ""
    return (
        '<p class="r13 soft split">'
        f"<b>Evidence was among the candidates in {text.out_of(found.in_pool, known)}, in "
        f"{found.not_in_pool:,} it was not.</b> That says where selection could act, not that "
        "selection is the cause: where the evidence was missing after, it was missing before as "
        "well, and where it was there, the model may have failed.</p>"
    )
