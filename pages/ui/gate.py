"""The gate: who is looking, what they may do and see. Every page and every write asks it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.ui import text
from storage.access import AccessError, Forbidden, Role, Rules, rules
from storage.html import PRODUCT

LOCAL = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who is looking. name: how they signed in; on one's own machine nobody has to.

    role: what they may do. address: what the rules know them by; empty on one's own machine.
    """

    name: str
    role: Role = Role.EDITOR
    address: str = ""


def signing_in() -> bool:
    """Whether an identity provider is set up: without one, this is somebody's own machine."""
    return hasattr(st.user, "is_logged_in")


def viewer() -> Viewer:
    """Who is looking; stops the page for everybody whom the rules do not let in."""
    try:
        now = rules()
    except AccessError as problem:
        _closed(str(problem))
    if not signing_in():
        if now.names_people:
            _closed(
                "The access rules name people, and no identity provider is set up, so that nobody "
                "can sign in. Set one up, or take the people out of the rules."
            )
    elif not st.user.is_logged_in:
        st.title(PRODUCT)
        st.text("Please sign in to see the stored questions.")
        st.button("Sign in", on_click=st.login, type="primary")
        st.stop()
    found = _known(now)
    if found.role is Role.NOBODY:
        st.title(PRODUCT)
        st.text(
            f"You are signed in as {text.clean(found.name)}, and the access rules give you no role "
            "here. Whoever runs this dashboard can add you."
        )
        st.button("Sign out", on_click=st.logout)
        st.stop()
    return found


def _closed(words: str) -> None:
    st.title(PRODUCT)
    st.text(words)
    st.stop()


def _known(now: Rules) -> Viewer:
    """Who is looking, without drawing anything: nobody where they are not signed in."""
    if not signing_in():
        role = Role.NOBODY if now.names_people else now.capped(Role.EDITOR)
        return Viewer(name=LOCAL, role=role)
    if not st.user.is_logged_in:
        return Viewer(name="nobody", role=Role.NOBODY)
    # An address that the provider has not checked is whatever somebody typed.
    checked = st.user.get("email_verified") not in (False, "false")
    address = str(st.user.get("email") or "").strip().lower() if checked else ""
    name = address or str(st.user.get("name") or "signed in")
    return Viewer(name=name, role=now.role(address), address=address)


def may(role: Role) -> bool:
    """Whether who is looking has a role, or one that may do more."""
    try:
        return _known(rules()).role >= role
    except AccessError:
        return False


def require(role: Role) -> Viewer:
    """Who is about to write.

    :raises Forbidden: where they may not; nothing is written then.
    """
    now = _known(rules())
    if now.role < role:
        raise Forbidden(
            f"This needs the role of {role.title}; yours is {now.role.title}. Nothing was changed."
        )
    return now


def sees(collection: str) -> bool:
    """Whether who is looking is shown a collection."""
    now = rules()
    known = _known(now)
    if known.role is Role.NOBODY:
        return False
    return not signing_in() or now.sees(known.address, collection)
