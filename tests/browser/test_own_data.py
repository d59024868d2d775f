"""A team that brings nothing but texts, and opens everything there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screens

TEXTS = (
    {
        "question": "How long do I have to return a jacket?",
        "passages": [
            "Jackets can be returned within 30 days. The label must still be on.",
            "Jackets can be returned within 30 days. Shoes can be returned within 14 days.",
            "Sale items can be exchanged, not returned.",
            "Jackets can be returned within 30 days. The label must still be on.",
        ],
    },
    {
        "question": "Who pays for the way back?",
        "passages": ["The sender pays.", "We pay for parcels within the country. The sender pays."],
    },
)


@pytest.fixture
def texts_only(tmp_path: Path) -> Path:
    path = tmp_path / "our questions.jsonl"
    lines = (json.dumps(record) for record in TEXTS)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_file_of_texts_gives_a_full_question_page(
    page: Page, base: str, texts_only: Path
) -> None:
    screens.go(page, base, "data")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload", exact=True).click()
    chooser.value.set_files(texts_only)
    page.get_by_role("button", name=re.compile("Import$")).click()
    page.get_by_role("link", name="Open the first question").click()
    expect(page.get_by_role("heading", name=str(TEXTS[0]["question"]))).to_be_visible()
    assert screens.ledger_ranks(page) == [1, 2, 3, 4]
    expect(screens.headline(page).get_by_role("row")).to_have_count(3)
    for view in screens.VIEWS:
        screens.open_view(page, view)
        said = screens.said(page)
        assert "n/a" not in said, view
        assert "Traceback" not in said, view
    expect(page.get_by_text("computed").first).to_be_visible()


def test_a_file_with_mistakes_says_where_and_stores_nothing(
    page: Page, base: str, tmp_path: Path
) -> None:
    path = tmp_path / "mistakes.jsonl"
    path.write_text('{"question": "Why?", "passages": [{"text": 5}]}\n', encoding="utf-8")
    screens.go(page, base, "data")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload", exact=True).click()
    chooser.value.set_files(path)
    for words in ("line 1", "text", "nothing (can be|was) stored"):
        expect(page.get_by_role("main")).to_contain_text(re.compile(words, re.IGNORECASE))
    offered = page.get_by_role("button", name=re.compile("Import$"), disabled=False)
    expect(offered).to_have_count(0)
    expect(page.get_by_role("heading", name="mistakes")).to_have_count(0)
