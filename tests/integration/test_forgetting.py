"""What is deleted is gone from every table and from the file; what is left is sound."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, text, update

from selection import Budget, make_selector
from storage import tables as t
from storage.compare import compare
from storage.deeds import deeds
from storage.engine import Database
from storage.evidence import decide
from storage.forgetting import Busy, expired, forget, matching
from storage.imports import import_files, import_records
from storage.jobs import submit
from storage.jobs.kinds.comparison import Request
from storage.queries import NotStored, collections
from storage.records import QuestionRecord
from storage.removal import remove_collection
from storage.reviews import add_review
from storage.saved import delete_comparison, rename_comparison, save_comparison
from storage.upkeep import check

SECRET = "xyzzy-secret-7731"


@pytest.fixture
def stored(database: Database, refund: QuestionRecord) -> Database:
    """Three questions, two of them of one customer, with all that can hang on a question."""
    private = replace(
        refund.passages[0], text=f"The {SECRET} word.", supports=(), embedding=(0.6, 0.8)
    )
    mine = replace(
        refund,
        id=f"q-{SECRET}",
        question=f"What of {SECRET}?",
        passages=(private, *refund.passages[1:]),
        metadata={"customer": 4711, "name": SECRET},
    )
    also = replace(refund, id="also", metadata={"customer": ["4711", "12"]})
    import_records(database, [refund, mine, also], collection="mine", format="jsonl", ranked=True)
    found = compare(database, "mine", [make_selector("top_k", k=1)], Budget(tokens=100))
    save_comparison(database, found, name="saved", author="Ada")
    add_review(database, "mine", [mine.id], verdict="crowded out", note=SECRET, reviewer="Ada")
    return database


def raw(database: Database) -> bytes:
    """Everything that SQLite has on the disk."""
    path = Path(database.url.removeprefix("sqlite:///"))
    return b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))


def everything(database: Database) -> str:
    """Every value of every table, as text."""
    with database.read() as connection:
        return "\n".join(
            str(row)
            for table in t.metadata.sorted_tables
            for row in connection.execute(select(table))
        )


def test_a_customer_is_forgotten_in_every_table_and_in_the_file(stored: Database) -> None:
    assert SECRET in everything(stored)
    found = matching(stored, "mine", where=("customer", "4711"))
    assert found == (f"q-{SECRET}", "also")
    done = forget(stored, "mine", found)
    assert (done.questions, done.results, done.reviews) == (2, 2, 1)
    assert "Backups" in str(done)
    assert SECRET not in everything(stored)
    assert SECRET.encode() not in raw(stored)
    assert check(stored).problems == ()
    assert collections(stored)[0].questions == 1


def test_every_table_that_names_a_question_is_reached(stored: Database) -> None:
    decide(stored, "mine", f"q-{SECRET}", "b", confirmed=True, rule="seen", reviewer="Ada")
    named = [one for one in t.metadata.sorted_tables if "question" in one.c]
    assert {t.reviews, t.evidence_decisions} <= set(named)
    for one in named:
        assert {"collection_id", "comparison_id"} & set(one.c.keys()), one.name
    forget(stored, "mine", [f"q-{SECRET}"])
    with stored.read() as connection:
        for one in named:
            assert f"q-{SECRET}" not in set(connection.scalars(select(one.c.question))), one.name


def test_a_deleted_collection_is_gone_from_the_file(stored: Database) -> None:
    remove_collection(stored, "mine")
    assert SECRET not in everything(stored)
    assert SECRET.encode() not in raw(stored)


def test_a_text_that_another_collection_holds_stays_there(
    stored: Database, refund: QuestionRecord
) -> None:
    import_records(stored, [refund], collection="other", format="jsonl", ranked=True)
    forget(stored, "mine", matching(stored, "mine"))
    assert [one.questions for one in collections(stored)] == [0, 1]
    assert check(stored).problems == ()


def test_nothing_is_forgotten_while_a_job_is_at_work(stored: Database) -> None:
    request = Request(
        name="job", selectors=("top_k(k=1, overflow='overspend')",), tokens=100, passages=None,
        relevance=None, note="", replace=False,
    )  # fmt: skip
    submit(stored, "comparison", "mine", request.document, title="job", author="Ada")
    before = everything(stored)
    with pytest.raises(Busy, match="Nothing was deleted"):
        forget(stored, "mine", ["also"])
    assert everything(stored) == before


def test_an_unknown_collection_or_question_deletes_nothing(stored: Database) -> None:
    with pytest.raises(NotStored):
        forget(stored, "nowhere", ["also"])
    assert forget(stored, "mine", ["nobody"]).questions == 0
    assert collections(stored)[0].questions == 3


def test_who_did_what_is_kept_in_order_and_outlives_its_collection(stored: Database) -> None:
    as_bob = stored.for_writing("bob@b.example")
    rename_comparison(as_bob, "saved", to="renamed")
    delete_comparison(as_bob, "renamed")
    delete_comparison(as_bob, "renamed")
    forget(as_bob, "mine", ["also"])
    remove_collection(as_bob, "mine")
    remove_collection(as_bob, "mine")
    noted = [(one.deed, one.collection, one.what) for one in deeds(stored)]
    assert noted == [
        ("deleted", "mine", "2 questions"),
        ("deleted questions", "mine", "1 question"),
        ("deleted a comparison", "mine", "renamed"),
        ("renamed a comparison", "mine", "saved to renamed"),
        ("gave a verdict", "mine", "1 question"),
        ("saved a comparison", "mine", "saved"),
        ("imported", "mine", "3 questions added, 0 replaced"),
    ]
    assert {one.who for one in deeds(stored)[:4]} == {"bob@b.example"}
    assert {one.who for one in deeds(stored)[4:6]} == {"Ada"}


def test_a_refused_import_is_no_deed(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text('{"question": 5}\n', encoding="utf-8")
    with pytest.raises(ValueError, match="Nothing was stored"):
        import_files(database, [file], format="jsonl", collection="bad")
    assert deeds(database) == ()


def test_collections_expire_after_days_without_an_import(stored: Database) -> None:
    assert expired(stored, days=30) == ()
    with stored.write() as connection:
        old = datetime.now(UTC) - timedelta(days=31)
        connection.execute(update(t.collections).values(imported_at=old))
    assert expired(stored, days=30) == ("mine",)
    assert expired(stored, days=32) == ()


def test_a_redacted_import_stores_no_address(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "mail.jsonl"
    file.write_text(
        '{"question": "Who is ada@example.com?", "passages": ["ada@example.com is Ada."]}\n',
        encoding="utf-8",
    )
    import_files(database, [file], format="jsonl", collection="mail", redact=True)
    assert "ada@example.com" not in everything(database)
    assert b"ada@example.com" not in raw(database)
    assert check(database).problems == ()


def test_the_overwriting_is_switched_on(database: Database) -> None:
    if database.reader.dialect.name != "sqlite":
        pytest.skip("PostgreSQL frees its rows by VACUUM")
    with database.read() as connection:
        assert connection.execute(text("PRAGMA secure_delete")).scalar() == 1
