"""Opening the dashboard as a person does: a server, a browser, and somebody who watches both."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

from tests.browser import serving
from tests.conftest import skip_or_fail

PATIENCE_SECONDS = 20
SCREEN = {"width": 1280, "height": 800}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder carries the marker, and stays with the others on one worker.

    A browser on a busy machine may miss a moment: what fails is tried once more, and said so ("R").
    """
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.flaky(reruns=1))
            item.add_marker(pytest.mark.xdist_group("browser"))


@dataclass
class Watch:
    """What pages asked for beyond this machine, and what they complained of."""

    outside: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def over(self, page: Page) -> None:
        page.on("request", self._requested)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))

    def _requested(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.hostname != "127.0.0.1":
            self.outside.append(request.url)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not looks_for_its_server(message):
            self.complaints.append(message.text)


def looks_for_its_server(message: ConsoleMessage) -> bool:
    """Streamlit's client tries its two start-up addresses below a deep link first, in vain."""
    path = urlsplit(message.location.get("url", "")).path
    ends = ("/_stcore/health", "/_stcore/host-config")
    return "404" in message.text and path.count("/") > 2 and path.endswith(ends)


@pytest.fixture(scope="session")
def built_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the built-in collections; to be copied, never to be changed."""
    path = tmp_path_factory.mktemp("stored") / "built-in.sqlite"
    serving.command_line(path, "collections")
    return path


@pytest.fixture(scope="module")
def database(built_in: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database that this module's server shows."""
    path = tmp_path_factory.mktemp("served") / "rank13.sqlite"
    shutil.copy(built_in, path)
    return path


@pytest.fixture(scope="module")
def base(database: Path) -> Iterator[str]:
    """The address of a running dashboard."""
    with serving.dashboard(database, log=database.with_suffix(".log")) as address:
        yield address


# Of a module, not of the session: while Playwright runs, its event loop is in the way of others.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if serving.chromium_path() is None:
        skip_or_fail("there is no Chromium on this machine")
    with serving.browser() as opened:
        yield opened


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Sees every page of a test; the test fails where one complained or asked another host."""
    seen = Watch()
    yield seen
    assert seen.outside == []
    assert seen.complaints == []


@pytest.fixture
def page(chromium: Browser, watch: Watch) -> Iterator[Page]:
    """A visitor nobody has seen before."""
    with visitor(chromium, watch) as page:
        yield page


class visitor:
    """A browser profile of its own with one page, closed at the end."""

    def __init__(self, chromium: Browser, watch: Watch) -> None:
        expect.set_options(timeout=PATIENCE_SECONDS * 1000)
        self._context = chromium.new_context(viewport=SCREEN)
        self._context.set_default_timeout(PATIENCE_SECONDS * 1000)
        self._watch = watch

    def __enter__(self) -> Page:
        page = self._context.new_page()
        self._watch.over(page)
        return page

    def __exit__(self, *problem: object) -> None:
        self._context.close()
