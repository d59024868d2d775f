"""Who may do what: roles of people, and which collections they see, as a settings file says.

The file is TOML, named by SELECTION_ACCESS, else `access.toml` beside app.py; docs/access.md shows
it. What it does not grant is not granted.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Any

from storage.engine import HOME


class Role(IntEnum):
    """What somebody may do; each may do what those before it may."""

    NOBODY = 0
    VIEWER = 1
    REVIEWER = 2
    EDITOR = 3

    @property
    def title(self) -> str:
        return self.name.lower()


class AccessError(ValueError):
    """A settings file that cannot be read as one, in a sentence."""


class Forbidden(ValueError):
    """Something that this person may not do, in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the file says. people: address or @domain -> role.

    collections: pattern of a name -> the addresses and @domains that see it; the first pattern that
    fits a name decides, and a name that none fits is seen by everybody who has a role.
    """

    people: Mapping[str, Role] = field(default_factory=dict)
    collections: Mapping[str, frozenset[str]] = field(default_factory=dict)
    read_only: bool = False

    @property
    def names_people(self) -> bool:
        """Whether the file expects that people sign in."""
        return bool(self.people or self.collections)

    def role(self, address: str) -> Role:
        """The role of an address: its own, else that of its domain, else nobody."""
        given = (self.people.get(one) for one in _names(address))
        return self.capped(next((one for one in given if one is not None), Role.NOBODY))

    def capped(self, role: Role) -> Role:
        """A role, lowered to reading where nothing may be written."""
        return min(role, Role.VIEWER) if self.read_only else role

    def sees(self, address: str, collection: str) -> bool:
        """Whether a collection is shown to an address that has a role."""
        for pattern, people in self.collections.items():
            if fnmatchcase(collection, pattern):
                return not people.isdisjoint(_names(address))
        return True


def _names(address: str) -> tuple[str, ...]:
    """What an address is listed under: itself and, where it has one, its @domain."""
    known = address.strip().lower()
    _, at, domain = known.rpartition("@")
    return (known, f"@{domain}") if at and domain else (known,) if known else ()


def rules() -> Rules:
    """The rules in force. The file is looked at each time: what it takes away is gone at once.

    SELECTION_READ_ONLY=1 lets nobody write, whatever the file says.

    :raises AccessError: where it cannot be read, or SELECTION_ACCESS names no file.
    """
    named = os.environ.get("SELECTION_ACCESS")
    path = Path(named) if named else HOME / "access.toml"
    closed = os.environ.get("SELECTION_READ_ONLY", "") not in ("", "0")
    try:
        now = path.stat()
    except OSError as error:
        if named:
            raise AccessError(
                f"SELECTION_ACCESS names {named}, which cannot be read; nobody is let in."
            ) from error
        return Rules(read_only=closed)
    found = _read(path, now.st_mtime_ns, now.st_size)
    return (
        Rules(people=found.people, collections=found.collections, read_only=True)
        if closed
        else found
    )


@lru_cache(maxsize=4)
def _read(path: Path, modified: int, size: int) -> Rules:
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise AccessError(f"{path.name} cannot be read ({error}); nobody is let in.") from error
    return parse_rules(document, where=path.name)


def parse_rules(document: Mapping[str, Any], *, where: str = "access.toml") -> Rules:
    """Rules out of a TOML document.

    :raises AccessError: for a key, a role or a kind of value that is not accepted.
    """
    unknown = set(document) - {"people", "collections", "read_only"}
    if unknown:
        raise _wrong(where, f"key {min(unknown)!r}", "people, collections and read_only")
    closed = document.get("read_only", False)
    if not isinstance(closed, bool):
        raise _wrong(where, f"read_only = {closed!r}", "true or false")
    people = {
        _person(name, where): _role(name, role, where)
        for name, role in _table(document, "people", where).items()
    }
    collections = {
        pattern: _people(pattern, names, where)
        for pattern, names in _table(document, "collections", where).items()
    }
    return Rules(people=people, collections=collections, read_only=closed)


def _table(document: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    found = document.get(name, {})
    if not isinstance(found, dict):
        raise _wrong(where, f"{name} = {found!r}", f"a table [{name}]")
    return found


def _role(name: str, role: object, where: str) -> Role:
    known = {one.title: one for one in Role}
    if not isinstance(role, str) or role not in known:
        raise _wrong(where, f"{name!r} = {role!r}", ", ".join(known))
    return known[role]


def _people(pattern: str, names: object, where: str) -> frozenset[str]:
    if not isinstance(names, list):
        raise _wrong(where, f"{pattern!r} = {names!r}", "a list of addresses and @domains")
    return frozenset(_person(name, where) for name in names)


def _person(name: object, where: str) -> str:
    known = name.strip().lower() if isinstance(name, str) else ""
    if "@" not in known[:-1]:
        raise _wrong(where, f"{name!r}", "an e-mail address, or @ and a domain")
    return known


def _wrong(where: str, found: str, accepted: str) -> AccessError:
    return AccessError(f"{where}: {found} is not accepted, only {accepted}; nobody is let in.")
