"""The built-in collections: made-up data with which everything can be tried before one's own.

One module a sample. A module whose name does not start with an underscore declares `SAMPLE`; that
is all there is to adding one. Texts are kept beside the code, in `texts/`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from storage.records import QuestionRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One built-in collection.

    name: as shown and as stored. note: what it is, that it is made up, what to look at.
    order: place in lists, ascending. seed: what its random numbers start from, None where nothing
    is drawn. records: makes the questions, the same ones at every call.
    """

    name: str
    note: str
    order: int
    seed: int | None
    records: Callable[[], Iterator[QuestionRecord]]


@cache
def all_samples() -> tuple[Sample, ...]:
    """Every built-in collection in the order of display."""
    modules = (
        importlib.import_module(f"{__name__}.{found.name}")
        for found in pkgutil.iter_modules(__path__)
        if not found.name.startswith("_")
    )
    samples: list[Sample] = [module.SAMPLE for module in modules]
    return tuple(sorted(samples, key=lambda sample: (sample.order, sample.name)))
