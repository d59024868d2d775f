"""Every page, light and dark: nothing serious for axe, nothing that the keyboard cannot reach.

Judged is what the pages draw; the menu bar and the insides of widgets are Streamlit's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from pages.ui import frame, lab, state, window
from tests.browser import screens, serving
from tests.browser.conftest import Watch, visitor

Scheme = Literal["light", "dark"]
COLLECTION = "Help-centre regressions"
SAVED = "k=8 or k=20"
GRAVE = ("serious", "critical")
RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    "resultTypes": ["violations"],
}
OURS = "[data-testid='stMainBlockContainer']"
THEIRS = (
    "[data-testid='stDataFrame']",
    "[data-testid='stFileUploader']",
    "[data-testid='stMultiSelect'] button",
    "[data-baseweb]",
    ".vega-embed",
)
"""Widgets whose markup is Streamlit's own, down to its roles and colours."""

MORE: Mapping[str, tuple[dict[str, str], ...]] = {
    "question": tuple({"view": view} for view in state.VIEWS),
    "regressions": ({"part": "questions"}, {"part": "causes"}, {"part": "change"}),
    "comparisons": ({}, {"name": SAVED}),
    "lab": tuple({"part": part} for part in lab.PARTS),
    "window": tuple({"part": part} for part in window.PARTS),
}
"""What a room shows beside its first screen."""


@pytest.fixture(scope="module")
def served(database: Path, base: str) -> str:
    """A dashboard with a saved comparison."""
    serving.command_line(
        database, "compare", "--collection", COLLECTION, "--selector", "top_k(k=8)",
        "--selector", "top_k(k=20)", "--save", SAVED,
    )  # fmt: skip
    return base


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> Scheme:
    chosen: Scheme = request.param
    return chosen


@pytest.fixture
def painted(chromium: Browser, watch: Watch, scheme: Scheme) -> Iterator[Page]:
    """A visitor whose machine asks for light or dark."""
    with visitor(chromium, watch) as page:
        page.emulate_media(color_scheme=scheme)
        yield page


ROOMS = [room.name for room in frame.ROOMS if frame.has_room(room.name)]


@pytest.mark.heavy
@pytest.mark.parametrize("room", ROOMS)
def test_no_page_has_a_serious_finding(painted: Page, served: str, room: str) -> None:
    path = "" if room == ROOMS[0] else room
    for more in MORE.get(room, ({},)):
        screens.go(painted, served, path, c=COLLECTION, **more)
        assert findings(painted) == [], more


@pytest.mark.heavy
def test_the_ledger_is_scrolled_with_the_keyboard_alone(painted: Page, served: str) -> None:
    screens.go(painted, served, "question", c=COLLECTION)
    stop = painted.get_by_role("group", name="Ledger: arrow keys scroll")
    for _ in range(60):
        painted.keyboard.press("Tab")
        if stop.evaluate("one => one === document.activeElement"):
            break
    expect(stop).to_be_focused()
    first = screens.ledger_row(painted, 1)
    before = first.bounding_box()
    for _ in range(5):
        painted.keyboard.press("ArrowDown")
    painted.wait_for_timeout(500)
    after = first.bounding_box()
    assert before is not None
    assert after is not None
    assert after["y"] < before["y"]


def findings(page: Page) -> list[str]:
    """What is grave, one line an element: the rule, where, and why."""
    context = {"include": [[OURS]], "exclude": [[one] for one in THEIRS]}
    found = Axe().run(page, context=context, options=RULES).response["violations"]
    return [line(rule, node) for rule in found if rule["impact"] in GRAVE for node in rule["nodes"]]


def line(rule: dict[str, Any], node: dict[str, Any]) -> str:
    reasons = [one["message"] for kind in ("any", "all", "none") for one in node[kind]]
    return f"{rule['id']}: {node['html'][:160]} ({'; '.join(reasons)[:240]})"
