"""What would change: every setting against what got worse, and its price in what is right today."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui import cache, downloads, regressing, state, text
from selection.model import Budget
from storage.diagnose import Regressions
from storage.remedies import Remedy, remedies, settings
from storage.views import CollectionView

HEAD = (
    ("setting", ""),
    ("budget", "num"),
    ("brings evidence back", "num"),
    ("undoes crowding, where it stands out", "num"),
    ("undoes all of it", "num"),
    ("competing statement said", "num"),
    ("tokens a question", "num"),
    ("loses evidence, of right today", "num"),
)


@st.cache_resource(max_entries=16, show_spinner="Trying every setting on every question")
def _remedies(
    name: str, baseline: str, candidate: str, thorough: bool, stamp: str
) -> tuple[Remedy, ...]:
    found = regressing.kept(name, baseline, candidate, stamp)
    return remedies(
        cache.engine(),
        name,
        settings(budgets(found), thorough=thorough),
        baseline=baseline,
        candidate=candidate,
        marks=[row.sign for row in found.crowding if row.confirmed],
    )


def budgets(found: Regressions) -> list[Budget]:
    """What a typical prompt cost before and after, and half-way, to two digits; no tokens: none."""
    before, after = found.prompts
    if not before or not after:
        return [Budget()]
    wanted = {_round(value) for value in (before, (before + after) / 2, after)}
    return [Budget(tokens=value) for value in sorted(wanted)]


def _round(value: float) -> int:
    unit = 10 ** max(0, len(str(int(value))) - 2)
    return int(round(value / unit) * unit)


def change(collection: CollectionView, found: Regressions) -> None:
    """The table, what it says in a sentence, and the way to try more."""
    thorough = state.get(state.THOROUGH) == "1"
    stamp = cache.version(collection)
    rows = _remedies(collection.name, found.baseline, found.candidate, thorough, stamp)
    shown = ordered(rows)
    st.html(sentence_html(shown) + table_html(shown, found))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        key = state.prime("w-thorough", thorough)
        st.toggle(
            "Also selectors that compare texts (takes longer)",
            key=key,
            on_change=_turn,
            args=(key,),
        )
        downloads.csv_button(
            "CSV",
            lambda: [csv_row(row, found) for row in rows],
            file=f"{downloads.file_name(collection.name, 'what-would-change')}.csv",
            key="change-csv",
        )


def _turn(key: str) -> None:
    state.put({state.THOROUGH: "1" if st.session_state[key] else ""})


def ordered(rows: Sequence[Remedy]) -> list[Remedy]:
    """Both arms first; then who repairs most, loses least, costs least. Equal rows stand once."""
    arms = [row for row in rows if row.setting.arm]
    seen = {_effect(row) for row in arms}
    others = []
    for row in rows:
        if row.setting.selector is None:
            continue
        if _effect(row) not in seen:
            seen.add(_effect(row))
            others.append(row)
    others.sort(key=lambda row: (-row.repairs, row.newly_lost, row.tokens or 0))
    return [*arms, *others]


def _effect(row: Remedy) -> tuple[object, ...]:
    """What is shown of a row; an arm as it was sent stands for its own setting."""
    return (row.tokens, row.brought_back, row.relieved, row.undone, row.newly_lost)


def sentence_html(rows: Sequence[Remedy]) -> str:
    """What the best row does, and its price; never that an answer would be right again."""
    others = [row for row in rows if row.setting.selector is not None and row.repairs]
    if not others:
        words = "None of these settings brings evidence back or undoes crowding."
    else:
        best = others[0]
        words = (
            f"<b>{_name(best, None)}{_under(best)}</b> {_does(best)}. "
            "Its price: it loses evidence in "
            f"{text.out_of(best.newly_lost, best.right, 'questions that are right today')}."
        )
        free = next((row for row in others if not row.newly_lost), None)
        if free is not None and free is not best:
            words += f" Without losing any: <b>{_name(free, None)}{_under(free)}</b> {_does(free)}."
    return (
        f'<div class="r13"><p class="tell">{words}</p><p class="soft">This compares prompts. '
        "Nobody has asked the model again, so no answer is called restored.</p></div>"
    )


def _under(row: Remedy) -> str:
    tokens = row.setting.budget.tokens
    return "" if tokens is None else f" under {tokens:,} tokens"


def _does(row: Remedy) -> str:
    parts = []
    if row.lost:
        parts.append(f"brings evidence back in {text.out_of(row.brought_back, row.lost)}")
    if row.marked:
        parts.append(f"undoes crowding in {text.out_of(row.relieved, row.marked)}")
    elif row.crowded:
        parts.append(f"undoes crowding in {text.out_of(row.undone, row.crowded)}")
    return text.listed(parts)


def table_html(rows: Sequence[Remedy], found: Regressions) -> str:
    """The rows with the n behind every count."""
    head = "".join(f'<th scope="col" class="{kind}">{name}</th>' for name, kind in HEAD)
    body = "".join(_row(row, found) for row in rows)
    return (
        '<div class="wide-table"><table class="r13 headline change"><caption class="sr">What would '
        f"change</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row(row: Remedy, found: Regressions) -> str:
    cells = [
        "as sent" if row.setting.arm else text.whole(row.setting.budget.tokens),
        text.out_of(row.brought_back, row.lost) if row.lost else "none was lost",
        text.out_of(row.relieved, row.marked) if row.marked else text.NA,
        text.out_of(row.undone, row.crowded) if row.crowded else text.NA,
        f"{text.decimal(row.repetition, digits=1)}×" if row.repetition is not None else text.NA,
        text.whole(row.tokens),
        text.out_of(row.newly_lost, row.right) if row.right else text.NA,
    ]
    unable = f' <span class="soft">cannot run on {row.unable:,}</span>' if row.unable else ""
    return (
        f'<tr><th scope="row">{_name(row, found)}{unable}</th>'
        + "".join(f'<td class="num">{cell}</td>' for cell in cells)
        + "</tr>"
    )


def _name(row: Remedy, found: Regressions | None) -> str:
    if row.setting.selector is not None:
        return text.plain(row.setting.selector.label)
    names = {"before": found.baseline, "after": found.candidate} if found else {}
    return f"{row.setting.arm}: {text.plain(names.get(row.setting.arm, ''))}"


def csv_row(row: Remedy, found: Regressions) -> dict[str, object]:
    """One setting for a spreadsheet."""
    selector = row.setting.selector
    arms = {"before": found.baseline, "after": found.candidate}
    return {
        "setting": selector.spec if selector else arms[row.setting.arm],
        "budget_tokens": row.setting.budget.tokens,
        "brought_back": row.brought_back,
        "of_lost": row.lost,
        "crowding_undone_where_it_stands_out": row.relieved,
        "of_marked": row.marked,
        "crowding_undone": row.undone,
        "of_crowded": row.crowded,
        "mean_repetition": row.repetition,
        "mean_tokens": row.tokens,
        "newly_lost": row.newly_lost,
        "of_right_today": row.right,
        "questions": row.n,
        "unable": row.unable,
    }
