"""From the start page to the verdict, and every way back to it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser import screens, serving
from tests.browser.conftest import Watch, visitor

WORKED = {"c": "Charged twice", "q": "charged-twice"}


def test_the_first_click_leads_to_the_verdict_on_the_worked_example(page: Page, base: str) -> None:
    screens.go(page, base)
    page.get_by_role("main").get_by_role("link", name="Charged twice").first.click()
    expect(page.get_by_role("heading", name=screens.CHECKED)).to_be_visible()
    kept = screens.selector_row(page, "marginal gain")
    expect(kept).to_contain_text("2,090")
    expect(kept).to_contain_text("1,910 left")
    expect(kept).to_contain_text("6 of 6")
    everything = screens.selector_row(page, "top-k")
    expect(everything).to_contain_text("8,235")
    expect(everything).to_contain_text("4,235 over")
    assert screens.ledger_ranks(page) == list(range(1, 21))
    second = screens.ledger_row(page, 2)
    expect(second.get_by_role("cell", name="out", exact=True)).to_have_count(1)
    expect(second).to_contain_text("rank 1")
    for rank in (1, 3, 4, 6, 13):
        out = screens.ledger_row(page, rank).get_by_role("cell", name="out", exact=True)
        expect(out).to_have_count(0)


def test_a_higher_demand_leaves_one_passage_and_then_none(page: Page, base: str) -> None:
    screens.go(page, base, "question", **WORKED)
    for demand, passages, tokens in ((2, 1, "410"), (3, 0, "0")):
        screens.set_parameter(
            page, selector="marginal gain", parameter="min new claims", value=demand
        )
        cells = screens.selector_row(page, "marginal gain").get_by_role("cell")
        expect(cells.nth(0)).to_have_text(re.compile(rf"^{passages}\b"))
        expect(cells.nth(1)).to_have_text(re.compile(rf"^{tokens}\b"))
        admitted = [
            rank
            for rank in screens.ledger_ranks(page)
            if screens.ledger_row(page, rank).get_by_role("cell", name="out", exact=True).count()
            == 0
        ]
        assert admitted == list(range(1, passages + 1))


def test_a_copied_link_opens_the_same_screen_for_a_colleague(
    page: Page, chromium: Browser, base: str, watch: Watch
) -> None:
    screens.go(page, base, "question", **WORKED, s=["marginal_gain", "mmr(lambda_=0.3)"])
    budget = page.get_by_role("spinbutton", name="Budget in tokens")
    budget.fill("1600")
    budget.press("Enter")
    expect(screens.selector_row(page, "marginal gain")).not_to_contain_text("2,090")
    screens.open_view(page, "by rank")
    mine = screens.screen(page)
    link = screens.copied_link(page)
    with visitor(chromium, watch) as colleague:
        colleague.goto(link)
        screens.shows(colleague, mine)


def test_back_and_forward_restore_what_was_set(page: Page, base: str) -> None:
    screens.go(page, base, "question", **WORKED)
    before = screens.screen(page)
    budget = page.get_by_role("spinbutton", name="Budget in tokens")
    budget.fill("1000")
    budget.press("Enter")
    expect(screens.selector_row(page, "marginal gain")).not_to_contain_text("2,090")
    after = screens.screen(page)
    page.go_back()
    expect(screens.selector_row(page, "marginal gain")).to_contain_text("2,090")
    screens.shows(page, before)
    page.go_forward()
    expect(screens.selector_row(page, "marginal gain")).not_to_contain_text("2,090")
    screens.shows(page, after)


def test_the_keys_n_and_p_lead_to_the_neighbours(page: Page, base: str) -> None:
    screens.go(page, base, "question", c="Help-centre regressions")
    title = page.get_by_role("heading", level=1)
    first = title.inner_text()
    page.wait_for_timeout(1500)  # a button listens for its key a moment after it is drawn
    page.keyboard.press("n")
    expect(page.get_by_text("2 of 240")).to_be_visible()
    expect(title).not_to_have_text(first)
    page.keyboard.press("p")
    expect(page.get_by_text("1 of 240")).to_be_visible()
    expect(title).to_have_text(first)


def test_the_first_request_of_a_fresh_server_may_be_a_deep_link(
    page: Page, built_in: Path, tmp_path: Path
) -> None:
    fresh = tmp_path / "fresh.sqlite"
    shutil.copy(built_in, fresh)
    with serving.dashboard(fresh, log=tmp_path / "server.log") as base:
        screens.go(page, base, "question", **WORKED, budget="1600")
        expect(page.get_by_role("navigation").get_by_role("link", name="Home")).to_be_visible()
        expect(page.get_by_role("heading", name=screens.CHECKED)).to_be_visible()
        assert screens.ledger_ranks(page) == list(range(1, 21))
        expect(page.get_by_role("spinbutton", name="Budget in tokens")).to_have_value("1600")
        expect(page.get_by_text("Page not found")).to_have_count(0)
        page.goto("about:blank")
