"""Opening any page on a real database, and reading what it says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from streamlit.testing.v1 import AppTest

from storage.engine import Database
from storage.imports import import_files
from tests.pages import reading

ROOT = Path(__file__).resolve().parents[2]

HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(2)> <b>bold</b> $5 to $10 $a$ **stars** "
    ":red[x] :material/home: [link](javascript:alert(3)) `code` # head | a -> c ' \" & \u202e\x07"
)
"""Every kind of text that a browser, markdown or mathematics would take for more than a text."""

PRINTABLE = HOSTILE.replace("\u202e", "").replace("\x07", "").strip()
"""The same for names, which must be printable."""

Record = dict[str, Any]


def open_page(room: str, **address: str | Sequence[str]) -> AppTest:
    """Open a page by its file name, from an address."""
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    page.session_state["framed"] = True
    page.switch_page(f"pages/{room}.py")
    for name, value in address.items():
        page.query_params[name] = value if isinstance(value, str) else list(value)
    return page.run()


def said(page: AppTest) -> str:
    """Everything that the page says in HTML, plain texts and code, as a reader sees it."""
    blocks = [reading.words(block.value) for block in page.html]
    texts = [block.value for block in page.text] + [block.value for block in page.code]
    return "\n".join([*blocks, *texts])


def links(page: AppTest) -> list[tuple[str, str, dict[str, list[str]]]]:
    """Every page link: its label, the page, and what its address says."""
    return [
        (one.proto.label, one.proto.page, parse_qs(one.proto.query_string))
        for one in page.get("page_link")
    ]


def store(
    database: Database, records: Sequence[Record], folder: Path, *, name: str, update: bool = False
) -> None:
    """Store records of the project's own format as a collection."""
    path = folder / "records.jsonl"
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    path.write_text(lines, encoding="utf-8")
    import_files(
        database,
        [path],
        format="jsonl",
        collection=name,
        on_existing="update" if update else "refuse",
    )


def plain(question: str, *passages: str, **more: Any) -> Record:
    """A question with nothing but texts."""
    return {"question": question, "passages": list(passages), **more}


def picked(page: AppTest, row: int) -> AppTest:
    """Tick a row of the one table of the page."""
    key = page.dataframe[0].key
    page.session_state[key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return page.run()


def clicked(page: AppTest, row: int) -> AppTest:
    """Click a cell of the one table of the page."""
    key = page.dataframe[0].key
    page.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": [(row, "x")]}}
    return page.run()


def assert_nothing_runs(page: AppTest) -> None:
    """No text from outside has become an element, and none stands where markdown is read."""
    for block in page.html:
        if not block.value.startswith("<style"):
            names = {name for name, _ in reading.elements(block.value)}
            assert not names & {"script", "img", "a", "iframe", "svg"}, block.value[:200]
    assert not page.markdown
    for label, _, _ in links(page):
        assert "<script>" not in label
