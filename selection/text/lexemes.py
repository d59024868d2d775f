"""The smallest pieces of a text that carry meaning: words, whole numbers with sign, symbols."""

from __future__ import annotations

import re
import unicodedata

from selection.text.normal import CURRENCY, PRIME, fold

# Letters and marks of any script, and symbols that `fold` has set apart; no digit, no ASCII symbol.
_LETTERS = rf"[^\s\d\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e{PRIME}{CURRENCY}]+"
# A hyphen after these is no minus: COVID-19, (a)-5, 5%-7%. Scripts without blanks are left out.
_NO_SIGN_AFTER = rf"(?<![^\W⺀-鿿가-힣])(?<![)\]%{PRIME}{CURRENCY}])"

_LEXEME = re.compile(
    rf"""
    (?P<word> {_LETTERS} (?: ' {_LETTERS} )* (?: [+\#]+ (?![\w+\#]) )? )
  | (?P<number> (?: {_NO_SIGN_AFTER} [-+] )? (?: \d+ | (?<![\w.])\.\d+ )
        (?: [eE][-+]?\d+(?!\w) | (?: (?: [.,:/'*-] | \^-? ) \d+ )* ) )
  | (?P<prime> (?<=\d) (?: " | '(?!\w) ) | {PRIME}+ )
  | (?P<symbol> [%{CURRENCY}] | < (?![A-Za-z/!]) | [>=+~^] (?= \s*[-.\d] ) | (?<=\d) [>=+]
        | (?<=[%{CURRENCY}]) - (?=\d) )
    """,
    re.VERBOSE,
)

NEAR = 200
"""Characters before a mark in which its quotation would have opened."""

# Units that only their case tells from a commoner one: milliwatt from megawatt, megabit from
# megabyte, 10 M from 10 m. Written in any other way they are taken for the common one.
_CASED_UNITS = {
    **{unit: unit for unit in ("M", "mW", "mWh", "mV", "mVA", "mHz", "mPa", "mJ")},
    **{unit: unit for unit in ("Kb", "Mb", "Gb", "Tb", "Pb", "kBps", "MBps", "GBps", "TBps")},
    "kB": "kB",
    "KB": "kB",
}
_CONTRACTED = {"can't": "can", "won't": "will", "shan't": "shall"}


# Most sentences are letters and plain punctuation alone, which have no meaning to keep apart.
_MORE_THAN_WORDS = re.compile(r"""[^A-Za-z\s.,;:!?()"-]""")
_PLAIN_WORDS = re.compile("[a-z]+")


def lexemes(text: str) -> list[str]:
    """Words casefolded, numbers with sign, decimals and ranges, symbols that carry meaning.

    "n't" is spelled "not", letters and digits stand apart (10km as 10 km), and a unit after a
    number keeps its case where another case would be another unit.
    """
    if _MORE_THAN_WORDS.search(text) is None:
        found = _PLAIN_WORDS.findall(text.lower())
        if "cannot" not in found:
            return found
    return _read(text)


def _read(text: str) -> list[str]:
    """The same for any text, at twenty times the cost."""
    folded = fold(text)
    found: list[str] = []
    after_number = False
    for match in _LEXEME.finditer(folded):
        piece = match[0]
        kind = match.lastgroup
        if kind == "word" and not after_number and piece.isalpha() and piece.isascii():
            low = piece.lower()
            found += ("can", "not") if low == "cannot" else (low,)
        elif kind == "word":
            found += _word(piece, after_number=after_number)
        elif kind == "prime":
            found += _prime(folded, match)
        else:
            found.append(piece.casefold())
        after_number = kind == "number"
    return found


def _word(word: str, *, after_number: bool) -> list[str]:
    low = word.casefold()
    if after_number and word in _CASED_UNITS:
        return [_CASED_UNITS[word]]
    if not low.isascii():
        return [unicodedata.normalize("NFKC", low)]
    if low == "cannot":
        return ["can", "not"]
    if low.endswith("n't") and len(low) > 3:
        return [_CONTRACTED.get(low, low[:-3]), "not"]
    return [low]


def _prime(text: str, match: re.Match[str]) -> list[str]:
    """Feet or inches after a number, unless the mark closes a quotation."""
    mark = match[0]
    if mark[0] == PRIME:
        return [mark]
    before = text[max(0, match.start() - NEAR) : match.start()]
    opened = len(re.findall(rf"(?<!\w){mark}(?=\S)", before))
    closed = len(re.findall(rf"(?<=[^\s\d]){mark}(?!\w)", before))
    return [] if opened > closed else [PRIME * (2 if mark == '"' else 1)]
