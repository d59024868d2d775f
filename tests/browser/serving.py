"""A dashboard that really runs, and a browser that really looks at it.

Benchmarks and pictures use these too, so nothing here knows of the test runner.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Flags of a browser that asks nobody for anything on its own account."""


def database_url(path: Path) -> str:
    return f"sqlite:///{path}"


def environment(database: Path) -> dict[str, str]:
    """The environment of a process that works on this database."""
    return {**os.environ, "SELECTION_DATABASE_URL": database_url(database)}


def command_line(database: Path, *arguments: str) -> str:
    """Run `python -m storage ...` on a database; what it printed.

    :raises AssertionError: with what it said, where it ended with an error.
    """
    done = subprocess.run(
        [sys.executable, "-m", "storage", *arguments],
        cwd=ROOT,
        env=environment(database),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def dashboard(database: Path, *, log: Path) -> Iterator[str]:
    """Serve a database on a free port; gives the address of its first page, without a slash."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    options = ["--server.port", str(port), "--server.headless", "true"]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [*command, *options],
            cwd=ROOT,
            env=environment(database),
            stdout=output,
            stderr=subprocess.STDOUT,
        ) as server,
    ):
        try:
            base = f"http://127.0.0.1:{port}"
            wait_until_healthy(base, server, log)
            yield base
        finally:
            server.terminate()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_healthy(base: str, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for the server's own word that it answers.

    :raises RuntimeError: with the server's log, where it ends or stays silent.
    """
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{base}/_stcore/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"the dashboard did not start:\n{log.read_text(errors='replace')}")


def chromium_path() -> str | None:
    """The Chromium of this machine, wherever its package put it."""
    names = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


@contextmanager
def browser() -> Iterator[Browser]:
    """A headless Chromium.

    :raises RuntimeError: where there is none.
    """
    path = chromium_path()
    if path is None:
        raise RuntimeError("There is no Chromium on this machine (Debian: the package chromium).")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        try:
            yield opened
        finally:
            opened.close()
