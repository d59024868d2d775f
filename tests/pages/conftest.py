"""Opening a page as a person would, with views made by hand in place of the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.ui import cache
from pages.ui.lanes import Lane, run_lane
from selection.model import Budget
from selection.registry import parse_selector
from storage.engine import Database
from storage.opening import open_database
from storage.views import CollectionView, QuestionView

ROOT = Path(__file__).resolve().parents[2]
Opened = Callable[..., AppTest]


@pytest.fixture
def question_page(monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Opens the Question page on a view: `question_page(view, budget="1600", s=["top_k(k=8)"])`."""

    def open_page(view: QuestionView, /, **address: str | list[str]) -> AppTest:
        serve(monkeypatch, view)
        page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=20)
        page.session_state["framed"] = True
        page.switch_page("pages/question.py")
        for name, value in address.items():
            page.query_params[name] = value
        return page.run()

    return open_page


def serve(monkeypatch: pytest.MonkeyPatch, view: QuestionView) -> None:
    """Let the pages' cache answer with one view, as if the database held only that."""

    def question(collection: CollectionView, name: str, *, relevance: str | None) -> QuestionView:
        if name != view.id:
            raise KeyError(name)
        return view

    def lane(
        view: QuestionView, spec: str, *, place: int, budget: Budget, relevance: str | None
    ) -> Lane:
        return run_lane(view.pool, budget, parse_selector(spec), place=place)

    monkeypatch.setattr(cache, "collections", lambda: (view.collection,))
    monkeypatch.setattr(cache, "first_question", lambda collection: view.id)
    monkeypatch.setattr(cache, "question", question)
    monkeypatch.setattr(cache, "lane", lane)
    monkeypatch.setattr(cache, "forget", lambda: None)


@pytest.fixture(scope="session")
def built_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A database with the built-in collections, for tests that only read."""
    opened = open_database(f"sqlite:///{tmp_path_factory.mktemp('pages') / 'test.sqlite'}")
    yield opened
    opened.close()


@pytest.fixture
def samples(built_in: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Pages that show the built-in collections."""
    return _shown(built_in, monkeypatch)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """Pages that show a database of their own, empty at first."""
    opened = open_database(f"sqlite:///{tmp_path / 'test.sqlite'}", samples=False)
    yield _shown(opened, monkeypatch)
    opened.close()


def _shown(database: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    monkeypatch.setattr(cache, "opened", lambda: database)
    st.cache_data.clear()
    st.cache_resource.clear()
    return database
