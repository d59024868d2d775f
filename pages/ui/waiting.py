"""What waits in a collection: where to look first, as links that say how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pages.ui import cache, regressing_list, state, text, wayfinding
from storage.views import CollectionView


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """One link. room: the page that it opens; words: its label, as markdown that is escaped."""

    room: str
    words: str
    address: Mapping[str, Any]


def waits(collection: CollectionView) -> list[Wait]:
    """What somebody has to do: verdicts that nobody has given, comparisons that are out of date."""
    return [*_unreviewed(collection), *_stale(collection)]


def ways_in(collection: CollectionView) -> list[Wait]:
    """Where to look: all its questions, what repeats itself most, the whole on one screen."""
    return [_all(collection), *_repeats(collection), _brief(collection)]


def _all(collection: CollectionView) -> Wait:
    return Wait(
        room="questions",
        words=f"Open its {text.counted(collection.questions, 'question')}",
        address=wayfinding.to(collection),
    )


def _brief(collection: CollectionView) -> Wait:
    return Wait(room="brief", words="Brief", address=wayfinding.to(collection))


def _unreviewed(collection: CollectionView) -> list[Wait]:
    """Questions that got worse without a verdict; once all have one, that is said."""
    if not collection.with_outcomes:
        return []
    now = cache.progress(collection.name)
    if not now.worse:
        return []
    if not now.open:
        words = f"{text.counted(now.worse, 'worse question')}, all reviewed"
        return [Wait(room="regressions", words=words, address=wayfinding.to(collection))]
    return [
        Wait(
            room="regressions",
            words=f"**{now.open:,} of {text.counted(now.worse, 'worse question')} unreviewed**",
            address=wayfinding.to(collection, None, {state.VERDICT: regressing_list.OPEN}),
        )
    ]


def _repeats(collection: CollectionView) -> list[Wait]:
    """The question whose passages repeat each other most: where selection has most to win."""
    rows = _page(collection, sort="redundancy").rows
    if not rows or not rows[0].redundancy:
        return []
    return [
        Wait(
            room="question",
            words=f"The one that repeats itself most \\({rows[0].redundancy:.0%}\\)",
            address=wayfinding.to(collection, rows[0].id),
        )
    ]


def _stale(collection: CollectionView) -> list[Wait]:
    stale = [one for one in cache.comparisons(collection.name) if one.stale]
    if not stale:
        return []
    address = {state.COMPARISON: stale[0].name} if len(stale) == 1 else {}
    return [
        Wait(
            room="comparisons",
            words=f"**{text.counted(len(stale), 'comparison')} out of date**",
            address=state.address(address),
        )
    ]


def _page(collection: CollectionView, *, outcome: str = "", sort: str = "position") -> Any:
    return cache.questions(
        collection, search="", outcome=outcome, sort=sort, descending=True, offset=0, limit=1
    )
