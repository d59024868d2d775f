"""The whole review by keyboard and mouse, and by two people at the same moment."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from storage.engine import connect
from storage.reviews import reviews
from tests.browser import screens, serving
from tests.browser.conftest import Watch, visitor

HELP = "Help-centre regressions"
pytestmark = pytest.mark.heavy


def press(page: Page, key: str) -> None:
    """Press a key of the page, with nothing that takes letters in focus, and wait for the run."""
    page.evaluate("document.activeElement && document.activeElement.blur()")
    page.keyboard.press(key)
    page.wait_for_timeout(300)
    screens.settled(page)


def reviewed(page: Page, many: int) -> None:
    expect(page.get_by_text(f"{many} of 71 reviewed")).to_be_visible()


def history(database: Path, question: str) -> list[tuple[str, str]]:
    """Reviewer and verdict of each row of a question's history."""
    opened = connect(serving.database_url(database))
    try:
        now = reviews(opened, HELP).get(question)
        return [(row.reviewer, row.verdict) for row in now.history] if now else []
    finally:
        opened.close()


def case_of(page: Page) -> str:
    """The id of the question under review."""
    return str(page.locator(".case-head .unit").first.inner_text())


def test_a_review_by_keyboard_and_mouse_is_still_there_after_a_reload(
    page: Page, base: str, database: Path
) -> None:
    screens.go(page, base, "regressions", c=HELP)
    expect(page.get_by_text("71 of 240 questions got worse")).to_be_visible()
    page.get_by_role("button", name="Crowded", exact=True).click()
    screens.settled(page)
    expect(page.get_by_text("63 in this list")).to_be_visible()

    first = case_of(page)
    note = page.get_by_placeholder("Note, saved with the verdict that you press next")
    note.fill("the copies of last year")
    note.press("Enter")
    screens.settled(page)
    press(page, "1")
    reviewed(page, 1)
    expect(page.get_by_text("the copies of last year").first).to_be_visible()

    press(page, "o")
    second = case_of(page)
    assert second != first

    group = page.get_by_role("button", name=re.compile(r"^Count for all \d+ of its group"))
    while not group.count():
        press(page, "j")
    many = int(re.search(r"\d+", group.inner_text()).group())  # type: ignore[union-attr]
    press(page, "g")
    press(page, "6")
    reviewed(page, 1 + many)
    leader = case_of(page)

    page.reload()
    screens.settled(page)
    reviewed(page, 1 + many)
    assert case_of(page) == leader
    expect(page.get_by_text("63 in this list")).to_be_visible()
    assert history(database, leader) == [("local", "articles contradict")]

    press(page, "u")
    reviewed(page, 1)
    assert [verdict for _, verdict in history(database, leader)] == ["articles contradict", ""]
    assert history(database, first) == [("local", "crowded out")]


def test_two_people_who_save_at_the_same_moment_are_both_in_the_history(
    chromium: Browser, watch: Watch, base: str, database: Path
) -> None:
    with visitor(chromium, watch) as one, visitor(chromium, watch) as other:
        for page, name in ((one, "Ann"), (other, "Ben")):
            screens.go(page, base, "regressions", c=HELP, diagnosis="without_evidence")
            field = page.get_by_placeholder("Your name")
            field.fill(name)
            field.press("Enter")
            screens.settled(page)
        question = case_of(one)
        assert case_of(other) == question
        one.get_by_role("button", name=re.compile("^never retrieved")).click(no_wait_after=True)
        other.get_by_role("button", name=re.compile("^label or gold")).click(no_wait_after=True)
        for page in (one, other):
            page.wait_for_timeout(1500)
            screens.settled(page)
        assert sorted(history(database, question)) == [
            ("Ann", "never retrieved"),
            ("Ben", "label or gold is wrong"),
        ]
        one.reload()
        screens.settled(one)
        expect(one.get_by_text("Ben", exact=False).first).to_be_visible()


def test_a_question_goes_to_the_gate_and_the_command_checks_it(
    page: Page, base: str, database: Path
) -> None:
    screens.go(page, base, "regressions", c=HELP, diagnosis="crowded")
    before = page.get_by_text(re.compile(r"\d+ of 71 reviewed")).first.inner_text()
    page.get_by_role("button", name=re.compile("^crowded out")).click()
    reviewed(page, int(re.search(r"\d+", before).group()) + 1)  # type: ignore[union-attr]
    page.get_by_role("button", name="Add to the gate").click()
    page.get_by_test_id("stPopoverBody").get_by_role("button", name="Add to the gate").click()
    expect(page.get_by_role("button", name="In the gate")).to_be_visible()
    document = json.loads(serving.command_line(database, "gate", "--cases", "--json"))
    assert (document["passed"], document["held"]) == (True, 1)
