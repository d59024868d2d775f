"""The kinds of jobs, one file each; each declares what `Kind` says.

A kind turns a request into a function for a chunk of pools, and what that returns into bytes that
are kept. Chunks may be finished in any order, and each one once.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from sqlalchemy import Connection

from selection.model import Pool
from storage.engine import Database

Task = Callable[[Sequence[Pool]], Any]
"""Runs one chunk. It may travel to another process: it can be pickled, and imported there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a request comes down to.

    check: raises ValueError where a chunk cannot be run; called where pools are whole. needs: what
    selectors read of a pool, as they declare it. relevance: how scores are rescaled. slice:
    questions after which a job that runs in one process looks up.
    """

    task: Task
    check: Callable[[Sequence[Pool]], None]
    needs: frozenset[str]
    relevance: str | None
    slice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A job whose chunks are all there, in order. fingerprints: question -> its fingerprint."""

    job: int
    collection_id: int
    collection: str
    request: Mapping[str, Any]
    author: str
    fingerprint: str
    fingerprints: Mapping[str, str]
    payloads: Sequence[bytes]


class Kind(Protocol):
    """What a module of this package declares. KEEPS: its chunks are its result, and stay."""

    KEEPS: bool

    def check(self, database: Database, collection: str, request: Mapping[str, Any]) -> None: ...

    def work(self, request: Mapping[str, Any]) -> Work: ...

    def packed(self, results: Sequence[Any]) -> bytes: ...

    def finish(self, connection: Connection, finished: Finished) -> str: ...


@cache
def kinds() -> Mapping[str, Any]:
    """Every kind by the name of its file."""
    names = [m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")]
    return {name: importlib.import_module(f"{__name__}.{name}") for name in sorted(names)}


def kind_of(name: str) -> Any:
    """The module of a kind.

    :raises ValueError: listing the kinds that there are.
    """
    if name not in kinds():
        raise ValueError(f"There is no kind of job {name!r}; there are {', '.join(kinds())}.")
    return kinds()[name]
