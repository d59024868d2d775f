"""What a person finds on a screen, by role and by word: no test ids, no places."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

CHECKED = "Why was I charged twice for the same order?"
VIEWS = ("Ledger", "by rank", "Tokens against", "Texts", "Step through")


def go(page: Page, base: str, path: str = "", **query: str | Sequence[str]) -> None:
    """Open an address, and wait until the page has said something and is at rest."""
    page.goto(f"{base}/{path}?{urlencode(query, doseq=True)}" if query else f"{base}/{path}")
    settled(page)


def settled(page: Page) -> None:
    """Wait for a heading, and for the end of the run that draws it, as Streamlit's root says."""
    expect(page.get_by_role("main").get_by_role("heading").first).to_be_visible()
    expect(page.locator('[data-test-script-state="notRunning"]')).to_be_attached()


def headline(page: Page) -> Locator:
    """The table of what each selector sends."""
    return page.get_by_role("table", name="What each selector sends")


def selector_row(page: Page, name: str) -> Locator:
    return headline(page).get_by_role("row").filter(has_text=re.compile(name, re.IGNORECASE))


def ledger(page: Page) -> Locator:
    return page.get_by_role("table", name=re.compile("by rank, and what each selector decided"))


def ledger_row(page: Page, rank: int) -> Locator:
    """The row of one rank."""
    head = page.get_by_role("rowheader", name=str(rank), exact=True)
    return ledger(page).get_by_role("row").filter(has=head)


def ledger_ranks(page: Page) -> list[int]:
    """Every rank that the ledger has a row for, from top to bottom."""
    expect(ledger(page)).to_be_visible()
    heads = ledger(page).get_by_role("rowheader").all_inner_texts()
    return [int(head) for head in heads if head.strip().isdigit()]


def said(page: Page) -> str:
    """Everything that is written on the page below the menu."""
    return page.get_by_role("main").inner_text()


def spoken(row: Locator) -> str:
    """A row as a screen reader says it: unlike its bare text, what stands apart is kept apart."""
    return row.aria_snapshot().splitlines()[0]


def view(page: Page, name: str) -> Locator:
    """The button of one view of the Question page, by a part of its name."""
    return page.get_by_role("radio", name=re.compile(name))


def open_view(page: Page, name: str) -> None:
    """Open one view; the radio itself lies under its words."""
    view(page, name).locator("xpath=..").get_by_text(re.compile(name)).first.click()
    expect(view(page, name)).to_be_checked()
    settled(page)


def set_parameter(page: Page, *, selector: str, parameter: str, value: int) -> None:
    """Open a selector's chip, type a value, and close the chip again."""
    chip = page.get_by_role("button", name=re.compile(rf"^\d {selector}"))
    chip.click()
    box = page.get_by_role("spinbutton", name=re.compile(parameter, re.IGNORECASE))
    box.fill(str(value))
    box.press("Enter")
    expect(
        page.get_by_role("button", name=re.compile(rf"^\d {selector}.*{value}$"))
    ).to_be_visible()
    page.keyboard.press("Escape")
    settled(page)


def copied_link(page: Page) -> str:
    """What "Copy link" offers to copy."""
    page.get_by_role("button", name="Copy link").click()
    link = page.get_by_role("code").filter(has_text="http").first
    expect(link).to_be_visible()
    return link.inner_text().strip()


def screen(page: Page) -> Mapping[str, str]:
    """What two visitors of the same address must both see."""
    settled(page)
    expect(headline(page)).to_be_visible()
    return {
        "question": page.get_by_role("heading", level=1).inner_text(),
        "budget": page.get_by_role("spinbutton", name="Budget in tokens").input_value(),
        "headline": headline(page).inner_text(),
        "view": page.get_by_role("radio", checked=True).first.inner_text(),
        "body": page.get_by_role("main").get_by_role("table").last.inner_text(),
    }


def shows(page: Page, expected: Mapping[str, str], *, patience: float = 20.0) -> None:
    """Wait until the screen is the expected one; where it never is, show how it differs."""
    end = time.monotonic() + patience
    while screen(page) != expected and time.monotonic() < end:
        page.wait_for_timeout(200)
    assert screen(page) == expected
