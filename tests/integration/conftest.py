"""A fresh database for each test, without the built-in collections unless they are asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.engine import Database
from storage.opening import open_database
from storage.records import ArmOutcome, Fact, PassageRecord, QuestionRecord, Support
from tests import postgres


@pytest.fixture
def url(tmp_path: Path) -> str:
    """An empty database: a SQLite file, else on the server that R13_POSTGRES names."""
    if base := os.environ.get(postgres.NAMED):
        return postgres.fresh_database(base)
    return f"sqlite:///{tmp_path / 'test.sqlite'}"


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = open_database(url, samples=False)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def built_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The built-in collections, opened once for all tests that only read."""
    opened = open_database(f"sqlite:///{tmp_path_factory.mktemp('built-in') / 'test.sqlite'}")
    yield opened
    opened.close()


@pytest.fixture
def refund() -> QuestionRecord:
    """A small question with everything: claims unknown, facts, evidence, two arms."""
    return QuestionRecord(
        id="refund",
        question="How long is the refund window?",
        passages=(
            PassageRecord(
                id="a",
                text="Refunds are possible within 30 days. Keep the receipt.",
                score=0.9,
                supports=(Support(fact="window", start=0, end=36),),
            ),
            PassageRecord(id="b", text="Keep the receipt.", score=0.8, tokens=7, supports=()),
            PassageRecord(id="c", text="Shipping takes 5 days.", score=0.7),
        ),
        facts=(Fact(id="window", text="30 days"), Fact(id="fee", text="No fee", weight=2.0)),
        answer_bearing=("a",),
        arms=(
            ArmOutcome(name="k=1", correct=True, sent=("a",), setting="top_k(k=1)"),
            ArmOutcome(name="k=3", correct=False, sent=("a", "b", "gone")),
        ),
        metadata={"locale": "en-GB"},
    )
