"""An import is whole or absent, knows what is there already, and loses nothing on the way."""

from __future__ import annotations

import io
import json
import os
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select

from storage import tables as t
from storage import writes
from storage.engine import Database
from storage.export import export_collection, stored_records
from storage.formats import format_of
from storage.imports import CannotImport, clear_leftovers, import_files, import_records
from storage.queries import NotStored, collections, question, questions
from storage.records import PassageRecord, QuestionRecord
from storage.removal import remove_collection
from storage.report import ImportRefused


def bring(database: Database, *records: QuestionRecord, name: str = "mine", **options: object):
    return import_records(
        database, records, collection=name, format="jsonl", ranked=True, **options
    )


def rows(database: Database) -> dict[str, int]:
    with database.read() as connection:
        return {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in t.metadata.sorted_tables
        }


def test_what_goes_in_comes_out_again_unchanged(database: Database, refund: QuestionRecord):
    bring(database, refund)
    assert list(stored_records(database, "mine")) == [refund]


def test_an_order_that_is_no_ranking_survives_export_and_import(
    database: Database, refund: QuestionRecord, tmp_path: Path
):
    bring(database, replace(refund, ranked=False))
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    export_collection(database, "mine", first, format="jsonl")
    import_files(database, [first], format="jsonl", collection="again")
    export_collection(database, "again", second, format="jsonl")
    assert first.read_bytes() == second.read_bytes()
    assert question(database, "again", "refund").sources.reordered


def test_a_pool_without_scores_is_ranked_by_bm25_only_where_its_order_means_nothing(
    database: Database,
):
    passages = (
        PassageRecord(id="far", text="Parcels travel by train."),
        PassageRecord(id="near", text="The refund window is 30 days."),
    )
    record = QuestionRecord(id="q", question="What is the refund window?", passages=passages)
    bring(database, record, name="ranked")
    bring(database, replace(record, ranked=False), name="shuffled")
    assert question(database, "ranked", "q").pool.ids == ("far", "near")
    assert question(database, "shuffled", "q").pool.ids == ("near", "far")
    assert question(database, "ranked", "q").sources.scores == "BM25, computed"


def test_a_file_with_errors_stores_nothing_and_lists_every_problem(
    database: Database, tmp_path: Path
):
    file = tmp_path / "bad.jsonl"
    good = json.dumps({"question": "Q?", "passages": ["text"]})
    file.write_text(f'{good}\n{{"question": 5, "passages": ["x"]}}\nnope\n', encoding="utf-8")
    before = rows(database)
    with pytest.raises(ImportRefused) as refused:
        import_files(database, [file], format="jsonl", collection="mine")
    said = str(refused.value)
    assert "line 2, question" in said
    assert "line 3" in said
    assert said.endswith("Nothing was stored.")
    assert rows(database) == before


def test_a_failure_in_the_middle_of_an_import_leaves_no_row(
    database: Database, refund: QuestionRecord
):
    def broken():
        for number in range(120):
            yield replace(refund, id=f"q{number}")
        raise RuntimeError("the disk went away")

    before = rows(database)
    with pytest.raises(RuntimeError):
        import_records(database, broken(), collection="mine", format="jsonl", ranked=True)
    assert rows(database) == before


def test_a_hidden_import_is_seen_by_nobody(database: Database, refund: QuestionRecord):
    seen = []

    def watched():
        for number in range(120):
            seen.append(len(collections(database)))
            yield replace(refund, id=f"q{number}")

    import_records(database, watched(), collection="mine", format="jsonl", ranked=True)
    assert set(seen) == {0}
    assert [one.questions for one in collections(database)] == [120]


def test_leftovers_of_a_dead_import_go_and_a_running_one_stays(
    database: Database, refund: QuestionRecord
):
    host = socket.gethostname()
    with database.write() as connection:
        for importer in (f"999999999@{host}", f"{os.getpid()}@{host}"):
            writes.new_collection(
                connection,
                name=importer,
                note="",
                made_up=False,
                seed=None,
                format="jsonl",
                importer=importer,
            )
    clear_leftovers(database)
    with database.read() as connection:
        left = connection.scalars(select(t.collections.c.importer)).all()
    assert left == [f"{os.getpid()}@{host}"]


def test_a_second_import_is_refused_by_default(database: Database, refund: QuestionRecord):
    bring(database, refund)
    with pytest.raises(CannotImport, match=r"already.*Nothing was stored"):
        bring(database, replace(refund, id="other"))


