"""Before own data: the story in short and three doors. Afterwards: what waits."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import blocks, cache, frame, ladder, text, wayfinding
from pages.ui.story import conclusion, walk
from storage.views import CollectionView

STORY = "Charged twice"
REGRESSIONS = "Help-centre regressions"


def main() -> None:
    frame.ensure_frame()
    collections = cache.collections()
    own = [one for one in collections if not one.made_up]
    if own:
        st.html('<div class="r13 question"><h1>What waits</h1></div>')
        for one in own:
            card(one)
    told = next((one for one in collections if one.name == STORY), None)
    if told is not None and not own:
        story(told)
    if not own:
        doors(collections)
    built_in([one for one in collections if one.made_up], heading=bool(own))


def story(collection: CollectionView) -> None:
    """The worked example in three sentences and one picture, all of it computed."""
    view = cache.question(collection, cache.first_question(collection), relevance=None)
    told = walk(view)
    st.html(
        '<div class="r13 question"><h1>Twenty passages were relevant. One of them mattered.</h1>'
        '<span class="tag made-up">made up</span></div>'
    )
    for sentence in conclusion(told):
        st.html(f'<p class="r13 tell">{text.plain(sentence)}</p>')
    st.html(blocks.blocks_html(view, told.before, caption=told.before.label))
    st.html(blocks.blocks_html(view, told.after, caption=told.after.label))


def doors(collections: Sequence[CollectionView]) -> None:
    """Three ways in."""
    names = {one.name: one for one in collections}
    with st.container(horizontal=True, gap="medium", key="doors"):
        with st.container(border=True):
            st.html(
                '<div class="r13"><h2>Open a question</h2><p class="soft">Selectors side by side, '
                "and why each rank is in or out.</p></div>"
            )
            for name in (STORY, REGRESSIONS):
                if name in names:
                    st.page_link(
                        frame.path("question"),
                        label=text.label(name),
                        icon=":material/arrow_forward:",
                        query_params=wayfinding.to(names[name]),
                    )
        with st.container(border=True):
            st.html(
                '<div class="r13"><h2>Bring your own</h2><p class="soft">A question and the texts '
                "of its passages are enough; whatever else you have, it uses.</p></div>"
            )
            st.page_link(frame.path("data"), label="Import a file", icon=":material/arrow_forward:")
        with st.container(border=True):
            st.html(
                '<div class="r13"><h2>See the story</h2><p class="soft">The same walk, rank by '
                "rank: what each passage adds and what it costs.</p></div>"
            )
            st.page_link(
                frame.path("story"), label="Step through it", icon=":material/arrow_forward:"
            )


def card(collection: CollectionView) -> None:
    """What one's own collection offers and what waits in it."""
    with st.container(border=True):
        st.html(
            f'<div class="r13"><h2>{text.plain(collection.name)}</h2>'
            f'<p class="soft">{_counts(collection)}; {ladder.step_words(collection)}</p></div>'
        )
        with st.container(horizontal=True, gap="medium"):
            st.page_link(
                frame.path("questions"),
                label="Open its questions",
                icon=":material/arrow_forward:",
                query_params=wayfinding.to(collection),
            )
            ladder.next_step(collection)
        stale = [one for one in cache.comparisons(collection.name) if one.stale]
        if stale:
            names = text.listed([one.name for one in stale])
            st.text(f"Its data changed since these comparisons were saved: {names}.")


def _counts(collection: CollectionView) -> str:
    return (
        f"{text.counted(collection.questions, 'question')}, "
        f"{text.counted(collection.candidates, 'candidate')}"
    )


def built_in(collections: Sequence[CollectionView], *, heading: bool) -> None:
    """The built-in collections, labelled as made up."""
    if not collections:
        return
    st.html(
        '<div class="r13"><h2>Built-in collections '
        '<span class="tag made-up">made up</span></h2></div>'
    )
    for one in collections:
        with st.container(horizontal=True, vertical_alignment="top", gap="small"):
            with st.container(width=240):
                st.page_link(
                    frame.path("questions"),
                    label=text.label(one.name),
                    query_params=wayfinding.to(one),
                )
            st.html(
                f'<p class="r13"><span class="unit">{_counts(one)}</span> '
                f'<span class="soft">{text.plain(one.note.removeprefix("Made up: "))}</span></p>'
            )


main()
