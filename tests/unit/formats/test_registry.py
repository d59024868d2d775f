"""The registry of formats, and telling formats apart by their content."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from storage.formats import Format, format_of, guess, list_formats, register_format


def test_formats_are_found_without_a_list_kept_by_hand() -> None:
    modules = {p.stem.replace("_", "-") for p in Path("storage/formats").glob("[!_]*.py")}
    assert set(list_formats()) == modules
    assert list_formats() == sorted(list_formats())


def test_an_unknown_format_is_refused_by_listing_those_that_exist() -> None:
    with pytest.raises(
        ValueError, match=r"no format 'xml'; there are .*jsonl.*Nothing was stored\."
    ):
        format_of("xml")


def test_a_name_cannot_be_taken_twice() -> None:
    with pytest.raises(ValueError, match=r"a format 'jsonl' already, in storage\.formats\.jsonl"):

        @register_format("jsonl", title="", suffixes=(), ranked=True, help="", example={})
        class Other(Format):
            pass

    assert type(format_of("jsonl")).__name__ == "JsonLines"


def test_only_orders_that_are_rankings_are_declared_so() -> None:
    ranked = {name: format_of(name).ranked for name in ("jsonl", "table", "musique", "hotpotqa")}
    assert ranked == {"jsonl": True, "table": True, "musique": False, "hotpotqa": False}


def test_a_format_that_cannot_be_written_says_so() -> None:
    assert format_of("jsonl").writes
    assert not format_of("musique").writes
    with pytest.raises(
        ValueError, match=r"MuSiQue can be read, not written; nothing was written\."
    ):
        format_of("musique").write([], io.StringIO())


@pytest.mark.parametrize("name", list_formats())
def test_a_file_is_recognised_by_its_content_whatever_its_name(name: str, tmp_path: Path) -> None:
    for file, content in format_of(name).example.items():
        path = tmp_path / f"{file}.unknown"
        path.write_text(content)
        assert guess(path) == name
        path.write_bytes(b"\xef\xbb\xbf" + content.encode())
        assert guess(path) == name
        path.write_bytes(gzip.compress(content.encode()))
        assert guess(path) == name


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", b"hello", b"[]", b"[1, 2]", b"{", b'{"a": 1}', b"a,b\n1,2\n", b"\xff\xfea\x00"],
)
def test_what_shows_no_sign_of_a_format_is_not_guessed(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert guess(path) is None


def test_a_file_that_is_not_there_is_not_guessed(tmp_path: Path) -> None:
    assert guess(tmp_path / "none.jsonl") is None
    assert guess(tmp_path) is None


def test_a_broken_first_line_does_not_hide_the_format(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"question": "a", "pass\n{"question": "b", "passages": ["c"]}\n')
    assert guess(path) == "jsonl"
