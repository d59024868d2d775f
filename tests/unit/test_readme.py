"""The README is a promise: what it names exists, and what exists is named."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from selection.measures.registry import measure_names
from selection.registry import list_selectors, parse_selector, selector_class
from storage.__main__ import parser
from storage.formats import Report, format_of
from tests import readme

ROOT = Path(__file__).resolve().parents[2]
TEXT = readme.README.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)


def commands() -> Iterator[list[str]]:
    """Every `python -m storage ...` of the README, without its first three words."""
    for line in "".join(blocks("sh")).splitlines():
        if " -m storage " in line:
            yield shlex.split(line)[3:]


def test_the_tables_are_those_of_the_registry() -> None:
    renewed = readme.renewed(TEXT)
    assert renewed == TEXT, "run `python -m tests.readme` and commit README.md"


def test_every_selector_parameter_and_measure_of_our_own_is_named() -> None:
    ours = [n for n in list_selectors() if selector_class(n).__module__.startswith("selection.")]
    names = {*ours, *measure_names()}
    names |= {param.name for name in ours for param in selector_class(name).params}
    assert {name for name in names if f"`{name}`" not in TEXT} == set()


def test_tables_without_markers_are_refused() -> None:
    with pytest.raises(ValueError, match="markers"):
        readme.renewed("# Rank 13\n")


@pytest.mark.parametrize("words", ["streamlit run", "pytest"])
def test_each_of_the_two_commands_stands_on_exactly_one_line(words: str) -> None:
    (line,) = [line for line in TEXT.splitlines() if words in line]
    assert line.startswith("python3 -m venv .venv && .venv/bin/pip install -q -r ")
    (requirements,) = re.findall(r"-r (\S+)", line)
    assert (ROOT / requirements).is_file()


def test_every_command_of_the_readme_is_understood() -> None:
    said = list(commands())
    assert {"import", "collections", "inspect", "compare", "export"} <= {one[0] for one in said}
    for one in said:
        options = parser().parse_args(one)
        for spec in getattr(options, "selector", None) or ():
            assert parse_selector(spec).spec


@pytest.mark.parametrize(("language", "format"), [("json", "jsonl"), ("csv", "table")])
def test_the_smallest_files_can_be_imported(tmp_path: Path, language: str, format: str) -> None:
    (block,) = blocks(language)
    file = tmp_path / f"smallest.{language}"
    file.write_text(block, encoding="utf-8")
    report = Report()
    (record,) = format_of(format).read([file], report)
    report.raise_if_any()
    assert record.question == "Why was I charged twice?"
    assert len(record.passages) == 2


def test_every_file_that_it_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)
    assert links
    assert [link for link in links if not (ROOT / link).is_file()] == []
