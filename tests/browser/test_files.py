"""Files that stand alone: downloaded by a click, and opened without a server in either mode."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser import screens

STORY = {"c": "Charged twice", "q": "charged-twice"}
REVIEW = {"c": "Help-centre regressions"}


class File(NamedTuple):
    """Where a file comes from, and what it must say: lines are rows or questions that open."""

    room: str
    query: dict[str, str]
    button: str
    heading: str
    lines: int


FILES = (
    File("story", STORY, "As a file", "Why was I charged twice", 20),
    File("brief", REVIEW, "As a file", "From k=8 to k=20", 71),
    File("regressions", REVIEW, "HTML", "from k=8 to k=20", 71),
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.room)
def test_one_click_gives_a_file_that_opens_by_itself(
    page: Page, base: str, tmp_path: Path, file: File
) -> None:
    screens.go(page, base, file.room, **file.query)
    with page.expect_download() as waiting:
        page.get_by_role("button", name=file.button).click()
    saved = tmp_path / "file.html"
    waiting.value.save_as(saved)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    papers = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(saved.as_uri())
        expect(page.get_by_role("heading", level=1)).to_contain_text(file.heading)
        assert Axe().run(page).response["violations"] == []
        papers.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert asked == [saved.as_uri()] * 2
    assert len(papers) == 2
    for closed in page.locator("details:not([open]) > summary").all()[:1]:
        closed.click()
    table = page.get_by_role("table").first
    expect(table).to_be_visible()
    assert page.get_by_role("main").evaluate(
        "(main) => main.scrollWidth <= document.documentElement.clientWidth"
    )
    assert page.locator("tbody tr, details.q").count() >= file.lines


def test_a_figure_of_the_brief_leads_to_a_question_under_both_settings(
    page: Page, base: str
) -> None:
    screens.go(page, base, "brief", **REVIEW)
    page.get_by_role("button", name="71 of 240").click()
    expect(page.get_by_role("heading", name="Got worse: 71")).to_be_visible()
    assert "figure=worse" in page.url
    page.reload()
    expect(page.get_by_role("heading", name="Got worse: 71")).to_be_visible()
    rows = page.get_by_test_id("stDataFrame")
    expect(rows).to_be_visible()
    box = rows.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 200, box["y"] + 55)
    expect(screens.headline(page)).to_be_visible()
    expect(screens.selector_row(page, "k=8")).to_be_visible()
    expect(screens.selector_row(page, "k=20")).to_be_visible()
