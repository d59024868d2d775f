"""Knowledge flows one way: pages -> storage -> selection. Read from the imports themselves."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LANGUAGE = {"sklearn", "bm25s", "sentencex", "bpe_openai", "nltk", "spacy"}


def modules(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert found, f"no module under {folders}"
    return found


def imports(path: Path, *, top_level_only: bool = False) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    nodes = tree.body if top_level_only else list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide where knowledge comes from"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def offenders(paths: list[Path], forbidden: set[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in paths
        for name in imports(path)
        if name.split(".")[0] in forbidden
    ]


def test_the_library_knows_nobody() -> None:
    forbidden = {
        "storage",
        "pages",
        "app",
        "streamlit",
        "sqlalchemy",
        "alembic",
        "pandas",
        "altair",
    }
    assert offenders(modules("selection"), forbidden) == []


def test_the_library_stands_on_the_standard_library_numpy_and_scipy() -> None:
    allowed = {"numpy", "scipy", "selection", "__future__"} | set(sys.stdlib_module_names)
    text = ROOT / "selection" / "text"
    strangers = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("selection")
        for name in imports(path)
        if name.split(".")[0] not in allowed | (LANGUAGE if text in path.parents else set())
    ]
    assert strangers == []


def test_language_libraries_are_imported_when_first_used() -> None:
    early = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("selection")
        for name in imports(path, top_level_only=True)
        if name.split(".")[0] in LANGUAGE
    ]
    assert early == []


def test_storage_knows_no_page() -> None:
    assert offenders(modules("storage"), {"pages", "app", "streamlit", "altair"}) == []


def test_only_storage_speaks_to_the_database() -> None:
    paths = [*modules("selection", "pages"), ROOT / "app.py"]
    assert offenders(paths, {"sqlalchemy", "alembic", "sqlite3"}) == []


def pages() -> list[Path]:
    return [path for path in sorted((ROOT / "pages").glob("*.py")) if path.stem != "__init__"]


def test_no_page_imports_another_page() -> None:
    names = {f"pages.{path.stem}" for path in pages()}
    found = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules("pages")
        for name in imports(path)
        if name in names and name != f"pages.{path.stem}"
    ]
    assert found == []


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.stem)
def test_no_page_has_the_name_of_a_standard_module(path: Path) -> None:
    assert path.stem not in sys.stdlib_module_names
