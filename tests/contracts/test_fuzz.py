"""Files that somebody broke on purpose: read or explained, never an exception, never a long wait.

R13_FUZZ sets how many files a format gets; 6,500 make a hundred thousand in all.
"""

from __future__ import annotations

import copy
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.engine import Database
from storage.formats import format_of, guess, list_formats
from storage.imports import import_files
from storage.opening import open_database
from storage.prepare import prepare
from storage.queries import collections, question
from storage.removal import remove_collection
from tests.contracts.test_formats import Content, looked

EXAMPLES = int(os.environ.get("R13_FUZZ", "300"))
STORED = max(20, EXAMPLES // 20)
SECONDS = 5.0
EVERY = pytest.mark.parametrize(
    "name", [name for name in list_formats() if format_of(name).reads], ids=str
)
FUZZ = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


def deep(depth: int) -> Any:
    """Lists in lists."""
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        [
            10**400, -1, 0, 1e308, -0.0, "", " ", "\x00", "a\x00b", "\ud800", "\udfff x", "\u202e",
            "\u2066x", "\ufeff", "\r\n", "\x85", "=1+1", "<script>", "NaN", "1e999", "[", "{",
            "x" * 100_000, [], {}, [None], {"": None}, deep(50), [[1], ["a"]], {"id": {"id": {}}},
            ["a"] * 500,
        ]
    ),
)  # fmt: skip
CHUNKS = st.one_of(
    st.binary(max_size=12),
    st.sampled_from(
        [b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b"'", b"\\", b"\\ud800", b"\n", b"\r", b"\t",
         b",", b"{", b"}", b"[" * 5_000, b"null", b"NaN", b"1e999", b"\xed\xa0\x80", b"PAR1",
         b"\x1f\x8b", b"PK\x03\x04", b"Q0", b"-1", b"9" * 5_000, b'{"a":' * 2_000]
    ),
)  # fmt: skip


@st.composite
def broken(draw: st.DrawFn, name: str) -> Content:
    """The example of a format, changed in one to four places: in its tree, or in its bytes."""
    content = {file: text.encode() for file, text in format_of(name).example.items()}
    for _ in range(draw(st.integers(1, 4))):
        file = draw(st.sampled_from(sorted(content)))
        in_tree = draw(st.booleans())
        changed = grafted(draw, content[file]) if in_tree else None
        content[file] = spliced(draw, content[file]) if changed is None else changed
    return content


def spliced(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes with a piece cut out, and another put in its place."""
    start = draw(st.integers(0, len(data)))
    end = draw(st.integers(start, min(len(data), start + 40)))
    piece = draw(st.one_of(CHUNKS, st.just(data[start:end] * 2)))
    return data[:start] + piece + data[end:]


def grafted(draw: st.DrawFn, data: bytes) -> bytes | None:
    """JSON, or lines of JSON, with one value replaced, dropped or doubled; None for other files."""
    try:
        text = data.decode()
        lines = text.splitlines() if text.count("\n{") or text.startswith("{") else []
        trees = [json.loads(line) for line in lines if line.strip()]
        one = False
    except (ValueError, RecursionError):
        trees = []
    if not trees:
        try:
            trees, one = [json.loads(data)], True
        except (ValueError, RecursionError):
            return None
    tree = draw(st.sampled_from(trees))
    places = list(places_of(tree))
    if places:
        holder, key = draw(st.sampled_from(places))
        change(draw, holder, key)
    dumped = [json.dumps(each) for each in trees]
    return (dumped[0] if one else "\n".join(dumped) + "\n").encode()


def places_of(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a tree: what holds it, and under which key."""
    keys = (
        list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    )
    for key in keys:
        yield tree, key
        yield from places_of(tree[key])


def change(draw: st.DrawFn, holder: Any, key: Any) -> None:
    deed = draw(st.sampled_from(["replace", "drop", "double", "rename"]))
    if deed == "replace":
        holder[key] = draw(VALUES)
    elif deed == "drop":
        del holder[key]
    elif isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    else:
        holder[str(draw(VALUES))[:50]] = copy.deepcopy(holder[key])


@pytest.mark.heavy
@pytest.mark.timeout(3600)
@EVERY
def test_a_broken_file_is_read_or_explained(name: str, tmp_path: Path) -> None:
    @settings(max_examples=EXAMPLES, suppress_health_check=FUZZ)
    @given(broken(name))
    def check(content: Content) -> None:
        started = time.perf_counter()
        records, _ = looked(name, content, tmp_path)
        for record in records:
            prepare(record, ranked=format_of(name).ranked)
        for file in content:
            guess(tmp_path / file)
        assert time.perf_counter() - started < SECONDS

    check()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path / 'fuzz.sqlite'}", samples=False)
    yield opened
    opened.close()


@pytest.mark.heavy
@pytest.mark.timeout(3600)
@EVERY
def test_what_is_read_can_be_stored_and_opened(
    name: str, database: Database, tmp_path: Path
) -> None:
    @settings(max_examples=STORED, suppress_health_check=FUZZ)
    @given(broken(name))
    def check(content: Content) -> None:
        paths = [tmp_path / file for file in content]
        for path in paths:
            path.write_bytes(content[path.name])
        try:
            import_files(database, paths, format=name, collection="fuzz")
        except ValueError:
            assert not collections(database)
            return
        try:
            records, _ = looked(name, content, tmp_path)
            for record in records[:3]:
                question(database, "fuzz", record.id)
        finally:
            remove_collection(database, "fuzz")

    check()
