"""What every part of the Window shares: the slices as the address has them, and the open part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pages.ui import controls, state
from pages.ui.lanes import Lane
from selection.model import Budget, Pool
from selection.window.fill import Filled, fill
from selection.window.order import ORDERS
from selection.window.prompt import gold_passages
from selection.window.slices import NAMES, Name, Slice, Window, default_window
from storage.views import QuestionView

STYLES = tuple(Path(__file__).with_name(name) for name in ("figures.css", "window.css"))
PARTS: Mapping[str, str] = {
    "slices": "Slices",
    "sweep": "Sweep of k",
    "prompt": "Assembled prompt",
}
TITLES: Mapping[Name, str] = {
    "system": "system",
    "tools": "tools",
    "history": "history",
    "retrieval": "retrieval",
    "answer": "answer",
}
PART = state.choice_key("part", tuple(PARTS), "slices")
ORDER = state.choice_key("order", tuple(ORDERS), "rank")
MOST_PLACES = len(NAMES)

Parts = tuple[tuple[Name, int, int, int | None], ...]
"""Name, size, floor and place of each slice that was set."""


def _read(texts: Sequence[str]) -> Parts:
    """name:size:floor:place, place 0 for never; a part that cannot be read is passed over."""
    found: dict[Name, tuple[Name, int, int, int | None]] = {}
    for one in texts[: len(NAMES)]:
        pieces = one.split(":")
        name = next((name for name in NAMES if name == pieces[0]), None)
        numbers = [int(p) for p in pieces[1:] if p.isascii() and p.isdigit() and len(p) <= 9]
        if name is None or len(numbers) != 3 or len(pieces) != 4:
            continue
        size, floor, place = numbers
        found[name] = (name, size, min(floor, size), place if 1 <= place <= MOST_PLACES else None)
    return tuple(found.values())


SLICES: state.Key[Parts] = state.Key(
    "slice",
    (),
    _read,
    lambda parts: [f"{name}:{size}:{floor}:{place or 0}" for name, size, floor, place in parts],
)


def asked(limits: Budget, pool: Pool) -> Window:
    """The window of the address. The retrieval slice is the budget; without one, the pool."""
    room = limits.tokens
    if room is None:
        room = controls.default_tokens(pool) or 0
    base = {one.name: one for one in default_window(room).slices}
    for name, size, floor, place in state.get(SLICES):
        allotted = room if name == "retrieval" else size
        base[name] = Slice(name=name, size=allotted, floor=min(floor, allotted), place=place)
    return Window.of(base.values())


def unfit(view: QuestionView) -> str:
    """Why a question has no window, as a sentence."""
    if not len(view.pool):
        return "Nothing was retrieved for this question, so there is nothing to assemble."
    return "The window counts in tokens, and at least one passage here has neither tokens nor text."


def order_of(view: QuestionView, lane: Lane) -> tuple[int, ...]:
    """What a lane sends, in the order that the address asks for; 0-based."""
    if lane.selection is None:
        return ()
    return ORDERS[state.get(ORDER)](lane.selection.picks.order, gold_passages(view.pool))


def filled(view: QuestionView, lane: Lane, slices: Window) -> Filled:
    """The window with what a lane sends in it."""
    tokens = view.pool.tokens
    costs = [] if tokens is None else [int(tokens[at]) for at in order_of(view, lane)]
    return fill(slices, costs)
