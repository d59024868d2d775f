"""The pool in two dimensions, what each selector picks there, and a determinant taken apart."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd
import streamlit as st

from pages.ui import downloads, lab, lab_knobs, lab_lines, state, text
from pages.ui.charts import INK
from pages.ui.lanes import HUES
from pages.ui.ledger import heading
from selection.ledger import Selection
from selection.model import Budget
from selection.theory.finance import DISAMBIGUATOR
from selection.theory.plane import Plane, plane
from selection.theory.reading import NAMES, Knobs, contestants
from selection.theory.volume import Volume, volume
from storage.views import QuestionView

HEIGHT = 250
MOST_CHOSEN = 6
MOST_POINTS = 400
TRIPLE = (0, DISAMBIGUATOR, DISAMBIGUATOR + 1)
"""Items whose determinant is shown first: a generic one, the deciding one, and a distractor."""
SHAPES = {"generic": "circle", "disambiguator": "diamond", "distractor": "triangle-up"}
KINDS = "○ a near-copy, ◇ names the company, △ another sector; "
CROWDED = 0.06
"""Share of the picture within which two ranks would print over each other."""
CORNERS = ((13, -9), (-13, -9), (13, 12), (-13, 12))
"""Where the step stands beside its point, in turn."""


def _ranks(texts: Sequence[str]) -> tuple[int, ...]:
    numbers = [int(t) for t in texts[-1].split(",") if t.isascii() and t.isdigit() and len(t) < 6]
    return tuple(dict.fromkeys(n for n in numbers if n > 0))[:MOST_CHOSEN]


CHOSEN: state.Key[tuple[int, ...]] = state.Key(
    "set", (), _ranks, lambda ranks: (",".join(map(str, ranks)),) if ranks else ()
)
"""Ranks of the set whose determinant is taken apart."""


def geometry(view: QuestionView) -> None:
    """One small picture a selector, then the chosen set as quality and volume."""
    if view.pool.embeddings is None:
        st.text(
            "The picture needs an embedding for every passage. Here similarity is computed from "
            "the texts, so only the determinants below can be shown."
        )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="dials"):
        k = lab.choose_k(min(len(view.pool), 12))
        knobs = Knobs(lambda_=lab_knobs.draw(lab_knobs.LAMBDA), quality=quality())
        lab_knobs.back(lab_knobs.LAMBDA.key, lab_knobs.QUALITY.key)
    picked = {
        name: selector.select(view.pool, Budget(passages=k))
        for name, selector in contestants(knobs).items()
    }
    if view.pool.embeddings is not None:
        pictures(view, picked)
    determinants(view, picked, knobs=knobs)


def quality() -> float:
    return lab_knobs.draw(lab_knobs.QUALITY)


def pictures(view: QuestionView, picked: dict[str, Selection]) -> None:
    """The same points four times, each time with one selector's picks."""
    seen = plane(view.pool)
    places = st.columns(len(picked), gap="small")
    for place, (name, selection) in zip(places, picked.items(), strict=True):
        frame = point_rows(view, seen, selection)
        with place:
            at = lab_lines.PLACES[name] + 1
            st.html(
                f'<p class="r13 hue{at}"><span class="swatch">{at}</span> <b>{NAMES[name]}</b> '
                f"{text.ranks(selection.ranks) if selection.ranks else 'nothing'}</p>"
            )
            st.altair_chart(
                point_chart(frame, seen, hue=HUES[at - 1]),
                alt=point_alt(NAMES[name], selection),
                width="stretch",
            )
    said = KINDS if lab.made_pool(view) is not None else ""
    cross = "+ the query; " if seen.query is not None else ""
    st.html(
        f'<p class="r13 soft">{said}{cross}filled: picked, with its step; hollow: left out, with '
        f"its rank. The plane shows {seen.kept:.0%} of the squared distances.</p>"
    )


