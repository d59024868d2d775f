"""Masking what tells who somebody is, before anything is stored.

Every character of what is found becomes a block, so that places of claims and facts stay right.
Only patterns are known here: names and addresses of streets are not found. Ids stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from storage.records import ArmOutcome, Claim, Fact, PassageRecord, QuestionRecord

MASK = "█"
LONGEST_LOCAL, LONGEST_NUMBER = 64, 34
_PATTERNS = (
    # Every repetition is bounded, so that no text takes long.
    re.compile(
        rf"(?<![\w.+-])[\w.+-]{{1,{LONGEST_LOCAL}}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,8}}"
    ),
    # Account numbers of banks: two letters, two digits, then groups.
    re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"),
    # Numbers of cards: 13 to 19 digits in one piece or in groups.
    re.compile(r"(?<![\w.,+])\+?\d(?:[ -]?\d){12,18}(?![\w])"),
    # Telephones: with a country's number, or a leading zero and groups.
    re.compile(r"(?<![\w.,])(?:\+\d{1,3}|\(?0\d{1,5}\)?)(?:[ /.-]?\(?\d{1,5}\)?){2,6}(?![\w])"),
)
SHORTEST_PHONE = 8


def redacted(record: QuestionRecord) -> QuestionRecord:
    """A record with e-mail addresses and numbers of accounts, cards and telephones masked."""
    return replace(
        record,
        question=masked(record.question),
        passages=tuple(_passage(one) for one in record.passages),
        facts=tuple(_fact(one) for one in record.facts),
        arms=tuple(_arm(one) for one in record.arms),
        metadata=_values(record.metadata),
    )


def masked(text: str) -> str:
    """A text of the same length, with what was found replaced character by character."""
    for pattern in _PATTERNS:
        text = pattern.sub(_block, text)
    return text


def _block(found: re.Match[str]) -> str:
    said = found[0]
    digits = sum(one.isdigit() for one in said)
    return said if "@" not in said and digits < SHORTEST_PHONE else MASK * len(said)


def _passage(one: PassageRecord) -> PassageRecord:
    claims = None if one.claims is None else tuple(_claim(claim) for claim in one.claims)
    return replace(one, text=masked(one.text), claims=claims, metadata=_values(one.metadata))


def _claim(one: Claim) -> Claim:
    text = None if one.text is None else masked(one.text)
    return replace(one, key=masked(one.key), text=text)


def _fact(one: Fact) -> Fact:
    alternatives = tuple(masked(text) for text in one.alternatives)
    return replace(one, text=masked(one.text), alternatives=alternatives)


def _arm(one: ArmOutcome) -> ArmOutcome:
    return replace(one, answer=None if one.answer is None else masked(one.answer))


def _values(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _value(value) for key, value in metadata.items()}


def _value(value: Any) -> Any:
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        return _values(value)
    if isinstance(value, list | tuple):
        return [_value(one) for one in value]
    return value
