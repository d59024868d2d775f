"""The frame: which rooms are shown, who may look, and the two modes of the theme."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import cache, frame
from pages.ui.lanes import HUES
from tests.pages import factories
from tests.pages.conftest import ROOT, serve


def test_a_room_is_shown_once_its_file_exists() -> None:
    assert frame.has_room("question")
    assert not frame.has_room("nowhere")


def test_every_file_under_pages_is_a_known_room() -> None:
    files = {file.stem for file in (ROOT / "pages").glob("*.py")} - {"__init__"}
    assert files <= {room.name for room in frame.ROOMS}


@pytest.mark.parametrize(
    "now", ["http://host:1/base", "http://host:1/base/question", "http://host:1/base/home?c=A"]
)
def test_the_address_of_a_room_is_the_same_from_every_room(now: str) -> None:
    first = next(room.name for room in frame.ROOMS if frame.has_room(room.name))
    other = "question" if first != "question" else "questions"
    assert frame.place(now, other) == f"http://host:1/base/{other}"
    assert frame.place(now, first) == "http://host:1/base/"


def test_no_page_has_the_name_of_a_standard_module() -> None:
    import sys

    assert not {room.name for room in frame.ROOMS} & sys.stdlib_module_names


def test_every_page_passes_through_the_frame_before_it_reads_anything() -> None:
    for room in frame.ROOMS:
        if frame.has_room(room.name):
            source = (ROOT / "pages" / f"{room.name}.py").read_text(encoding="utf-8")
            body = re.split(r"^def main\(\) -> None:\n", source, flags=re.MULTILINE)[1]
            assert "frame.ensure_frame(" in body.splitlines()[0]


def test_nothing_is_read_before_somebody_has_signed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    serve(monkeypatch, factories.worked_example())
    monkeypatch.setattr(cache, "collections", lambda: pytest.fail("read before signing in"))
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)
    page.user = {"is_logged_in": False}
    page.session_state["framed"] = True
    page.switch_page("pages/question.py").run()
    assert not page.exception
    assert page.button[0].label == "Sign in"
    assert not page.html


def test_who_has_signed_in_and_has_a_role_is_let_through(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rules = tmp_path / "access.toml"
    rules.write_text('[people]\n"@example.com" = "viewer"\n', encoding="utf-8")
    monkeypatch.setenv("SELECTION_ACCESS", str(rules))
    serve(monkeypatch, factories.worked_example())
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)
    page.user = {"is_logged_in": True, "email": "ada@example.com"}
    page.session_state["framed"] = True
    page.switch_page("pages/question.py").run()
    assert page.html


def test_unsafe_html_is_nowhere() -> None:
    for file in (ROOT / "pages").rglob("*.py"):
        assert "unsafe_allow" not in file.read_text(encoding="utf-8"), file


def test_hues_are_those_of_the_charts_and_neither_green_nor_the_colour_of_warning() -> None:
    config = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    assert f"chartCategoricalColors = {list(HUES)}".replace("'", '"') in config
    assert not {"#009E73", "#D55E00"} & set(HUES)


def test_no_colour_of_the_style_sheet_is_bound_to_one_mode() -> None:
    css = Path(frame.STYLE).read_text(encoding="utf-8")
    assert not re.search(r"(?<![-\w])(color|background)\s*:\s*(white|black|#fff\b|#000\b)", css)