def point_rows(view: QuestionView, seen: Plane, selection: Selection) -> pd.DataFrame:
    """One row a passage: where it lies, whether it is picked, and as the how-manieth."""
    step = {rank: at for at, rank in enumerate(selection.ranks, start=1)}
    rows = [
        (
            float(x),
            float(y),
            rank,
            rank in step,
            f"{step[rank]}." if rank in step else str(rank),
            _kind(view, rank),
            text.shortened(heading(view.candidates[rank - 1]), 80),
            float(view.pool.relevance[rank - 1]),
        )
        for rank, (x, y) in enumerate(seen.points[:MOST_POINTS], start=1)
    ]
    columns = ["x", "y", "rank", "picked", "words", "kind", "passage", "relevance"]
    frame = pd.DataFrame(rows, columns=columns)
    frame["corner"] = _corners(frame, step)
    return frame


def _corners(frame: pd.DataFrame, step: dict[int, int]) -> list[int]:
    """Where the words of a point stand: a corner by step, -2 above, -1 nowhere for want of room."""
    points = frame[["x", "y"]].to_numpy()
    room = CROWDED * max(float(np.ptp(points, axis=0).max()), 1e-9)
    corners: list[int] = []
    for at, rank in enumerate(frame["rank"]):
        if rank in step:
            corners.append((step[rank] - 1) % len(CORNERS))
            continue
        near = np.linalg.norm(points - points[at], axis=1) < room
        corners.append(-1 if near.sum() > 1 else -2)
    return corners


def _kind(view: QuestionView, rank: int) -> str:
    """What a passage of the made-up pools is; empty elsewhere."""
    if lab.made_pool(view) is None:
        return ""
    kind = str(view.candidates[rank - 1].metadata.get("kind", ""))
    return kind if kind in SHAPES else ""


def point_chart(frame: pd.DataFrame, seen: Plane, *, hue: str) -> alt.LayerChart:
    """Hollow points carry their rank, picked ones are filled and numbered by step."""
    xs, ys = list(frame["x"]), list(frame["y"])
    if seen.query is not None:
        xs, ys = [*xs, float(seen.query[0])], [*ys, float(seen.query[1])]
    x = alt.X("x:Q", title=None, axis=None, scale=alt.Scale(domain=_span(xs), nice=False))
    y = alt.Y("y:Q", title=None, axis=None, scale=alt.Scale(domain=_span(ys), nice=False))
    form = alt.Shape(
        "kind:N",
        scale=alt.Scale(domain=["", *SHAPES], range=["circle", *SHAPES.values()]),
        legend=None,
    )
    tips = [
        alt.Tooltip("rank:Q"),
        alt.Tooltip("passage:N"),
        alt.Tooltip("relevance:Q", format=".3f"),
    ]
    base = alt.Chart(frame)
    out = (
        base.transform_filter("!datum.picked")
        .mark_point(size=90, strokeWidth=1.5, color="gray")
        .encode(x=x, y=y, shape=form, tooltip=tips)
    )
    taken = (
        base.transform_filter("datum.picked")
        .mark_point(filled=True, size=240, opacity=1, color=hue, stroke=INK, strokeWidth=1)
        .encode(x=x, y=y, shape=form, tooltip=tips)
    )
    rank_words = (
        base.transform_filter("datum.corner == -2")
        .mark_text(dy=-11, color=INK, opacity=0.75, fontSize=10)
        .encode(x=x, y=y, text="words:N")
    )
    step_words = [
        base.transform_filter(f"datum.corner == {at}")
        .mark_text(dx=dx, dy=dy, color=INK, fontWeight=700)
        .encode(x=x, y=y, text="words:N")
        for at, (dx, dy) in enumerate(CORNERS)
    ]
    layers = [out, taken, rank_words, *step_words]
    if seen.query is not None:
        query = pd.DataFrame({"x": [float(seen.query[0])], "y": [float(seen.query[1])]})
        layers.append(
            alt.Chart(query)
            .mark_point(shape="cross", filled=True, size=110, color=INK)
            .encode(x=x, y=y, tooltip=alt.value("the query"))
        )
    return alt.layer(*layers).properties(height=HEIGHT)


