"""Lines by number of passages, one a contestant: told apart by hue, dash, shape and name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import altair as alt
import pandas as pd

from pages.ui.charts import DASHES, INK, SHAPES
from pages.ui.lanes import HUES
from selection.theory.reading import NAMES

PLACES: Mapping[str, int] = {name: at for at, name in enumerate(NAMES)}
"""The hue, dash and shape of each contestant, as in the order of selectors elsewhere."""
TITLES = [NAMES[name] for name in NAMES]


def hue(field: str = "name:N") -> alt.Color:
    """Colour by contestant; direct labels stand in for a legend."""
    return alt.Color(
        field,
        scale=alt.Scale(domain=TITLES, range=list(HUES[: len(TITLES)])),
        legend=None,
    )


def dash() -> alt.StrokeDash:
    """Dash by contestant."""
    return alt.StrokeDash(
        "name:N",
        scale=alt.Scale(domain=TITLES, range=[list(one) for one in DASHES[: len(TITLES)]]),
        legend=None,
    )


def shape() -> alt.Shape:
    """Shape by contestant."""
    return alt.Shape(
        "name:N",
        scale=alt.Scale(domain=TITLES, range=list(SHAPES[: len(TITLES)])),
        legend=None,
    )


def spread(ends: Sequence[float], *, apart: float) -> list[float]:
    """Heights for labels near the given ones that do not print over each other."""
    order = sorted(range(len(ends)), key=lambda at: ends[at])
    placed = list(ends)
    for below, above in pairwise(order):
        placed[above] = max(placed[above], placed[below] + apart)
    shift = sum(a - b for a, b in zip(placed, ends, strict=True)) / max(1, len(ends))
    return [one - shift for one in placed]


def apart_labels(frame: pd.DataFrame, *, x: str, y: str) -> list[alt.Chart]:
    """The name of each line where it is farthest from all others: above it, or below.

    frame: one row a name and x; every name has every x.
    """
    wide = frame.pivot(index=x, columns="name", values=y)
    labels = []
    for name in wide.columns:
        others = wide.drop(columns=name)
        if others.empty:
            at, above = wide.index[-1], True
        else:
            at = others.sub(wide[name], axis=0).abs().min(axis=1).idxmax()
            above = bool(wide.loc[at, name] >= others.loc[at].mean())
        spot = pd.DataFrame({x: [at], y: [wide.loc[at, name]], "name": [name]})
        labels.append(
            alt.Chart(spot)
            .mark_text(dy=-13 if above else 15, fontWeight=600, color=INK, align="center")
            .encode(x=f"{x}:Q", y=f"{y}:Q", text="name:N")
        )
    return labels


def end_labels(
    frame: pd.DataFrame, *, x: str, y: str, domain: tuple[float, float], height: int
) -> alt.Chart:
    """The name of each line beside its last point, spread so that all can be read."""
    last = frame.sort_values(x).groupby("name", sort=False).tail(1).copy()
    apart = 15.0 / height * (domain[1] - domain[0])
    last["label_y"] = spread(last[y].tolist(), apart=apart)
    return (
        alt.Chart(last)
        .mark_text(align="left", dx=9, fontWeight=600, color=INK)
        .encode(x=f"{x}:Q", y=alt.Y("label_y:Q"), text="name:N")
    )
