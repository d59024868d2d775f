"""Text from outside is text: whatever it tries, it is read, never run, and never phones home."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screens, serving

IMAGE = "<img src=http://tracker.invalid/a.png onerror=alert(1)>"
SCRIPT = "<script>fetch('http://tracker.invalid/s')</script>"
MARKDOWN = (
    "**bold** ![x](http://tracker.invalid/m.png) [link](http://tracker.invalid) :red[r] $x^2$"
)
HOSTILE = f"{IMAGE} {SCRIPT} {MARKDOWN} </div></table> & &lt;b&gt;"
NAME = f"Own {IMAGE} $a$ **b**"
RECORD = {
    "id": f"q {IMAGE}",
    "question": f"Why? {HOSTILE}",
    "answer": HOSTILE,
    "passages": [
        {
            "id": f"p1 {IMAGE}",
            "text": f"{HOSTILE}. Refunds take 3 days.",
            "claims": [{"key": "c1", "text": HOSTILE}, "$y^2$ **key**"],
            "supports": ["f1"],
            "metadata": {"title": f"Title {HOSTILE}", "locale": IMAGE, "version": MARKDOWN},
        },
        {"id": "p2", "text": HOSTILE, "claims": ["c1"], "metadata": {"title": SCRIPT}},
    ],
    "facts": [{"id": "f1", "text": HOSTILE}],
    "arms": [
        {"name": f"k=8 {IMAGE}", "correct": True, "answer": HOSTILE, "sent": ["p2"]},
        {"name": f"k=20 {MARKDOWN}", "correct": False, "answer": HOSTILE, "sent": ["p1"]},
    ],
}


@pytest.fixture(scope="module")
def hostile(database: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A collection in which every text is hostile, its name as well, and a saved comparison."""
    path = tmp_path_factory.mktemp("hostile") / "hostile.jsonl"
    path.write_text(json.dumps(RECORD), encoding="utf-8")
    serving.command_line(database, "import", str(path), "--collection", NAME)
    serving.command_line(
        database, "compare", "--collection", NAME, "--selector", "top_k", "--selector",
        "marginal_gain", "--save", f"Saved {HOSTILE}"[:150], "--note", HOSTILE,
    )  # fmt: skip
    return NAME


def test_hostile_texts_are_drawn_as_texts_on_every_page(
    page: Page, base: str, hostile: str
) -> None:
    for path in (
        *("", "questions", "question", "story", "comparisons", "data"),
        *("tuning", "window", "lab", "brief"),
    ):
        screens.go(page, base, path, c=hostile)
        only_text(page)
        if path == "question":
            for view in screens.VIEWS:
                screens.open_view(page, view)
                only_text(page)
            for opener in ("Copy link", "Save comparison"):
                page.get_by_role("button", name=opener).click()
                only_text(page)
                page.keyboard.press("Escape")
    screens.go(page, base, "comparisons")
    page.locator("[class*=st-key-open-] button").first.click()
    expect(page.get_by_role("button", name="All comparisons")).to_be_visible()
    only_text(page)


def test_the_question_page_shows_hostile_texts_to_the_letter(
    page: Page, base: str, hostile: str
) -> None:
    screens.go(page, base, "question", c=hostile)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Why? {HOSTILE}")
    screens.open_view(page, "Texts")
    assert screens.said(page).count(SCRIPT) >= len(RECORD["passages"])


def only_text(page: Page) -> None:
    """No element on the page was made by a text: no image, link, script, formula or emphasis."""
    main = page.get_by_role("main")
    expect(main.locator("img[src*='tracker'], a[href^='http://tracker'], script")).to_have_count(0)
    expect(main.locator(".katex, strong:text-is('bold'), strong:text-is('b')")).to_have_count(0)
    assert "Traceback" not in screens.said(page)
