"""Tuning: every part opens on every kind of collection, and says what is so."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.ui.known_pools import known_pools
from storage.engine import Database
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
