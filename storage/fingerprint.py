"""Fingerprints: whether a question, or a collection, is still what it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from storage.records import QuestionRecord


def fingerprint(record: QuestionRecord) -> str:
    """SHA-256 of everything that a record says, order of passages included."""
    text = json.dumps(record, sort_keys=True, default=_plain)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _plain(value: Any) -> Any:
    """A record as its fields, anything else (a set, a mapping) as a list; nothing is copied."""
    names = getattr(value, "__dataclass_fields__", None)
    return list(value) if names is None else {name: getattr(value, name) for name in names}


def combined(fingerprints: Iterable[str]) -> str:
    """One fingerprint over many, whatever their order."""
    return hashlib.sha256("".join(sorted(fingerprints)).encode()).hexdigest()
