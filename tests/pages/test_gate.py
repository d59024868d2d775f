"""Who may: every page and every write asks the same gate, and a team sees its own collections."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import cache, frame, gate
from storage.access import Forbidden, Role
from storage.engine import Database, DatabaseError
from storage.queries import collections
from storage.removal import remove_collection
from tests.pages import rooms

ADA, BOB, EVE = "ada@a.example", "bob@b.example", "eve@evil.example"
RULES = f"""
[people]
"{ADA}" = "editor"
"@b.example" = "viewer"

[collections]
"Team A" = ["{ADA}"]
"Team B" = ["@b.example"]
"""
ROOMS = [room.name for room in frame.ROOMS if frame.has_room(room.name)]
WRITES = ("Delete", "Import", "Save comparison", "Run again", "Rename", "Bring back", "Files")


@pytest.fixture
def teams(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Two collections of two teams, and one that everybody sees."""
    for name in ("Team A", "Team B", "Shared"):
        record = rooms.plain(f"Secret of {name}?", "One. Two.", "Two. Three.")
        rooms.store(database, [record], tmp_path, name=name)
    file = tmp_path / "access.toml"
    file.write_text(RULES, encoding="utf-8")
    monkeypatch.setenv("SELECTION_ACCESS", str(file))
    return database


def opened(room: str, address: str, *, checked: bool = True, **query: str) -> AppTest:
    """A room as somebody who has signed in sees it."""
    page = AppTest.from_file(str(rooms.ROOT / "app.py"), default_timeout=30)
    page.user = {"is_logged_in": True, "email": address, "email_verified": checked}
    page.session_state["framed"] = True
    page.switch_page(f"pages/{room}.py")
    for name, value in query.items():
        page.query_params[name] = value
    return page.run()


def everything(page: AppTest) -> str:
    """All that is said, and all that can be chosen."""
    chosen = [str(option) for one in page.selectbox for option in one.options]
    return "\n".join([rooms.said(page), *chosen, *(label for label, _, _ in rooms.links(page))])


@pytest.mark.parametrize("room", ROOMS)
def test_no_page_shows_one_team_what_is_the_other_s(teams: Database, room: str) -> None:
    page = opened(room, BOB, c="Team A", q="q1")
    assert not page.exception
    assert "Team A" not in everything(page)


@pytest.mark.parametrize("room", ROOMS)
def test_who_has_no_role_sees_nothing_of_any_page(
    teams: Database, room: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "opened", lambda: pytest.fail("read for somebody without a role"))
    page = opened(room, EVE)
    assert not page.exception
    assert "no role" in rooms.said(page)


def test_an_address_that_the_provider_has_not_checked_gives_no_role(teams: Database) -> None:
    assert "no role" in rooms.said(opened("home", ADA, checked=False))


def test_a_team_sees_its_own_and_what_everybody_sees(teams: Database) -> None:
    said = everything(opened("data", BOB))
    assert "Team B" in said
    assert "Shared" in said


def offers(page: AppTest) -> set[str]:
    """The ways to write that a page offers."""
    labels = [one.label for one in page.button]
    labels += [one.proto.popover.label for one in page.get("popover")]
    labels += [one.proto.label for one in page.get("file_uploader")]
    return {label for label in labels if label.startswith(WRITES)}


@pytest.mark.parametrize("room", ROOMS)
def test_a_viewer_is_offered_no_way_to_write(teams: Database, room: str) -> None:
    page = opened(room, BOB, c="Team B")
    assert not page.exception
    assert offers(page) == set()


@pytest.mark.parametrize(("room", "offered"), [("data", "Delete"), ("question", "Save comparison")])
def test_an_editor_is_offered_the_ways_to_write(teams: Database, room: str, offered: str) -> None:
    assert offered in offers(opened(room, ADA, c="Team A"))


def test_rules_without_a_provider_let_nobody_in(teams: Database) -> None:
    page = rooms.open_page("data")
    assert "nobody can sign in" in rooms.said(page)
    assert "Team" not in rooms.said(page).replace("Team,", "")


def test_broken_rules_let_nobody_in(
    teams: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "access.toml").write_text("people = 5", encoding="utf-8")
    page = opened("data", ADA)
    assert "nobody is let in" in rooms.said(page)
    assert "Shared" not in rooms.said(page)


def test_a_write_that_nobody_asked_for_is_refused(database: Database) -> None:
    with pytest.raises(DatabaseError, match="nothing was changed"):
        remove_collection(cache.engine(), "anything")


def test_a_read_only_demo_is_read(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms.store(database, [rooms.plain("Why?", "Because.")], tmp_path, name="Mine")
    monkeypatch.setenv("SELECTION_READ_ONLY", "1")
    page = rooms.open_page("data")
    assert "Mine" in rooms.said(page)
    assert offers(page) == set()
    with pytest.raises(Forbidden, match="needs the role of editor"):
        gate.require(Role.EDITOR)
    assert [one.name for one in collections(database)] == ["Mine"]


def test_on_one_s_own_machine_everything_may_be_done() -> None:
    assert gate.require(Role.EDITOR).name == gate.LOCAL
