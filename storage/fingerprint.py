"""Fingerprints: whether a question, or a collection, is still what it was."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable

from storage.records import QuestionRecord


def fingerprint(record: QuestionRecord) -> str:
    """SHA-256 of everything that a record says, order of passages included."""
    text = json.dumps(dataclasses.asdict(record), sort_keys=True, default=list)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def combined(fingerprints: Iterable[str]) -> str:
    """One fingerprint over many, whatever their order."""
    return hashlib.sha256("".join(sorted(fingerprints)).encode()).hexdigest()
