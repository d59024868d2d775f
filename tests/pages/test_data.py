"""Bringing files in, taking collections out, and deleting them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import importing, shelf
from storage.engine import Database
from storage.queries import collections
from storage.report import Problem, Report
from tests.pages import reading, rooms

GOOD = b'{"question": "How much?", "passages": ["It costs 5 euro.", "It is blue."]}\n'
MORE = b'{"question": "Which colour?", "passages": ["It is blue."]}\n'


def upload(*files: tuple[str, bytes], **address: str) -> AppTest:
    page = rooms.open_page("data", **address)
    page.file_uploader[0].set_value([(name, content, "text/plain") for name, content in files])
    page.run()
    assert not page.exception
    return page


def press(page: AppTest, label: str) -> AppTest:
    next(one for one in page.button if one.label == label).click().run()
    assert not page.exception
    return page


def names(database: Database) -> list[str]:
    return [one.name for one in collections(database)]


def test_an_empty_database_shows_the_smallest_file_and_how_to_bring_it_in(
    database: Database,
) -> None:
    page = rooms.open_page("data")
    assert not page.exception
    words = rooms.said(page)
    assert "Nothing is stored yet." in words
    assert importing.EXAMPLE in words
    assert "python -m storage import" in words


def test_the_smallest_file_that_the_page_shows_can_be_imported(database: Database) -> None:
    page = upload(("mine.jsonl", importing.EXAMPLE.encode()))
    assert "1 of 1 row can be stored." in rooms.said(page)
    press(page, "Import")
    assert len(names(database)) == 1


def test_a_file_is_looked_at_named_stored_and_led_to(database: Database) -> None:
    page = upload(("ours.jsonl", GOOD + MORE))
    assert page.selectbox[0].value == "jsonl"
    assert names(database) == []
    page.text_input[0].set_value("Ours").run()
    press(page, "Import")
    words = rooms.said(page)
    assert "Ours: 2 questions added." in words
    assert "step 1 of 5, texts only" in words
    assert ("Open the first question", "question", {"c": ["Ours"]}) in rooms.links(page)
    assert names(database) == ["Ours"]


def test_several_files_are_one_import(database: Database) -> None:
    page = upload(("a.jsonl", GOOD), ("b.jsonl", MORE))
    assert "2 of 2 rows can be stored." in rooms.said(page)
    press(page, "Import")
    assert collections(database)[0].questions == 2


def test_every_problem_has_its_line_its_field_and_what_is_accepted(database: Database) -> None:
    bad = b'{"question": 5, "passages": ["a"]}\n{"passages": ["a"]}\nnot json\n'
    page = upload(("bad.jsonl", bad + GOOD))
    words = rooms.said(page)
    assert "3 problems in" in words
    assert "Nothing was stored" in words
    rows = reading.rows(next(b.value for b in page.html if 'table class="r13 problems' in b.value))
    assert rows[0] == ["where", "found", "accepted"]
    assert "line 1, question" in rows[1][0]
    assert "line 2, question" in rows[2][0]
    assert "line 3" in rows[3][0]
    assert all(row[1] and row[2] for row in rows[1:])
    assert not any(one.label == "Import" for one in page.button)
    assert names(database) == []


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.jsonl", b"", "empty"),
        ("blank.jsonl", b"\n\n  \n", "no question"),
        ("binary.jsonl", bytes(range(256)) * 20, "Nothing was stored"),
        ("binary.bin", bytes(range(256)) * 20, "could not be guessed"),
        ("page.html", b"<html><script>alert(1)</script></html>", "could not be guessed"),
        ("long.jsonl", b"x" * 65_536, "Nothing was stored"),
        ("cut.jsonl", GOOD[:30], "Nothing was stored"),
        ("list.json", b"[1, 2, 3]", "Nothing was stored"),
        ("deep.jsonl", b"[" * 100_000, "Nothing was stored"),
        ("nul.jsonl", b"\x00" * 5000, "Nothing was stored"),
        ("packed.jsonl.gz", b"\x1f\x8bnot gzip at all", "Nothing was stored"),
    ],
)
def test_a_file_that_is_no_import_is_refused_in_words(
    database: Database, name: str, content: bytes, words: str
) -> None:
    page = upload((name, content))
    assert words.lower() in rooms.said(page).lower()
    assert not any(one.label == "Import" and not one.disabled for one in page.button)
    assert names(database) == []


def test_a_line_of_65_kilobytes_is_a_line(database: Database) -> None:
    line = json.dumps({"question": "Long?", "passages": ["word " * 13_107]}).encode()
    press(upload(("long.jsonl", line)), "Import")
    assert collections(database)[0].questions == 1


def test_a_file_that_is_too_large_is_refused_with_the_way_that_works(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MOST_BYTES", 10)
    page = rooms.open_page("data")
    page.file_uploader[0].upload("big.jsonl", GOOD, "text/plain")
    page.run()
    assert not page.exception
    assert "larger than 200 MB" in rooms.said(page)
    assert "command line" in rooms.said(page)


def test_a_file_that_vanished_is_said_to_be_unreadable(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object, **__: object) -> Report:
        raise FileNotFoundError("gone")

    monkeypatch.setattr(importing, "examine", gone)
    page = upload(("ours.jsonl", GOOD))
    assert "The files cannot be read: FileNotFoundError" in rooms.said(page)
    assert not any(one.label == "Import" for one in page.button)


def test_an_import_that_fails_halfway_says_that_nothing_was_stored(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    page = upload(("ours.jsonl", GOOD))
    monkeypatch.setattr(importing, "import_files", full)
    press(page, "Import")
    assert "The import failed: OSError. Nothing was stored." in rooms.said(page)


def test_a_name_that_is_taken_asks_what_to_do(database: Database, tmp_path: Path) -> None:
    rooms.store(database, [json.loads(GOOD)], tmp_path, name="ours")
    page = upload(("ours.jsonl", GOOD + MORE))
    page.text_input[0].set_value("ours").run()
    assert "The name is taken" in rooms.said(page)
    assert next(one for one in page.button if one.label == "Import").disabled
    page.segmented_control[0].set_value("add").run()
    press(page, "Import")
    assert "1 questions added" in rooms.said(page) or "1 question added" in rooms.said(page)
    assert collections(database)[0].questions == 2


def test_a_built_in_collection_is_not_added_to(samples: Database) -> None:
    page = upload(("ours.jsonl", GOOD))
    page.text_input[0].set_value("Charged twice").run()
    assert "choose another name" in rooms.said(page)
    assert next(one for one in page.button if one.label == "Import").disabled


def test_the_next_step_of_a_collection_fills_in_its_name(
    database: Database, tmp_path: Path
) -> None:
    rooms.store(database, [json.loads(GOOD)], tmp_path, name="Ours")
    page = upload(("next.jsonl", GOOD), c="Ours")
    assert page.text_input[0].value == "Ours"
    assert page.segmented_control[0].value == "update"


def test_typing_a_name_does_not_read_the_files_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []
    look = importing.examine
    monkeypatch.setattr(importing, "examine", lambda *a, **b: looks.append(1) or look(*a, **b))
    page = upload(("ours.jsonl", GOOD))
    page.text_input[0].set_value("first").run()
    page.text_input[0].set_value("second").run()
    assert len(looks) == 1


def test_hostile_file_names_and_texts_stay_texts(database: Database) -> None:
    line = json.dumps({"question": rooms.HOSTILE, "passages": 5}).encode()
    page = upload((f"../../{rooms.HOSTILE}.jsonl", line))
    assert "1 problem" in rooms.said(page)
    rooms.assert_nothing_runs(page)


def test_a_problem_as_long_as_its_file_is_shortened() -> None:
    report = Report(rows_read=1)
    report.add(Problem(file="a.jsonl", line=1, found="x" * 65_536, accepted="less"))
    assert len(importing.problems_html(report)) < 2_000


def test_many_problems_are_counted_and_the_first_are_shown() -> None:
    report = Report(rows_read=5_000)
    for line in range(5_000):
        report.add(Problem(file="a.jsonl", line=line, found="x", accepted="y"))
    html = importing.problems_html(report)
    assert len(reading.rows(html)) == importing.MOST_PROBLEMS + 1
    assert "and 4,800 more" in reading.words(html)


def test_a_download_comes_back_as_the_same_collection(database: Database, tmp_path: Path) -> None:
    rooms.store(database, [json.loads(GOOD), json.loads(MORE)], tmp_path, name="Ours")
    press(upload(("again.jsonl", shelf.exported("Ours"))), "Import")
    before, after = (shelf.exported(name) for name in names(database))
    assert before == after


def test_deleting_needs_the_name_typed(database: Database, tmp_path: Path) -> None:
    rooms.store(database, [json.loads(GOOD)], tmp_path, name="Ours")
    page = rooms.open_page("data")
    assert "Deletes 1 question." in rooms.said(page)
    page.text_input[0].set_value("ours")
    press(page, "Delete it")
    assert "nothing was deleted" in rooms.said(page)
    assert names(database) == ["Ours"]
    page.text_input[0].set_value("Ours")
    press(page, "Delete it")
    assert names(database) == []
    assert "Nothing is stored yet." in rooms.said(page)


def test_built_in_collections_can_be_brought_back(database: Database) -> None:
    page = rooms.open_page("data")
    page.button(key="bring-back").click().run(timeout=60)
    assert not page.exception
    assert "Charged twice" in names(database)
    assert all(one.made_up for one in collections(database))
    assert not any(one.key == "bring-back" for one in page.button)


@pytest.mark.parametrize("address", [{"c": "gone"}, {"c": "x" * 9999}, {"q": "?", "page": "-1"}])
def test_odd_addresses_never_fail(samples: Database, address: dict) -> None:
    page = rooms.open_page("data", **address)
    assert not page.exception
    assert "Charged twice" in rooms.said(page)


def test_outcomes_are_added_to_questions_that_are_stored(database: Database) -> None:
    page = upload(("ours.jsonl", b'{"id": "q1", ' + GOOD[1:]))
    press(page, "Import")
    page = rooms.open_page("data")
    rows = b"question,arm,correct\nq1,old,yes\nq1,new,no\n"
    page.file_uploader[1].set_value([("outcomes.csv", rows, "text/csv")])
    press(page, "Add them")
    assert "ours: 2 outcomes on 1 questions." in rooms.said(page)
    assert collections(database)[0].with_outcomes == 1