def test_the_same_questions_twice_store_nothing_and_say_so(
    database: Database, refund: QuestionRecord
):
    bring(database, refund)
    before = rows(database)
    done = bring(database, refund, on_existing="update")
    assert (done.added, done.replaced, done.unchanged) == (0, 0, 1)
    assert "Nothing to store" in str(done)
    assert rows(database) == before


def test_update_replaces_what_changed_and_keeps_the_rest(
    database: Database, refund: QuestionRecord
):
    bring(database, refund, replace(refund, id="same"))
    changed = replace(refund, question="How many days may I take?")
    done = bring(
        database,
        changed,
        replace(refund, id="same"),
        replace(refund, id="new"),
        on_existing="update",
    )
    assert (done.added, done.replaced, done.unchanged) == (1, 1, 1)
    found = {record.id: record for record in stored_records(database, "mine")}
    assert found["refund"].question == "How many days may I take?"
    assert set(found) == {"refund", "same", "new"}


def test_add_leaves_what_is_there_alone(database: Database, refund: QuestionRecord):
    bring(database, refund)
    changed = replace(refund, question="Changed?")
    done = bring(database, changed, replace(refund, id="new"), on_existing="add")
    assert (done.added, done.replaced) == (1, 0)
    found = {record.id: record.question for record in stored_records(database, "mine")}
    assert found == {"refund": refund.question, "new": refund.question}


def test_nothing_at_all_is_refused(database: Database):
    with pytest.raises(CannotImport, match="no question"):
        bring(database)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 201])
def test_a_collection_needs_a_name(database: Database, refund: QuestionRecord, name: str):
    with pytest.raises(CannotImport, match="no name"):
        bring(database, refund, name=name)


def test_deleting_a_collection_reaches_every_table(database: Database, refund: QuestionRecord):
    before = rows(database)
    bring(database, refund)
    assert remove_collection(database, "mine")
    # That it was imported and deleted stays known; nothing else does.
    assert rows(database) == {**before, "deeds": 2}
    assert not remove_collection(database, "mine")


def test_a_text_that_two_collections_share_survives_the_deletion_of_one(
    database: Database, refund: QuestionRecord
):
    bring(database, refund, name="one")
    bring(database, refund, name="two")
    remove_collection(database, "one")
    assert list(stored_records(database, "two")) == [refund]


def test_given_tokens_are_kept_and_missing_ones_counted(database: Database, refund: QuestionRecord):
    bring(database, refund)
    view = question(database, "mine", "refund")
    assert view.sources.tokens == "part given, part counted (o200k)"
    assert view.pool.tokens is not None
    assert view.pool.tokens.tolist() == [13, 7, 6]


def test_an_exact_repeat_in_a_pool_is_two_candidates(database: Database):
    twice = tuple(PassageRecord(id=name, text="The same words.") for name in "ab")
    bring(database, QuestionRecord(id="q", question="What?", passages=twice))
    assert question(database, "mine", "q").pool.ids == ("a", "b")
    assert rows(database)["passages"] == 1


def test_a_question_without_passages_is_stored_and_shown(database: Database):
    bring(database, QuestionRecord(id="q", question="What?", passages=()))
    view = question(database, "mine", "q")
    assert len(view.pool) == 0
    assert questions(database, "mine").rows[0].redundancy is None


def test_the_name_of_what_is_not_there_comes_with_what_is(database: Database, refund):
    bring(database, refund)
    with pytest.raises(NotStored, match="'mine'"):
        question(database, "yours", "refund")
    with pytest.raises(NotStored, match="no question 'x'"):
        question(database, "mine", "x")


@pytest.mark.parametrize(
    ("file", "format", "count", "facts"),
    [
        ("musique/musique_train_000-039.json", "musique", 40, 40),
        ("hotpotqa/hotpotqa_train_000-039.json", "hotpotqa", 40, 40),
    ],
)
def test_published_files_go_in_whole_and_come_out_again(
    database: Database, shared_data: Path, file: str, format: str, count: int, facts: int
):
    done = import_files(database, [shared_data / file], format=format, collection="public")
    assert done.added == count
    assert collections(database)[0].with_facts == facts
    stream = io.StringIO()
    format_of("jsonl").write(stored_records(database, "public"), stream)
    records = list(stored_records(database, "public"))
    assert len(records) == count
    view = question(database, "public", records[0].id)
    assert view.sources.reordered
    assert all(fact.linked for fact in view.facts)
