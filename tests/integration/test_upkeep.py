"""A backup is whole, a restore is all or nothing, and a check finds what is damaged."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import delete, select, update

from storage import tables as t
from storage.engine import Database, DatabaseError, connect
from storage.export import stored_records
from storage.imports import import_records
from storage.queries import collections
from storage.removal import remove_collection
from storage.upkeep import backup, check, restore


@pytest.fixture
def stored(database: Database, refund) -> Database:
    import_records(
        database,
        [refund, replace(refund, id="loose", ranked=False)],
        collection="mine",
        format="jsonl",
        ranked=True,
    )
    return database


def test_a_sound_database_has_no_problems(stored: Database):
    found = check(stored)
    assert (found.questions, found.candidates, found.problems) == (2, 6, ())


def test_the_built_in_collections_are_sound(built_in: Database):
    assert check(built_in).problems == ()


def test_a_lost_candidate_and_a_changed_text_are_found(stored: Database):
    with stored.write() as connection:
        refund = select(t.questions.c.id).where(t.questions.c.external_id == "refund")
        connection.execute(
            delete(t.candidates).where(
                t.candidates.c.rank == 3, t.candidates.c.question_id.in_(refund)
            )
        )
        connection.execute(
            update(t.questions).where(t.questions.c.external_id == "loose").values(text="Other?")
        )
    said = " ".join(check(stored).problems)
    assert "says 3 candidates and has 2" in said
    assert "'loose' is not what was stored" in said


def test_a_backup_brings_back_what_was_deleted(stored: Database, refund, tmp_path: Path):
    copy = tmp_path / "copy.sqlite"
    backup(stored, copy)
    remove_collection(stored, "mine")
    restore(stored, copy)
    assert next(iter(stored_records(stored, "mine"))).question == refund.question
    assert check(stored).problems == ()


def test_a_backup_taken_during_writes_is_whole(stored: Database, refund, tmp_path: Path):
    def write():
        for number in range(15):
            import_records(stored, [refund], collection=f"c{number}", format="jsonl", ranked=True)

    writer = threading.Thread(target=write)
    writer.start()
    copies = [tmp_path / f"{number}.sqlite" for number in range(4)]
    for copy in copies:
        backup(stored, copy)
    writer.join()
    for copy in copies:
        opened = connect(f"sqlite:///{copy}")
        assert check(opened).problems == ()
        assert "mine" in [one.name for one in collections(opened)]
        opened.close()


def test_a_backup_is_never_written_over_another_file(stored: Database, tmp_path: Path):
    there = tmp_path / "there"
    there.write_text("mine")
    with pytest.raises(DatabaseError, match="exists"):
        backup(stored, there)
    assert there.read_text() == "mine"


@pytest.mark.parametrize("content", [b"", b"no database at all" * 500])
def test_what_is_no_backup_changes_nothing(stored: Database, tmp_path: Path, content: bytes):
    file = tmp_path / "bad"
    file.write_bytes(content)
    before = list(stored_records(stored, "mine"))
    if content:
        with pytest.raises(DatabaseError, match="nothing was changed"):
            restore(stored, file)
        assert list(stored_records(stored, "mine")) == before
    with pytest.raises(DatabaseError, match="no file"):
        restore(stored, tmp_path / "missing")


def test_another_kind_of_database_is_told_what_to_use(stored: Database):
    other = replace(stored, url="postgresql://somewhere/else")
    with pytest.raises(DatabaseError, match="pg_dump"):
        backup(other, Path("x"))
