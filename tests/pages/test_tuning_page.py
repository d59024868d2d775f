"""Tuning: every part opens on every kind of collection, and says what is so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import streamlit as st

from pages.ui.known_pools import known_pools
from storage.engine import Database
from storage.imports import import_files
from tests.pages import rooms

LOOKS = ("drops", "sure", "plane", "judge", "advice", "use")


def test_the_worked_example_says_that_one_is_the_last_safe_value(samples: Database) -> None:
    page = rooms.open_page("tuning", c="Charged twice")
    assert not page.exception
    words = rooms.said(page)
    assert "min new claims 1 is the last safe value" in words
    assert "At 2, 4 facts go in 1 of 1 question" in words
    assert "4 of them hang on a passage that adds one claim only" in words


def test_raising_the_knob_of_the_help_centre_names_the_exceptions(
    samples: Database,
) -> None:
    page = rooms.open_page("tuning", c="Help-centre regressions")
    assert not page.exception
    table = page.dataframe[0].value
    lost = table[table["effect"] == "lost"]
    assert len(lost) == 132
    assert (lost["one-claim passage"] == "yes").all()


@pytest.mark.parametrize("look", LOOKS)
def test_every_part_opens(samples: Database, look: str) -> None:
    for name in ("Charged twice", "Finance pools"):
        page = rooms.open_page("tuning", c=name, look=look)
        assert not page.exception, (name, look)
        assert not page.error


def test_a_knob_that_never_binds_is_said_in_one_sentence(samples: Database) -> None:
    page = rooms.open_page("tuning", c="Charged twice", s="top_k(k=0)", knob="tokens")
    assert "never binds here" in rooms.said(page)

    assert not page.dataframe


def test_a_picked_exception_opens_with_the_settings_before_and_after(samples: Database) -> None:
    page = rooms.picked(rooms.open_page("tuning", c="Charged twice"), 0)
    assert not page.exception
    words = rooms.said(page)
    assert "Why was I charged twice for the same order?" in words
    assert "marginal gain, min new claims 1" in words
    assert "marginal gain, min new claims 2" in words


def test_texts_alone_show_risk_and_a_profile(database: Database, tmp_path: Path) -> None:
    texts = ["A refund takes 30 days.", "A refund takes 14 days.", "We are open on Sunday."]
    record = {"question": "How long?", "passages": [{"text": text} for text in texts]}
    file = tmp_path / "texts.jsonl"
    file.write_text(json.dumps(record), encoding="utf-8")
    import_files(database, [file], collection="Texts", format="jsonl")
    page = rooms.open_page("tuning", c="Texts", budget="none")
    assert not page.exception
    assert "this is risk, not loss" in rooms.said(page)
    assert any("1 conflict: equal but for a number" in one.label for one in page.expander)
    page = rooms.open_page("tuning", c="Texts", look="advice")
    assert "By repetition these pools look most like" in rooms.said(page)


def test_a_large_collection_is_read_by_its_numbers(
    samples: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = rooms.said(rooms.open_page("tuning", c="Help-centre regressions"))
    monkeypatch.setattr("storage.tunable.MANY", 100)
    monkeypatch.setattr("pages.ui.tuning.MANY", 100)
    st.cache_resource.clear()
    page = rooms.open_page("tuning", c="Help-centre regressions")
    assert not page.exception
    safe = "At 2, 132 facts go in 129 of 240 questions"
    assert safe in whole
    assert safe in rooms.said(page)
    for look in ("judge", "use"):
        assert not rooms.open_page("tuning", c="Help-centre regressions", look=look).exception


@pytest.mark.heavy
@pytest.mark.parametrize("selector", ["marginal_gain", "mmr"])
def test_public_sets_go_through_every_part(
    database: Database, shared_data: Path, selector: str
) -> None:
    few = ("drops", "sure", "use")
    for name, folder, looks in (("musique", "musique", LOOKS), ("trec-ts", "trec_ts_2013", few)):
        files = sorted(
            path for path in (shared_data / folder).iterdir() if path.suffix in (".json", ".tsv")
        )
        import_files(database, files, collection=name, format=name)
        for look in looks:
            page = rooms.open_page("tuning", c=name, look=look, s=selector)
            assert not page.exception, (name, look)


@pytest.mark.parametrize("look", LOOKS)
def test_a_limit_that_is_not_set_can_be_turned(samples: Database, look: str) -> None:
    page = rooms.open_page("tuning", c="Charged twice", knob="passages", budget="none", look=look)
    assert not page.exception


def test_code_that_loses_facts_says_so_beside_it(samples: Database) -> None:
    page = rooms.open_page("tuning", c="Charged twice", look="use", **{"try": "2"})
    assert "4 facts that 1 sends are missing, in 1 of 1 question" in rooms.said(page)
    page = rooms.open_page("tuning", c="Charged twice", look="use")
    assert "not free" not in rooms.said(page)


def test_what_the_address_cannot_mean_falls_back(samples: Database) -> None:
    page = rooms.open_page(
        "tuning", c="Charged twice", knob="nope", look="nope", measure="nope", try_="nope"
    )
    assert not page.exception
    assert "is the last safe value" in rooms.said(page)


def test_the_figures_of_public_pools_are_those_of_their_page() -> None:
    found = {one.name: one for one in known_pools()}
    page = (Path(__file__).resolve().parents[2] / "docs" / "real_pools.md").read_text("utf-8")
    assert len(found) == 4
    for one in found.values():
        assert f"`{one.best}`" in page
        assert f"{one.gain:+.3f} [{one.low:+.3f}, {one.high:+.3f}]" in page
