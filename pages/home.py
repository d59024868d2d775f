"""Before own data: the story in short and three doors. Afterwards: what waits."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import (
    blocks,
    cache,
    controls,
    frame,
    guide,
    ladder,
    state,
    takeaway,
    text,
    waiting,
    wayfinding,
)
from pages.ui.story import title, walk
from storage.views import CollectionView

STORY = "Charged twice"
REGRESSIONS = "Help-centre regressions"
GO = ":material/arrow_forward:"


def main() -> None:
    frame.ensure_frame("Home")
    collections = cache.collections()
    own = [one for one in collections if not one.made_up]
    built_in = [one for one in collections if one.made_up]
    told = next((one for one in built_in if one.name == STORY and one.questions), None)
    if own:
        wayfinding.title("What waits")
        for one in own:
            card(one)
    elif told is not None:
        story(told)
    else:
        wayfinding.title("Nothing stored yet")
    if not own:
        doors(built_in)
    shelf(built_in)


def story(collection: CollectionView) -> None:
    """The worked example in three sentences and one picture, all of it computed."""
    view = cache.question(collection, cache.first_question(collection), relevance=None)
    told = walk(view, controls.budget(view.pool))
    st.html(
        f'<div class="r13 question"><h1>{text.plain(title(told))}</h1>'
        '<span class="tag made-up">made up</span></div>'
    )
    st.html(takeaway.conclusion_html(told))
    for lane in (told.before, told.after):
        st.html(blocks.blocks_html(view, lane))
    st.html(blocks.KEY)


def doors(built_in: Sequence[CollectionView]) -> None:
    """Three ways in: a built-in question, one's own file, how to read all this."""
    names = {one.name: one for one in built_in if one.questions}
    with st.container(horizontal=True, gap="small", vertical_alignment="distribute", key="doors"):
        if names:
            with st.container(border=True, gap="xsmall", height="stretch"):
                said("Open a question", "Selectors side by side, and why each rank is in or out.")
                with st.container(horizontal=True, gap="small"):
                    for name in [n for n in (STORY, REGRESSIONS) if n in names] or [*names][:1]:
                        st.page_link(
                            frame.path("question"),
                            label=text.label(name),
                            icon=GO,
                            query_params=wayfinding.to(names[name]),
                        )
        with st.container(border=True, gap="xsmall", height="stretch"):
            said("Bring your own", "A question and the texts of its passages are enough.")
            st.page_link(frame.path("data"), label="Import a file", icon=GO)
        with st.container(border=True, gap="xsmall", height="stretch"):
            said("See how it works", "A question walked rank by rank, and the words used here.")
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                if names:
                    st.page_link(frame.path("story"), label="Step through it", icon=GO)
                guide.button()


def said(heading: str, words: str) -> None:
    """The head of a door."""
    st.html(f'<div class="r13"><h2>{heading}</h2><p class="soft">{words}</p></div>')


def card(collection: CollectionView) -> None:
    """What one's own collection holds, what waits in it, and the next step."""
    with st.container(border=True, gap="xsmall"):
        st.html(
            f'<div class="r13 card"><h2>{text.plain(collection.name)}</h2>'
            f'<p class="soft">{wayfinding.counts(collection)}; '
            f"{ladder.step_words(collection)}</p></div>"
        )
        with st.container(horizontal=True, gap="small"):
            if collection.questions:
                for one in (*waiting.waits(collection), *waiting.ways_in(collection)):
                    st.page_link(
                        frame.path(one.room), label=one.words, icon=GO, query_params=one.address
                    )
            ladder.next_step(collection)


def shelf(built_in: Sequence[CollectionView]) -> None:
    """The built-in collections, labelled as made up: name, counts, and what to look at."""
    if not built_in:
        return
    st.html(
        '<div class="r13"><h2>Built-in collections '
        '<span class="tag made-up">made up</span></h2></div>'
    )
    with st.container(key="built-in"):
        for one in built_in:
            name, counts, note = st.columns([5, 6, 31], gap="small", vertical_alignment="center")
            name.page_link(
                frame.path("questions"),
                label=text.label(one.name),
                query_params=state.address({state.COLLECTION: one.name}),
            )
            counts.html(f'<p class="r13 unit">{wayfinding.counts(one)}</p>')
            note.html(wayfinding.note_html(one))


main()
