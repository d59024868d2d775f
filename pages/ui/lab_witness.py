"""Which objectives keep the promise of diminishing gains, by looking at every set of passages."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import cache, downloads, lab, text
from selection.model import Pool
from selection.theory.cycle import contradicts, cycle
from selection.theory.finance import world
from selection.theory.synergy import exclusive_or
from selection.theory.witness import TRIALS
from selection.theory.witnesses import Witness
from selection.theory.witnesses import witnesses as look
from storage.views import QuestionView


def witnesses(view: QuestionView) -> None:
    """The table of objectives, then the two constructed counter-examples."""
    made = lab.made_pool(view)
    found = _found(
        view.pool if made is None else made.pool,
        None if made is None else made.number,
        view.id,
        cache.version(view.collection),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.html(lab.source_html(view))
        downloads.csv_button("CSV", lambda: rows(found), file="witnesses.csv", key="w-csv")
    st.html(witness_html(found, size=len(view.pool)))
    st.html(pairs_html())


@st.cache_data(max_entries=64, show_spinner="Looking at every set of passages")
def _found(_pool: Pool, number: int | None, question: str, stamp: str) -> tuple[Witness, ...]:
    made = None if number is None else world().pools[number]
    return look(_pool, world=world(), made=made)


def witness_html(found: Sequence[Witness], *, size: int) -> str:
    """One row an objective: what was found, and what follows."""
    n, sets = found[0].looked_at, found[0].shape.subsets
    part = "all passages" if n == size else f"the first {n} of {size} passages"
    body = "".join(
        f'<tr><th scope="row">{text.plain(one.name)}</th><td class="num">{_zero(one.drawn)}</td>'
        f'<td class="num">{_zero(one.shape.witness, digits=3)}</td>'
        f"<td>{_verdict(one.submodular)}</td>"
        f'<td class="num">{_zero(one.shape.least_gain, digits=3)}</td>'
        f"<td>{_verdict(one.monotone)}</td></tr>"
        for one in found
    )
    return (
        '<p class="r13 tell">An objective has diminishing gains (is submodular) if no passage '
        "gains more when others are there already; the witness is how far a gain grows, and below "
        f"0 refutes it. Looked at: all {sets:,} sets of {part}, and {TRIALS} random pairs as a "
        "quick look would.</p>"
        '<table class="r13 figures"><caption class="sr">Objectives and their witnesses</caption>'
        '<thead><tr><th scope="col">objective</th><th scope="col" class="num">witness, random</th>'
        '<th scope="col" class="num">witness, all</th><th scope="col">submodular</th>'
        '<th scope="col" class="num">smallest gain</th><th scope="col">monotone</th></tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _verdict(holds: bool) -> str:
    return "yes" if holds else '<b class="warn-text">no</b>'


def _zero(value: float, *, digits: int = 2) -> str:
    """Rounding is not shown as a sign."""
    return text.decimal(0.0 if abs(value) < 0.5 * 10**-digits else value, digits=digits)


def pairs_html() -> str:
    """Synergy of two bits, and the circle in which MMR prefers."""
    bits, found = exclusive_or(), cycle()
    said = "".join(
        f"<li>from {one.chosen[0]} and {one.chosen[1]} it takes <b>{one.taken}</b>, not {one.left}"
        "</li>"
        for one in found
    )
    circle = "a circle, which no set function allows" if contradicts(found) else "no circle"
    return (
        '<div class="r13 pairs"><section><h2>Two bits and their exclusive or</h2>'
        f"<p>Information about the answer: the first bit alone <b>{bits.first:g}</b>, the second "
        f"alone <b>{bits.second:g}</b>, both together <b>{bits.both:g} bit</b>. The second gains "
        "more once the first is there, the opposite of diminishing gains.</p></section>"
        f"<section><h2>Why MMR is greedy on nothing</h2><p>Four passages; MMR at lambda 0.5 "
        f"prefers:</p><ul>{said}</ul><p>Together that is {circle}.</p></section></div>"
    )


def rows(found: Sequence[Witness]) -> list[dict[str, object]]:
    """The table as a file."""
    return [
        {
            "objective": one.name,
            "passages": one.looked_at,
            "witness_random": one.drawn,
            "witness_all": one.shape.witness,
            "submodular": one.submodular,
            "smallest_gain": one.shape.least_gain,
            "monotone": one.monotone,
        }
        for one in found
    ]
