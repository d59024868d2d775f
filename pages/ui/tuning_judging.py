"""Two settings, decided with as few judgements as it takes."""

from __future__ import annotations

import streamlit as st

from pages.ui import cache, downloads, text, tuning
from pages.ui.tuning import Setting, shown
from selection.tuning import Walk
from selection.tuning.judging import Unit, Verdict, from_gold, units, verdict

MOST_STATEMENTS = 8
SIDES = {"first": "now", "second": "the other value"}


def draw(now: Setting, walk: Walk) -> None:
    """The other value, where it stands, and the next passage to judge."""
    if now.now is None or now.now not in walk.values:
        st.text("This limit is not set, so there is no setting to compare another one with.")
        return
    first = walk.values.index(now.now)
    following = walk.values[(first + 1) % len(walk.values)]
    second = tuning.value_control(now, walk, "Compare with", default=following)
    found = units(
        walk.pools,
        [orders[first] for orders in walk.orders],
        [orders[second] for orders in walk.orders],
    )
    if not found:
        st.text("Neither setting says anything that the other does not: there is nothing to judge.")
        return
    known = from_gold(walk.pools, found)
    mine = _mine(now)
    judged = {**known, **{place: yes for place, yes in _places(walk, mine).items()}}
    stand = verdict(found, judged)
    st.html(standing_html(now, walk, second, stand, len(known)))
    if stand.open and not stand.decided:
        _ask(now, walk, stand.open[0], mine)
    _after(now, walk, found, judged, mine)


def _mine(now: Setting) -> dict[tuple[str, str], bool]:
    """The judgements of this session, by question and passage."""
    every = st.session_state.setdefault("judgements", {})
    held: dict[tuple[str, str], bool] = every.setdefault(now.collection.name, {})
    return held


def _places(walk: Walk, mine: dict[tuple[str, str], bool]) -> dict[tuple[int, int], bool]:
    return {
        (at, pool.position[passage]): yes
        for at, pool in enumerate(walk.pools)
        for (question, passage), yes in mine.items()
        if question == pool.id and passage in pool.position
    }


def standing_html(now: Setting, walk: Walk, second: int, stand: Verdict, gold: int) -> str:
    """Who is ahead, what could still happen, and whether judging may stop."""
    names = [
        f"{text.plain(now.knob.title)} {text.plain(shown(value))}"
        for value in (now.now, walk.values[second])
    ]
    if stand.winner is not None:
        ahead = names[0] if stand.winner == "first" else names[1]
        words = f"<b>Decided: {ahead} is ahead</b>, and no further judgement can change that."
    elif stand.decided:
        words = "<b>Decided: neither is ahead</b>; everything that differs is judged."
    else:
        words = f"<b>Open.</b> {text.counted(len(stand.open), 'passage')} could still decide it."
    told = f"{text.counted(stand.judged, 'judgement')}, {gold:,} of them known from facts."
    range_ = (
        f"{names[0]} minus {names[1]}: {text.signed(stand.known, digits=2)} so far, between "
        f"{text.signed(stand.worst, digits=2)} and {text.signed(stand.best, digits=2)} once all "
        "is judged."
    )
    how = (
        "Only passages that one setting sends and the other does not are asked for. Each weighs "
        "the share of its question's statements that only it brings; needed ones count for their "
        "side (minimal test collections, Carterette, Allan and Sitaraman 2006)."
    )
    return (
        f'<p class="r13 tell">{words}</p><p class="r13">{range_} {told}</p>'
        f'<p class="r13 soft">{how}</p>'
    )


def _ask(now: Setting, walk: Walk, unit: Unit, mine: dict[tuple[str, str], bool]) -> None:
    """The heaviest open passage, with what only it says, and the two answers."""
    id = walk.pools[unit.question].id
    pool = cache.question(now.collection, id, relevance=now.relevance).pool
    said = "".join(f"<li>{text.plain(one)}</li>" for one in unit.statements[:MOST_STATEMENTS])
    with st.container(border=True):
        st.html(
            f'<div class="r13"><p><b>{text.plain(pool.question or pool.id)}</b></p>'
            f'<p class="soft">rank {unit.index + 1}, sent by {SIDES[unit.side]} only; weighs '
            f"{unit.influence:.2f}. Only it says:</p><ul>{said}</ul>"
            f"<p>{text.plain(pool.texts[unit.index])}</p></div>"
        )
        with st.container(horizontal=True, gap="small"):
            key = (pool.id, pool.ids[unit.index])
            for label, answer, letter in (
                ("Needed for the answer", True, "Y"),
                ("Not needed", False, "X"),
            ):
                st.button(label, shortcut=letter, on_click=mine.__setitem__, args=(key, answer))


def _after(
    now: Setting,
    walk: Walk,
    found: tuple[Unit, ...],
    judged: dict[tuple[int, int], bool],
    mine: dict[tuple[str, str], bool],
) -> None:
    if not mine:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button("Undo the last judgement", icon=":material/undo:", on_click=mine.popitem)
        downloads.csv_button(
            "Judgements as CSV",
            lambda: [
                {"question": question, "passage": passage, "needed": "yes" if yes else "no"}
                for (question, passage), yes in mine.items()
            ],
            file=f"{downloads.file_name(now.collection.name, 'judgements')}.csv",
            key="judgements-csv",
        )
        st.html('<p class="r13 soft">Kept for this session; take them with you as CSV.</p>')
