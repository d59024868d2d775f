"""The access rules: what the file grants, what it does not, and what is no file of rules."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from storage.access import AccessError, Role, parse_rules, rules

DOCUMENT: dict[str, Any] = {
    "people": {"Ada@Example.com": "editor", "@example.com": "viewer", "eve@example.com": "nobody"},
    "collections": {"Team A*": ["ada@example.com"], "Team *": ["@team-b.example"]},
}


@pytest.mark.parametrize(
    ("address", "role"),
    [
        ("ada@example.com", Role.EDITOR),
        ("ADA@example.com", Role.EDITOR),
        ("bob@example.com", Role.VIEWER),
        ("eve@example.com", Role.NOBODY),
        ("bob@example.com.evil.org", Role.NOBODY),
        ("bob@evil.org", Role.NOBODY),
        ("@example.com", Role.VIEWER),
        ("example.com", Role.NOBODY),
        ("", Role.NOBODY),
    ],
)
def test_an_address_has_its_own_role_else_that_of_its_domain(address: str, role: Role) -> None:
    assert parse_rules(DOCUMENT).role(address) is role


def test_the_first_pattern_that_fits_a_collection_decides_who_sees_it() -> None:
    now = parse_rules(DOCUMENT)
    assert now.sees("ada@example.com", "Team A, July")
    assert not now.sees("bob@team-b.example", "Team A, July")
    assert now.sees("bob@team-b.example", "Team B")
    assert not now.sees("ada@example.com", "Team B")
    assert now.sees("anybody@example.com", "Berlin")


def test_read_only_leaves_reading_and_gives_nobody_more() -> None:
    now = parse_rules({**DOCUMENT, "read_only": True})
    assert now.role("ada@example.com") is Role.VIEWER
    assert now.role("eve@example.com") is Role.NOBODY
    assert now.capped(Role.EDITOR) is Role.VIEWER


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ({"peoples": {}}, "peoples"),
        ({"people": ["ada@example.com"]}, "people"),
        ({"people": {"ada@example.com": "owner"}}, "owner"),
        ({"people": {"ada@example.com": 3}}, "3"),
        ({"people": {"ada": "viewer"}}, "ada"),
        ({"people": {"@": "viewer"}}, "'@'"),
        ({"collections": {"A": "ada@example.com"}}, "'A'"),
        ({"collections": {"A": [5]}}, "5"),
        ({"read_only": "yes"}, "read_only"),
    ],
)
def test_what_is_no_rule_is_refused_by_name(document: dict[str, Any], named: str) -> None:
    with pytest.raises(AccessError, match=f"{named}.*nobody is let in"):
        parse_rules(document)


def test_a_file_is_read_again_when_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "access.toml"
    monkeypatch.setenv("SELECTION_ACCESS", str(file))
    file.write_text('[people]\n"ada@example.com" = "editor"\n', encoding="utf-8")
    assert rules().role("ada@example.com") is Role.EDITOR
    file.write_text('[people]\n"ada@example.com" = "viewer"\n', encoding="utf-8")
    os.utime(file, ns=(1, 1))
    assert rules().role("ada@example.com") is Role.VIEWER


def test_a_file_that_is_missing_or_broken_lets_nobody_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "access.toml"
    monkeypatch.setenv("SELECTION_ACCESS", str(file))
    with pytest.raises(AccessError, match="nobody is let in"):
        rules()
    file.write_text("people = [", encoding="utf-8")
    with pytest.raises(AccessError, match="nobody is let in"):
        rules()


def test_the_environment_closes_a_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SELECTION_READ_ONLY", "1")
    assert rules().read_only
