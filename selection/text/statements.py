"""What a passage says, computed: its sentences, each under one key for all of its spellings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from selection.text.lexemes import lexemes
from selection.text.meaning import (
    CONDITION_PHRASES,
    CONDITIONS,
    NEGATIONS,
    NUMBER_WORDS,
    ONE,
    PRIMES,
    UNITS,
)
from selection.text.normal import CURRENCY
from selection.text.sentences import sentences

Carried = Literal["number", "unit", "negation", "condition"]

PLACEHOLDER = "#"
_COMPARING = frozenset("<>=+-~±≤≥≈≠^")
_MONEY = re.compile(f"[{CURRENCY}]")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a passage. key: what it says, the same for every spelling of it.

    start, end: its place in the passage's text in characters, end exclusive.
    """

    key: str
    start: int
    end: int


def statements(text: str) -> list[Statement]:
    """Every sentence that says something, in order; one that is said twice stands twice.

    Sentences without a letter or a digit are left out.
    """
    found = [(statement_key(text[at.start : at.end]), at) for at in sentences(text)]
    return [Statement(key, at.start, at.end) for key, at in found if any(map(str.isalnum, key))]


def statement_key(sentence: str) -> str:
    """The sentence without what differs between copies: case, quotes, blanks, dashes, punctuation.

    Two sentences that differ in a number, a unit or a negation never share a key; where a spelling
    is ambiguous (1,000 may be one or a thousand) the keys differ too.
    """
    return " ".join(lexemes(sentence))


def skeleton(key: str) -> str:
    """The key with every quantity (numbers with units and comparisons) replaced by one "#".

    Different keys with one skeleton differ only in numbers or units. Empty where no word is left:
    bare quantities, as in the cell of a table, are about nothing that could be compared.
    """
    words: list[str] = []
    for quantity, pieces in _runs(key.split()):
        words += [PLACEHOLDER] if quantity else pieces
    return " ".join(words) if any(map(str.isalpha, "".join(words))) else ""


def carries(key: str) -> frozenset[Carried]:
    """Which of the things that a near-copy may change are in a statement."""
    words = key.split()
    found: set[Carried] = set()
    for quantity, pieces in _runs(words):
        if quantity:
            found.add("number")
            if any(_is_unit(piece) for piece in pieces):
                found.add("unit")
    if not NEGATIONS.isdisjoint(words):
        found.add("negation")
    if not CONDITIONS.isdisjoint(words) or CONDITION_PHRASES.search(key):
        found.add("condition")
    return frozenset(found)


def _runs(words: list[str]) -> Iterator[tuple[bool, list[str]]]:
    """The words in stretches: quantities (True), and what stands between them (False)."""
    at = 0
    plain: list[str] = []
    while at < len(words):
        end = _quantity_end(words, at)
        if end == at:
            plain.append(words[at])
            at += 1
            continue
        if plain:
            yield False, plain
        yield True, words[at:end]
        plain, at = [], end
    if plain:
        yield False, plain


def _quantity_end(words: list[str], start: int) -> int:
    """Where the quantity that starts here ends: numbers with units; `start` where there is none."""
    at = start
    while at < len(words) and (words[at] in _COMPARING or _MONEY.match(words[at])):
        at += 1
    if at == len(words) or not _is_number(words, at):
        return start
    while at < len(words) and (
        _is_number(words, at) or _is_unit(words[at]) or words[at] in _COMPARING
    ):
        at += 1
    return at


def _is_number(words: list[str], at: int) -> bool:
    word = words[at]
    if word in ONE:
        return at + 1 < len(words) and _is_unit(words[at + 1])
    return word[-1].isdecimal() or word in NUMBER_WORDS


def _is_unit(word: str) -> bool:
    return word in PRIMES or word.casefold() in UNITS or bool(_MONEY.match(word))
