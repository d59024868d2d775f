"""The registry of file formats: one file a format, which declares itself, once.

A module whose name does not start with an underscore is a format; there is no other list.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar, TextIO, TypeVar

from storage.formats._peek import Peek, peek
from storage.records import QuestionRecord
from storage.report import ImportRefused, Problem, Report

__all__ = [
    "Format",
    "ImportRefused",
    "Peek",
    "Problem",
    "Report",
    "format_of",
    "guess",
    "list_formats",
    "register_format",
]


class Format:
    """A file format. A subclass implements `read` or `write` or both, and `recognises`.

    title, help: for people. suffixes: usual file endings. ranked: the file's order is a ranking.
    example: file name -> content of a small import that has no problem.
    reads, writes: which of the two it can.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    ranked: ClassVar[bool]
    help: ClassVar[str]
    example: ClassVar[Mapping[str, str]]
    reads: ClassVar[bool]
    writes: ClassVar[bool]

    def recognises(self, peek: Peek) -> int:
        """How many signs of this format the start of a file shows; 0 is "not this one"."""
        return 0

    def read(self, paths: Sequence[Path], report: Report) -> Iterator[QuestionRecord]:
        """The questions of one import, one by one; those with problems are left out.

        Problems go to the report and never raise; they are complete once the iterator has ended.
        """
        raise ValueError(f"{self.title} can be written, not read; nothing was stored.")

    def write(self, records: Iterable[QuestionRecord], stream: TextIO) -> None:
        """Write questions as text.

        :raises ValueError: where this format can only be read.
        """
        raise ValueError(f"{self.title} can be read, not written; nothing was written.")


_formats: dict[str, Format] = {}

F = TypeVar("F", bound=type[Format])


def register_format(
    name: str,
    *,
    title: str,
    suffixes: Sequence[str],
    ranked: bool,
    help: str,
    example: Mapping[str, str],
) -> Callable[[F], F]:
    """Register a format class under a name.

    :raises ValueError: where the name is taken by another class.
    """

    def add(cls: F) -> F:
        taken = _formats.get(name)
        if taken is not None and type(taken).__qualname__ != cls.__qualname__:
            raise ValueError(f"There is a format {name!r} already, in {type(taken).__module__}.")
        cls.name, cls.title, cls.help, cls.ranked = name, title, help, ranked
        cls.suffixes, cls.example = tuple(suffixes), dict(example)
        cls.reads, cls.writes = cls.read is not Format.read, cls.write is not Format.write
        _formats[name] = cls()
        return cls

    return add


@cache
def _discover() -> None:
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        if not module.name.rpartition(".")[2].startswith("_"):
            importlib.import_module(module.name)


def list_formats() -> list[str]:
    """The names of all formats, sorted."""
    _discover()
    return sorted(_formats)


def format_of(name: str) -> Format:
    """The format behind a name.

    :raises ValueError: listing the names that exist.
    """
    _discover()
    if name not in _formats:
        names = ", ".join(list_formats())
        raise ValueError(f"There is no format {name!r}; there are {names}. Nothing was stored.")
    return _formats[name]


def guess(path: Path) -> str | None:
    """The format that the content of a file shows most signs of; None where it shows none."""
    seen = peek(path)
    signs = {name: format_of(name).recognises(seen) for name in list_formats()}
    best = max(signs, key=lambda name: signs[name])
    return best if signs[best] else None
