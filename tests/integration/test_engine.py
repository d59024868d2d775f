"""The database: writers take turns, the schema is what the tables say, newer ones are refused."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from storage import tables as t
from storage.engine import Database, DatabaseError, connect, default_url
from storage.opening import open_database
from storage.queries import collections


def test_migrations_make_the_tables_that_the_code_describes(database: Database):
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), t.metadata) == []


def test_no_increment_of_four_writers_is_lost(database: Database):
    with database.write() as connection:
        connection.execute(insert(t.settings).values(key="n", value="0"))

    def add():
        for _ in range(25):
            with database.write() as connection:
                now = connection.scalar(select(t.settings.c.value).where(t.settings.c.key == "n"))
                connection.execute(
                    update(t.settings)
                    .where(t.settings.c.key == "n")
                    .values(value=str(int(now or 0) + 1))
                )

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as connection:
        assert connection.scalar(select(t.settings.c.value).where(t.settings.c.key == "n")) == "100"


def test_a_reader_is_not_blocked_by_a_writer(database: Database):
    with database.write() as writing:
        writing.execute(insert(t.settings).values(key="a", value="b"))
        assert collections(database) == ()


def test_a_reader_sees_one_state_while_others_write(database: Database):
    count = select(func.count()).select_from(t.settings)
    with database.read() as reading:
        before = reading.scalar(count)
        with database.write() as writing:
            writing.execute(insert(t.settings).values(key="later", value="x"))
        assert reading.scalar(count) == before
    with database.read() as again:
        assert again.scalar(count) == before + 1


def test_a_broken_reference_is_refused(database: Database):
    with pytest.raises(IntegrityError), database.write() as connection:
        connection.execute(insert(t.answer_bearing).values(question_id=12345, candidate="nobody"))


def test_a_database_of_a_newer_program_is_refused_with_a_sentence(database: Database, url: str):
    with database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseError, match="newer than this program"):
        open_database(url, samples=False)


def test_an_address_that_means_nothing_is_refused_with_a_sentence():
    with pytest.raises(DatabaseError, match="no usable database address"):
        connect("nonsense")


def test_a_file_that_is_no_database_is_refused_with_a_sentence(tmp_path: Path):
    file = tmp_path / "letter.sqlite"
    file.write_text("Dear Sir or Madam, " * 100, encoding="utf-8")
    with pytest.raises(DatabaseError, match="cannot be used"):
        open_database(f"sqlite:///{file}", samples=False)


def test_the_environment_names_the_database(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SELECTION_DATABASE_URL", "sqlite:///elsewhere.sqlite")
    assert default_url() == "sqlite:///elsewhere.sqlite"
    monkeypatch.delenv("SELECTION_DATABASE_URL")
    assert default_url().endswith("/rank13.sqlite")


def test_built_in_collections_are_loaded_once_and_stay_deleted(url: str, tmp_path: Path):
    from storage.removal import remove_collection

    opened = open_database(url)
    names = [one.name for one in collections(opened)]
    assert len(names) == 4
    assert all(one.made_up for one in collections(opened))
    remove_collection(opened, names[0])
    opened.close()
    again = open_database(url)
    assert [one.name for one in collections(again)] == names[1:]
    again.close()
