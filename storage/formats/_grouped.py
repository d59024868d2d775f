"""What formats share whose questions are spread over rows, or over several files of one import."""

from __future__ import annotations

from collections.abc import Callable

from storage.formats._fields import Fields, quoted


class OneFile:
    """Sees to it that the passages of a question stand in one file only."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[int, str]] = {}
        self._told: set[tuple[str, int]] = set()

    def takes(self, id: str, file: int, fields: Fields, field: str) -> bool:
        """Whether this file (by its place in the import) is the first with the question.

        If it is not, that is reported, once a question and file.
        """
        first, where = self._first.setdefault(id, (file, fields.where))
        if first != file and (id, file) not in self._told:
            self._told.add((id, file))
            found = f"{quoted(id)}, which {where} has as well"
            fields.wrong(field, found, "the passages of a question in one file")
        return first == file


def unique(id: str, taken: Callable[[str], bool]) -> str:
    """An id that is not taken: the second ends in -2."""
    made, times = id, 1
    while taken(made):
        times += 1
        made = f"{id}-{times}"
    return made
