"""One saved comparison on the screen: its name, what it is of, renaming and deleting it."""

from __future__ import annotations

import streamlit as st

from pages.ui import cache, gate, state, text
from selection.registry import parse_selector
from storage.access import Role
from storage.saved import delete_comparison, rename_comparison
from storage.views import ComparisonView

STALE = '<span class="tag warn">data changed since</span>'


def words(spec: str) -> str:
    """A selector as a person reads it; one that no longer exists stays as it was written."""
    try:
        return parse_selector(spec).label
    except ValueError:
        return spec


def name_html(one: ComparisonView) -> str:
    """The name, and whether the data changed since it was saved."""
    return f"{text.plain(one.name)} {STALE if one.stale else ''}"


def facts_html(one: ComparisonView) -> str:
    """Collection, budget, when and by whom, and the note."""
    limits = [
        f"{one.budget_tokens:,} tokens" if one.budget_tokens is not None else "",
        text.counted(one.budget_passages, "passage") if one.budget_passages is not None else "",
    ]
    budget = text.listed([limit for limit in limits if limit]) or "no limit"
    facts = (
        f"{text.plain(one.collection)}, {text.counted(one.questions, 'question')}; "
        f"budget {budget}; relevance {text.plain(one.relevance)}; "
        f"saved {one.saved_at:%Y-%m-%d %H:%M} UTC by {text.plain(one.author)}, "
        f"version {text.plain(one.code_version)}"
    )
    note = f"<p>{text.plain(one.note)}</p>" if one.note else ""
    return f'<div class="r13"><p class="soft">{facts}</p>{note}</div>'


def drift_html(one: ComparisonView) -> str:
    """Which questions have changed since it was saved; nothing where the data are as they were."""
    if not one.stale:
        return ""
    now = next((c for c in cache.collections() if c.name == one.collection), None)
    found = cache.changes(one, "" if now is None else cache.version(now))
    parts = [
        f"{text.counted(len(names), 'question')} {verb}"
        for names, verb in (
            (found.changed or (), "changed"),
            (found.gone, "gone"),
            (found.new, "new"),
        )
        if names
    ]
    if found.changed is None:
        parts.append("which of the others changed is not known")
    said = text.plain(text.listed(parts)) or "its order changed"
    return f'<p class="r13">{STALE} {said}.</p>'


def rename_control(one: ComparisonView) -> None:
    """A new name and note; an opened comparison stays open under its new name."""
    if not gate.may(Role.EDITOR):
        return
    with st.popover("Rename", key=f"rename-{one.name}", type="tertiary"):
        with st.form(f"w-rename-{one.name}", border=False):
            name = st.text_input("Name", value=one.name, max_chars=200)
            note = st.text_area("Note", value=one.note, max_chars=2000, height="content")
            sent = st.form_submit_button("Save", type="primary")
        if sent:
            _rename(one, name, note)


def _rename(one: ComparisonView, name: str, note: str) -> None:
    try:
        rename_comparison(cache.writing(Role.EDITOR), one.name, to=name, note=note)
    except ValueError as problem:
        st.text(str(problem))
        return
    cache.forget()
    if state.get(state.COMPARISON) == one.name:
        state.put({state.COMPARISON: name.strip()})
    st.rerun()


def delete_control(one: ComparisonView) -> None:
    """Deleting asks first, and says what goes."""
    if not gate.may(Role.EDITOR):
        return
    with st.popover("Delete", key=f"delete-{one.name}", type="tertiary"):
        st.text(
            f"Deletes “{text.clean(one.name)}” with its results for "
            f"{text.counted(one.questions, 'question')}. The collection stays."
        )
        if st.button("Delete it", key=f"really-{one.name}", type="primary"):
            delete_comparison(cache.writing(Role.EDITOR), one.name)
            cache.forget()
            if state.get(state.COMPARISON) == one.name:
                state.put({state.COMPARISON: None})
            st.rerun()
