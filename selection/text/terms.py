"""The words of a text as search and similarity count them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from selection.text.lexemes import lexemes

# Scripts without blanks between words: Han, Hiragana, Katakana.
_UNSPACED = re.compile("[぀-ヿ㐀-䶿一-鿿豈-﫿\U00020000-\U0003ffff]+")
_INNER = re.compile(r"['/:*^-]")
_DECIMAL = re.compile(r"\.?\d")


def words(text: str) -> list[str]:
    """Normalised words in order, digits kept: "Can't pay $3.50" gives can, not, pay, 3.50.

    Ranges and elisions fall apart (2013-14, l'eau); scripts without blanks give overlapping pairs
    of characters, as is usual for them; symbols are dropped.
    """
    return [word for lexeme in lexemes(text) for word in _words(lexeme)]


def content_words(text: str) -> list[str]:
    """The words without English stop words, plurals folded into the singular."""
    stop = stop_words()
    return [singular(word) for word in words(text) if word not in stop]


@cache
def stop_words() -> frozenset[str]:
    """English function words, the extended list of bm25s; no word of business such as "bill"."""
    from bm25s.stopwords import STOPWORDS_EN_PLUS

    return frozenset(part for word in STOPWORDS_EN_PLUS for part in words(word))


def singular(word: str) -> str:
    """A plural without its ending, by the three rules of the S-stemmer.

    Harman, How effective is suffixing? JASIS 42 (1991), 7-15. Words of up to three letters stay.
    """
    if len(word) <= 3 or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word if word.endswith(("eies", "aies")) else word[:-3] + "y"
    if word.endswith("es"):
        return word if word.endswith(("aes", "ees", "oes")) else word[:-1]
    return word if word.endswith(("us", "ss")) else word[:-1]


def _words(lexeme: str) -> Iterator[str]:
    if lexeme.isalnum() and lexeme.isascii():
        yield lexeme.casefold()
        return
    for part in _INNER.split(lexeme):
        if _UNSPACED.search(part):
            yield from _unspaced(part)
        elif _DECIMAL.match(part) or any(map(str.isalpha, part)):
            yield part.casefold()


def _unspaced(part: str) -> Iterator[str]:
    """Overlapping pairs of an unspaced run; what else is in the part stays whole."""
    end = 0
    for run in _UNSPACED.finditer(part):
        if part[end : run.start()]:
            yield part[end : run.start()]
        yield from (run[0][at : at + 2] for at in range(max(1, len(run[0]) - 1)))
        end = run.end()
    if part[end:]:
        yield part[end:]
