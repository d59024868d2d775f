"""What surrounds every page: the menu, who is looking, the title of the tab, and the style."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages.ui import gate
from pages.ui.gate import Viewer
from pages.ui.lanes import HUES, WARNING
from storage.html import PRODUCT as PRODUCT

ROOT = Path(__file__).resolve().parents[2]
ICON = Path(__file__).with_name("icon.svg")
STYLE = Path(__file__).with_name("style.css")
ROOMS_STYLE = Path(__file__).with_name("rooms.css")


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """One page: its file under pages/, its title, its group in the menu, and what it is for.

    listed: False keeps it out of the menu; links lead there.
    """

    name: str
    title: str
    group: str
    help: str
    listed: bool = True


ROOMS = (
    Room(name="home", title="Home", group="", help="The story in short, or what waits for you."),
    Room(
        name="regressions",
        title="Regressions",
        group="Review",
        help="What got worse between two arms, why, and the review.",
    ),
    Room(
        name="questions",
        title="Questions",
        group="Review",
        help="Every stored question: filter, sort, open.",
    ),
    Room(
        name="question",
        title="Question",
        group="Review",
        help="One question: selectors side by side, and the ledger of every rank.",
        listed=False,
    ),
    Room(
        name="tuning",
        title="Tuning",
        group="Tune",
        help="Sweeps of a knob, and what each value loses.",
    ),
    Room(
        name="comparisons",
        title="Comparisons",
        group="Tune",
        help="Saved comparisons of selectors over a whole collection.",
    ),
    Room(
        name="brief",
        title="Brief",
        group="Explain",
        help="One change for the person who decides: what it does, what it costs, what is open.",
    ),
    Room(name="story", title="Story", group="Explain", help="A question, stepped rank by rank."),
    Room(
        name="window",
        title="Window",
        group="Explain",
        help="The whole context window and its slices.",
    ),
    Room(name="lab", title="Lab", group="Explain", help="The theory, live."),
    Room(name="data", title="Data", group="Data", help="Import, export, and the collections."),
)


def has_room(name: str) -> bool:
    """Whether a room works: it is shown once its file exists."""
    return (ROOT / "pages" / f"{name}.py").is_file()


def path(name: str) -> str:
    """A room's file as Streamlit knows it, relative to app.py."""
    return f"pages/{name}.py"


def url(name: str) -> str:
    """The whole address of a room, without what it shows; the first room stands at the root."""
    return place(st.context.url or "", name)


def place(now: str, name: str) -> str:
    """The address of a room, seen from the address of any other."""
    base = now.split("?")[0].rstrip("/")
    before, _, last = base.rpartition("/")
    if last in {room.name for room in ROOMS}:
        base = before
    first = next(room.name for room in ROOMS if has_room(room.name))
    return f"{base}/" if name == first else f"{base}/{name}"


def navigation() -> st.Page:
    """The menu on top, by group; returns the page that was asked for."""
    rooms = [room for room in ROOMS if has_room(room.name)]
    first = rooms[0].name
    groups: dict[str, list[st.Page]] = {}
    for room in rooms:
        visible = room.listed or room.name == first
        page = st.Page(
            path(room.name),
            title=room.title,
            default=room.name == first,
            visibility="visible" if visible else "hidden",
            help=room.help,
        )
        groups.setdefault(room.group if room.name != first else "", []).append(page)
    return st.navigation(groups, position="top")


def run() -> None:
    """The body of app.py."""
    st.set_page_config(page_title=PRODUCT, page_icon=str(ICON), layout="wide")
    st.session_state["framed"] = True
    page = navigation()
    gate.viewer()
    _style()
    page.run()


def ensure_frame(title: str = "") -> Viewer:
    """The first line of every page: the frame around it, the gate before it.

    A deep link right after the server starts opens the page without app.py; then the menu is
    registered here and the page starts again, through app.py.
    """
    if "framed" not in st.session_state:
        navigation()
        st.rerun()
    if title:
        name_tab(title)
    return gate.viewer()


def name_tab(title: str) -> None:
    """The title of the browser's tab."""
    st.set_page_config(page_title=f"{title} · {PRODUCT}")


def _style() -> None:
    st.html(f"<style>{palette_css()}</style>")
    st.html(STYLE)
    st.html(ROOMS_STYLE)


def palette_css() -> str:
    """Hues and paper as variables; the paper comes from the theme, so that both modes follow it."""
    light, dark = (
        [
            st.get_option(f"theme.{mode}.{name}")
            for name in ("backgroundColor", "secondaryBackgroundColor", "linkColor")
        ]
        for mode in ("light", "dark")
    )
    names = ("paper", "shade", "link")
    paper = "".join(
        f"--{name}:light-dark({one},{other});"
        for name, one, other in zip(names, light, dark, strict=True)
    )
    hues = "".join(f".hue{place}{{--hue:{hue}}}" for place, hue in enumerate(HUES, start=1))
    chips = "".join(
        f".st-key-chip{place} button{{--hue:{hue}}}" for place, hue in enumerate(HUES, start=1)
    )
    return f".stApp{{{paper}--warn:{WARNING}}}{hues}{chips}"
