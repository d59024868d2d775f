"""What every registered format keeps to: a file is read or explained, nothing else is raised."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.formats import format_of, list_formats
from storage.records import QuestionRecord
from storage.report import Report

EVERY = pytest.mark.parametrize(
    "name", [name for name in list_formats() if format_of(name).reads], ids=str
)
HOSTILE = "<script>alert(1)</script> [x](javascript:1) $y$ **z** =1+1 \u202e\u2066 \x7f é 🜲 {{a}}"
Content = Mapping[str, bytes]


def example(name: str) -> dict[str, bytes]:
    return {file: text.encode() for file, text in format_of(name).example.items()}


def read(name: str, content: Content, folder: Path) -> tuple[list[QuestionRecord], Report]:
    """Records and report; checks what holds for every content that is not quite empty."""
    records, report = looked(name, content, folder)
    assert records or report.total, "nothing was read and nothing was explained"
    return records, report


def looked(name: str, content: Content, folder: Path) -> tuple[list[QuestionRecord], Report]:
    """Records and report; checks what holds for every content."""
    paths = []
    for file, data in content.items():
        (folder / file).write_bytes(data)
        paths.append(folder / file)
    report = Report()
    records = list(format_of(name).read(paths, report))
    assert len({record.id for record in records}) == len(records)
    for record in records:
        keeps_to_what_selectors_accept(record)
    for problem in report.problems:
        assert str(problem).isprintable()
        assert problem.file in content
        assert problem.found
        assert problem.accepted
    if report.total:
        assert report.refusal.endswith("Nothing was stored.")
    return records, report


def keeps_to_what_selectors_accept(record: QuestionRecord) -> None:
    assert record.id.strip()
    assert record.question.strip()
    ids = [passage.id for passage in record.passages]
    assert len(set(ids)) == len(ids)
    assert set(record.answer_bearing or ()) <= set(ids)
    facts = {fact.id for fact in record.facts}
    for passage in record.passages:
        assert passage.tokens is None or passage.tokens >= 0
        assert passage.score is None or math.isfinite(passage.score)
        assert {support.fact for support in passage.supports or ()} <= facts
        passage.text.encode()
    json.dumps(
        [dict(record.metadata), [dict(p.metadata) for p in record.passages]], allow_nan=False
    )


def a_text(name: str, folder: Path) -> bytes:
    """The start of the first passage, as it stands in the example."""
    records, _ = read(name, example(name), folder)
    return records[0].passages[0].text[:12].encode()


def replaced(name: str, folder: Path, by: bytes) -> dict[str, bytes]:
    """The example with the start of its first passage replaced."""
    old = a_text(name, folder)
    content = {file: data.replace(old, by, 1) for file, data in example(name).items()}
    assert content != example(name)
    return content


@EVERY
def test_the_example_of_the_format_is_read_without_a_problem(name: str, tmp_path: Path) -> None:
    records, report = read(name, example(name), tmp_path)
    report.raise_if_any()
    assert records
    assert report.rows_usable == report.rows_read >= len(records)


@EVERY
def test_marks_and_packing_change_nothing(name: str, tmp_path: Path) -> None:
    records, _ = read(name, example(name), tmp_path)
    marked = {file: b"\xef\xbb\xbf" + data for file, data in example(name).items()}
    packed = {file: gzip.compress(data) for file, data in marked.items()}
    for content in (marked, packed):
        again, report = read(name, content, tmp_path)
        report.raise_if_any()
        assert again == records


@EVERY
def test_a_declaration_says_what_a_person_needs(name: str) -> None:
    declared = format_of(name)
    assert declared.title
    assert declared.help.endswith(".")
    assert all(suffix.startswith(".") for suffix in declared.suffixes)
    assert declared.suffixes


@EVERY
@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)], ids=repr
)
def test_an_empty_file_is_explained(name: str, data: bytes, tmp_path: Path) -> None:
    records, report = read(name, dict.fromkeys(example(name), data), tmp_path)
    assert records == []
    assert report.total


@EVERY
def test_a_file_that_is_not_there_is_explained(name: str, tmp_path: Path) -> None:
    report = Report()
    assert list(format_of(name).read([tmp_path / "none"], report)) == []
    assert report.total == 1


@EVERY
def test_a_file_that_is_cut_off_anywhere_is_read_or_explained(name: str, tmp_path: Path) -> None:
    whole = example(name)
    for file, data in whole.items():
        explained = 0
        for end in range(1, len(data) - 1):
            _, report = read(name, whole | {file: data[:end]}, tmp_path)
            explained += bool(report.total)
        assert explained > len(data) / 3


@EVERY
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_another_unicode_encoding_is_explained(name: str, encoding: str, tmp_path: Path) -> None:
    content = {file: data.decode().encode(encoding) for file, data in example(name).items()}
    records, report = read(name, content, tmp_path)
    assert records == []
    assert "UTF-8" in report.problems[0].accepted


@EVERY
def test_a_byte_that_is_no_utf_8_is_explained_with_its_line(name: str, tmp_path: Path) -> None:
    _, report = read(name, replaced(name, tmp_path, "Größe".encode("cp1252")), tmp_path)
    assert any("0xF6" in problem.found and problem.line for problem in report.problems)


@EVERY
def test_the_same_file_twice_is_a_repeat_of_its_questions(name: str, tmp_path: Path) -> None:
    read(name, example(name), tmp_path)
    paths = [tmp_path / file for file in format_of(name).example]
    report = Report()
    once = list(format_of(name).read(paths, Report()))
    twice = list(format_of(name).read(paths + paths, report))
    given = [problem for problem in report.problems if "has as well" in problem.found]
    assert len(given) + len(twice) == 2 * len(once)
    assert given


@EVERY
def test_a_field_of_a_megabyte_is_read(name: str, tmp_path: Path) -> None:
    records, report = read(name, replaced(name, tmp_path, b"x" * 1_000_000), tmp_path)
    report.raise_if_any()
    assert len(records[0].passages[0].text) >= 1_000_000


@EVERY
def test_hostile_text_is_kept_as_it_is(name: str, tmp_path: Path) -> None:
    records, report = read(name, replaced(name, tmp_path, HOSTILE.encode()), tmp_path)
    report.raise_if_any()
    assert records[0].passages[0].text.startswith(HOSTILE)


@EVERY
@pytest.mark.parametrize("bad", [b"\x00", b"\\u0000", b"\\ud800", b'"', b"\\", b"\x1b[31m", b"\r"])
def test_a_text_with_what_files_trip_over_is_read_or_explained(
    name: str, bad: bytes, tmp_path: Path
) -> None:
    read(name, replaced(name, tmp_path, b"a" + bad + b"b"), tmp_path)


@EVERY
def test_a_nul_character_is_never_read(name: str, tmp_path: Path) -> None:
    _, report = read(name, replaced(name, tmp_path, b"a\x00b"), tmp_path)
    assert report.total


@EVERY
def test_numbers_for_texts_and_texts_for_numbers_are_read_or_explained(
    name: str, tmp_path: Path
) -> None:
    for old, new in ((b'"', b""), (b": 1", b': "1"'), (b"5", b'"5"'), (b"a", b"1")):
        content = {file: data.replace(old, new) for file, data in example(name).items()}
        read(name, content, tmp_path)


@EVERY
def test_every_other_format_s_file_is_explained(name: str, tmp_path: Path) -> None:
    for other in list_formats():
        if other == name or not format_of(other).reads:
            continue
        records, report = read(name, example(other), tmp_path)
        assert records == []
        assert report.total


@EVERY
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_damage_is_read_or_explained(name: str, tmp_path: Path, data: st.DataObject) -> None:
    whole = example(name)
    file = data.draw(st.sampled_from(sorted(whole)))
    content = whole[file]
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, min(len(content), start + 20)))
    junk = data.draw(
        st.binary(max_size=8)
        | st.sampled_from(
            [b"null", b"NaN", b"1e999", b"[", b"}", b'""', b"-1", b"true", b",", b"\n"]
        )
    )
    read(name, whole | {file: content[:start] + junk + content[end:]}, tmp_path)