def _span(values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    room = max((high - low) * 0.12, 0.05)
    return [low - room, high + room]


def point_alt(name: str, selection: Selection) -> str:
    """The picture in words."""
    said = text.ranks(selection.ranks) if selection.ranks else "nothing"
    return f"The pool in two dimensions; {name} picks {said}."


def determinants(view: QuestionView, picked: dict[str, Selection], *, knobs: Knobs) -> None:
    """The determinant of a chosen set and of every selector's picks, as quality times volume."""
    chosen = choose_set(view)
    parts = [("chosen set", volume(view.pool, [r - 1 for r in chosen], quality=knobs.quality))]
    parts += [
        (NAMES[name], volume(view.pool, one.picks.order, quality=knobs.quality))
        for name, one in picked.items()
    ]
    st.html(sentence_html(parts[0][1]))
    st.html(table_html(parts))
    downloads.csv_button("CSV", lambda: rows(parts), file="determinants.csv", key="w-csv")


def choose_set(view: QuestionView) -> tuple[int, ...]:
    """The ranks of the set, from the address; first a triple that shows what volume is."""
    size = len(view.pool)
    asked = tuple(rank for rank in state.get(CHOSEN) if rank <= size)
    now = asked or _triple(view)
    key = state.prime("w-set", list(now))
    st.multiselect(
        "Ranks of a set",
        range(1, size + 1),
        key=key,
        format_func=lambda rank: f"rank {rank}",
        max_selections=MOST_CHOSEN,
        on_change=_choose,
        args=(key,),
        help="Its determinant is read as quality times squared volume.",
        width=420,
    )
    return now


def _choose(key: str) -> None:
    state.put({CHOSEN: tuple(st.session_state[key])})


def _triple(view: QuestionView) -> tuple[int, ...]:
    if lab.made_pool(view) is not None:
        items = [one.metadata.get("item") for one in view.candidates]
        return tuple(items.index(item) + 1 for item in TRIPLE if item in items)
    return tuple(range(1, min(len(view.pool), 3) + 1))


def sentence_html(one: Volume) -> str:
    """det = quality x volume, for the chosen set."""
    return (
        f'<p class="r13 tell">The determinant of {text.ranks([i + 1 for i in one.items])} is '
        f"<b>{one.determinant:.4f}</b> = quality <b>{one.quality:.4f}</b> × squared volume "
        f"<b>{one.volume:.4f}</b>. A near-copy makes the volume vanish, however good it is.</p>"
    )


def table_html(parts: Sequence[tuple[str, Volume]]) -> str:
    """The chosen set and every selector's picks."""
    body = "".join(
        f'<tr><th scope="row">{name}</th><td>'
        f"{text.ranks([i + 1 for i in one.items]) if one.items else 'nothing'}</td>"
        f'<td class="num">{one.determinant:.4g}</td><td class="num">{one.quality:.4f}</td>'
        f'<td class="num">{one.volume:.4g}</td></tr>'
        for name, one in parts
    )
    return (
        '<table class="r13 figures"><caption class="sr">Determinants</caption><thead><tr>'
        '<th scope="col">set</th><th scope="col">passages</th>'
        '<th scope="col" class="num">determinant</th><th scope="col" class="num">quality</th>'
        '<th scope="col" class="num">squared volume</th></tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def rows(parts: Sequence[tuple[str, Volume]]) -> list[dict[str, object]]:
    """The table as a file."""
    return [
        {
            "set": name,
            "ranks": " ".join(str(i + 1) for i in one.items),
            "determinant": one.determinant,
            "quality": one.quality,
            "squared_volume": one.volume,
        }
        for name, one in parts
    ]
