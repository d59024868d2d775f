"""Runs against the baseline in tables: means of every headline measure, and the test of one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import text
from pages.ui.lanes import HUES
from pages.ui.regressing import p_words
from pages.ui.runs import RunView
from selection.measures import Measure, all_measures
from selection.significance import Interval
from storage.contrast import Against, Standing

HEADLINE = ("claim_recall", "evidence_recall", "redundancy", "tokens")
LISTED = 200
"""Questions of one run only that are named; more are counted."""


def means_html(runs: Sequence[RunView]) -> str:
    """Runs by measures: the mean, its n, and the difference of means to the baseline's."""
    measures = [m for m in all_measures() if m.name in HEADLINE]
    measures.sort(key=lambda m: HEADLINE.index(m.name))
    head = "".join(f'<th scope="col" class="num">{text.plain(m.title)}</th>' for m in measures)
    rows = "".join(_mean_row(runs, place, measures) for place in range(len(runs)))
    return (
        '<table class="r13 headline means"><caption class="sr">Means over questions</caption>'
        f'<thead><tr><th scope="col">mean over questions</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _mean_row(runs: Sequence[RunView], place: int, measures: Sequence[Measure]) -> str:
    cells = "".join(_mean_cell(runs, place, m) for m in measures)
    return _row(runs[place], place, cells)


def _row(run: RunView, place: int, cells: str) -> str:
    return (
        f'<tr class="hue{place % len(HUES) + 1}"><th scope="row">'
        f'<span class="swatch">{place + 1}</span> {text.plain(run.label)}</th>{cells}</tr>'
    )


def _mean_cell(runs: Sequence[RunView], place: int, measure: Measure) -> str:
    mean, n = _mean(runs[place], measure)
    base, _ = _mean(runs[0], measure)
    difference = None if mean is None or base is None or not place else mean - base
    shown = "" if difference is None else text.signed(difference, digits=digits(measure))
    over = f"n = {n:,}" if n else ""
    return (
        f'<td class="num">{text.decimal(mean, digits=digits(measure))} '
        f'<span class="soft">{over}</span><span class="diff">{shown}</span></td>'
    )


def _mean(run: RunView, measure: Measure) -> tuple[float | None, int]:
    return run.of.means.get(run.selector, {}).get(measure.name, (None, 0))


def digits(measure: Measure) -> int:
    return 0 if measure.unit == "tokens" else 3


def tests_html(runs: Sequence[RunView], standings: Sequence[Standing], measure: Measure) -> str:
    """Each run against the baseline under one measure: how far, how sure, what could be seen."""
    better, worse = ("better", "worse") if measure.better else ("higher", "lower")
    titles = ("pairs", "mean difference, 95 % interval", f"{better} / equal / {worse}")
    titles += ("test", "Holm", "smallest effect it could show")
    head = "".join(f'<th scope="col" class="num">{title}</th>' for title in titles)
    rows = "".join(
        _row(run, place, _test_cells(one.against, measure))
        for place, (run, one) in enumerate(zip(runs, standings, strict=True))
        if one.against is not None
    )
    against = f"{measure.title} against {runs[0].label}"
    return (
        '<table class="r13 headline means tests">'
        f'<caption class="sr">{text.plain(against)}</caption>'
        f'<thead><tr><th scope="col">{text.plain(against)}</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>{_note_html(standings)}"
    )


def _test_cells(one: Against, measure: Measure) -> str:
    test = one.test
    up, down = (test.losses, test.wins) if measure.better == "lower" else (test.wins, test.losses)
    cells = (
        f"{test.n:,}",
        _interval(test.mean, digits(measure)),
        f"{up:,} / {test.ties:,} / {down:,}",
        f"{p_words(one.p)}" if one.p is not None else text.plain(test.note),
        p_words(one.holm),
        text.decimal(test.detectable or None, digits=digits(measure)),
    )
    return "".join(f'<td class="num">{cell}</td>' for cell in cells)


def _interval(found: Interval | None, places: int) -> str:
    if found is None:
        return text.NA
    ends = " to ".join(text.signed(end, digits=places) for end in (found.low, found.high))
    return f'{text.signed(found.value, digits=places)} <span class="soft">({ends})</span>'


def _note_html(standings: Sequence[Standing]) -> str:
    """Which tests these are, and over how many of them they are corrected."""
    shown = [one.against for one in standings if one.against is not None]
    tested = [one for one in shown if one.p is not None]
    if not tested:
        return ""
    exact = any(one.yes_no is not None for one in tested)
    signs = any(one.yes_no is None for one in tested)
    kinds = [
        *(["sign flips of the paired differences, seed 0"] if signs else []),
        *(["the exact McNemar test, since every value is 0 or 1"] if exact else []),
    ]
    return (
        f'<p class="r13 soft">Tested by {text.listed(kinds)}; Holm corrects for the '
        f"{text.counted(len(tested), 'test')} shown. The smallest effect is the mean difference "
        "that this many questions would show four times in five.</p>"
    )


def left_out(runs: Sequence[RunView], standings: Sequence[Standing]) -> None:
    """Questions that stand in one of two runs only, and how many others are not paired."""
    for run, one in zip(runs, standings, strict=True):
        if one.against is not None:
            _left_out(runs[0], run, one.against)


def _left_out(base: RunView, run: RunView, one: Against) -> None:
    lone = (
        (f"only in {base.label}", one.only_baseline),
        (f"only in {run.label}", one.only_here),
    )
    said = [f"{len(names):,} {where}" for where, names in lone if names]
    if said:
        with st.expander(text.label(f"Not paired: {'; '.join(said)}")):
            for where, names in lone:
                if names:
                    st.text(f"{where[:1].upper()}{where[1:]}: {_named(names)}")


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(text.clean(name) for name in names[:LISTED])
    more = len(names) - LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown


def data_html(standings: Sequence[Standing]) -> str:
    """On how many pairs the data were not the same; nothing where they were."""
    found = [one.against.differing for one in standings if one.against is not None]
    most = max((count for count in found if count), default=0)
    if not most:
        return ""
    return (
        '<p class="r13"><span class="tag warn">data differ</span> On up to '
        f"{text.counted(most, 'paired question')} the data changed between the two runs.</p>"
    )
