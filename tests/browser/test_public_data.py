"""Questions that nobody here wrote: imported by command, opened in a browser, counted twice."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screens, serving

BUDGET = "800"
SELECTORS = (
    "top_k(k=5, overflow='skip')",
    "marginal_gain(min_new_claims=1)",
    "top_k(k=1000, overflow='overspend')",
)
"""The last one sends the whole pool."""
OPENED = (0, 17, 39)
SETS = {
    "MuSiQue": ("musique", "musique_train_000-039.json"),
    "HotpotQA": ("hotpotqa", "hotpotqa_train_000-039.json"),
}


@pytest.fixture(scope="module", params=list(SETS))
def collection(request: pytest.FixtureRequest, shared_data: Path, database: Path) -> str:
    """The name of a public collection, imported as a person would."""
    name = str(request.param)
    format, file = SETS[name]
    path = shared_data / format / file
    serving.command_line(
        database, "import", str(path), "--format", format, "--collection", name, "--json"
    )
    return name


@pytest.fixture(scope="module")
def compared(collection: str, database: Path) -> dict[str, Any]:
    """What the command line says of the same selectors under the same budget."""
    chosen = [word for spec in SELECTORS for word in ("--selector", spec)]
    printed = serving.command_line(
        database, "compare", "--collection", collection, *chosen, "--budget", BUDGET, "--json"
    )
    document: dict[str, Any] = json.loads(printed)
    return document


def test_a_public_question_has_a_full_ledger_and_the_figures_of_the_command_line(
    page: Page, base: str, collection: str, compared: dict[str, Any]
) -> None:
    for place in OPENED:
        rows = [one["questions"][place] for one in compared["selectors"]]
        (question,) = {row["question"] for row in rows}
        screens.go(
            page, base, "question", c=collection, q=question, s=list(SELECTORS), budget=BUDGET
        )
        expect(page.get_by_text(f"{place + 1} of 40")).to_be_visible()
        whole = rows[-1]["ranks"]
        assert len(whole) >= 10
        assert screens.ledger_ranks(page) == whole
        shown = screens.headline(page).get_by_role("row").filter(has_text=re.compile(r"^\s*\d"))
        assert shown.count() == len(rows)
        for row, line in zip(rows, map(screens.spoken, shown.all()), strict=True):
            found = re.search(r"(\d+) of (\d+)", line)
            assert found, line
            assert int(found[1]) / int(found[2]) == pytest.approx(row["measures"]["claim_recall"])
            assert f"{int(row['measures']['tokens']):,}" in line


def test_every_view_and_page_opens_on_a_public_question(
    page: Page, base: str, collection: str, compared: dict[str, Any]
) -> None:
    question = compared["selectors"][0]["questions"][OPENED[0]]["question"]
    for path in ("", "questions", "question", "story", "comparisons", "data"):
        screens.go(page, base, path, c=collection, q=question)
        said = screens.said(page)
        assert said.strip(), path
        assert "Traceback" not in said, path
        assert "Error" not in said, path
        if path == "question":
            for view in screens.VIEWS:
                screens.open_view(page, view)
                assert "Traceback" not in screens.said(page), view
