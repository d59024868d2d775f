"""The Window: slices that give way, a sweep of k in a real window, and the prompt to read."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import window_prompt
from storage.engine import Database
from tests.pages import reading, rooms


def opened(**address: str | list[str]) -> AppTest:
    page = rooms.open_page("window", c="Charged twice", **address)
    assert not page.exception
    return page


def table(page: AppTest, caption: str) -> list[list[str]]:
    return reading.rows(next(block.value for block in page.html if caption in block.value))


def test_it_says_what_gives_way_and_what_is_handed_back(samples: Database) -> None:
    words = rooms.said(opened())
    assert "it takes 3,400 from history, 800 from tools and 35 from answer" in words
    assert "1,910 go back to history" in words


def test_the_slices_stand_as_figures(samples: Database) -> None:
    found = {row[0]: row[1:] for row in table(opened(), "Slices of the window")[1:]}
    assert found["history"][:3] == ["4,000", "600", "at place 1"]
    assert found["retrieval"][3:] == ["8,235 +4,235", "2,090 −1,910"]


def test_a_slice_that_is_changed_goes_to_the_address_and_stays_when_the_budget_moves(
    samples: Database,
) -> None:
    page = opened()
    page.number_input(key="w-history-floor").set_value(700).run()
    assert "history:4000:700:1" in page.query_params["slice"]
    assert "3,300 from history" in rooms.said(page)
    page.selectbox(key="w-retrieval-place").set_value(1).run()
    assert "passages dropped" in rooms.said(page)
    page.number_input(key="w-budget").set_value(5000).run()
    found = {row[0]: row[1:] for row in table(page, "Slices of the window")[1:]}
    assert found["history"][:2] == ["4,000", "700"]
    assert found["retrieval"][0] == "5,000"


def test_the_sweep_names_the_k_from_which_another_slice_pays(samples: Database) -> None:
    page = opened(part="sweep")
    words = rooms.said(page)
    assert (
        "Up to k = 9 no slice gets less than it is allotted. From k = 10 on, another slice pays"
        in words
    )
    found = {row[0]: row[1:] for row in table(page, "The sweep as figures")[1:]}
    assert found["10"][:2] == ["4,025", "5 of 6"]
    assert found["10"][-1] == "it takes 25 from history"
    assert found["20"][2] == "7×"


def test_the_prompt_is_read_in_order_and_the_order_is_a_choice(samples: Database) -> None:
    page = opened(part="prompt", of="2")
    words = rooms.said(page)
    assert words.index("HC-1041, rank 1") < words.index("HC-1093, rank 13")
    assert "9,200 tokens: tools 1,200, history 5,910, passages 2,090" in words
    page = opened(part="prompt", of="1", order="edges")
    words = rooms.said(page)
    assert words.index("HC-1041, rank 1") < words.index("HC-1093, rank 13")
    rows = table(page, "gold passage")
    assert [row[0].split(":")[0] for row in rows[1:]] == ["rank 1", "rank 13"]
    assert rows[2][2] == "0", "the last before the question"


def test_the_prompt_as_a_text_holds_every_passage(samples: Database) -> None:
    page = opened(part="prompt", of="1")
    assert page.get("download_button")
    assert "(not stored)" in rooms.said(page)
    assert window_prompt.INSTRUCTION in rooms.said(page)


@pytest.mark.parametrize("part", ["slices", "sweep", "prompt"])
def test_texts_only_hostile_texts_and_empty_pools_open(
    database: Database, tmp_path: Path, part: str
) -> None:
    records = [
        rooms.plain("Nothing found?", id="none"),
        rooms.plain("One?", "Only this.", id="one"),
        rooms.plain(rooms.HOSTILE, *[f"{rooms.HOSTILE} {n}." for n in range(4)], id="many"),
    ]
    rooms.store(database, records, tmp_path, name="Plain")
    for name in ("none", "one", "many"):
        page = rooms.open_page("window", c="Plain", q=name, part=part)
        assert not page.exception
        rooms.assert_nothing_runs(page)


@pytest.mark.parametrize(
    "address",
    [
        {"slice": ["history:x:1:1", "nonsense", "tools:5:9:77"], "part": "sweep"},
        {"slice": "history:1", "order": "upwards", "of": "99", "part": "prompt"},
        {"budget": "none", "part": "sweep"},
        {"budget": "0", "part": "prompt"},
    ],
)
def test_an_address_that_means_nothing_shows_the_defaults(
    samples: Database, address: dict[str, str | list[str]]
) -> None:
    opened(**address)


@pytest.mark.parametrize("name", ["Finance pools", "Help-centre regressions"])
@pytest.mark.parametrize("part", ["slices", "sweep", "prompt"])
def test_every_built_in_collection_opens(samples: Database, name: str, part: str) -> None:
    page = rooms.open_page("window", c=name, part=part)
    assert not page.exception
