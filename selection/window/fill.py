"""What each slice is left with once the passages are in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from selection.window.slices import NAMES, RECEIVER, Name, Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A window with passages in it.

    tokens: of each slice now. lost: what each had to give, 0 or more. back: what retrieval left
    over and history got. dropped: how many passages, from the end, did not stay. over: tokens that
    fit nowhere even so; the prompt is refused then.
    """

    window: Window
    tokens: Mapping[Name, int]
    lost: Mapping[Name, int]
    back: int
    dropped: int
    over: int

    @property
    def total(self) -> int:
        """Tokens of the whole prompt, the room for the answer included."""
        return sum(self.tokens.values())

    @property
    def changed(self) -> tuple[Name, ...]:
        """The slices other than retrieval that are smaller than allotted."""
        return tuple(name for name in NAMES if name != "retrieval" and self.lost[name])


def fill(window: Window, costs: Sequence[int]) -> Filled:
    """Put passages in, and let the slices give way in their order where they do not fit.

    costs: tokens of each passage in the order of the prompt, all of them wanted. Retrieval gives
    way by whole passages, the last ones first; every other slice by tokens.
    """
    wanted = sum(costs)
    tokens = {one.name: one.size for one in window.slices} | {"retrieval": wanted}
    lost = dict.fromkeys(NAMES, 0)
    excess = wanted - window["retrieval"].size
    dropped = 0
    for one in window.eviction:
        if excess <= 0:
            break
        if one.name == "retrieval":
            dropped, given = _last(costs, excess, floor=one.floor)
        else:
            given = min(excess, one.spare)
        tokens[one.name] -= given
        lost[one.name] = given
        excess -= given
    back = max(0, window["retrieval"].size - wanted)
    tokens[RECEIVER] += back
    return Filled(
        window=window,
        tokens=tokens,
        lost=lost,
        back=back,
        dropped=dropped,
        over=max(0, excess),
    )


def unbounded(window: Window, costs: Sequence[int]) -> Filled:
    """The same as if the window grew with retrieval: no slice gives way, and none gets more."""
    wanted = sum(costs)
    tokens = {one.name: one.size for one in window.slices} | {"retrieval": wanted}
    return Filled(
        window=window,
        tokens=tokens,
        lost=dict.fromkeys(NAMES, 0),
        back=0,
        dropped=0,
        over=max(0, wanted - window["retrieval"].size),
    )


def _last(costs: Sequence[int], excess: int, *, floor: int) -> tuple[int, int]:
    """How many of the last passages must go, and the tokens that this frees."""
    left, freed, dropped = sum(costs), 0, 0
    for cost in reversed(costs):
        if freed >= excess or left - cost < floor:
            break
        left, freed, dropped = left - cost, freed + cost, dropped + 1
    return dropped, freed
