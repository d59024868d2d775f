"""Counting what a text costs in a prompt, exactly and offline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

COUNTER = "o200k"
"""The vocabulary that counts; every stored count names it."""

PIECE = 50_000
"""Characters that surely stay within the 200,000 tokens of one call: no character exceeds four."""

# Between a letter or digit and one of these no token of the vocabulary reaches across: its words
# and numbers end here, and nothing before the cut looks at what follows. An apostrophe is left
# out, since "'s" belongs to the word before it.
_SEAM = re.compile(r"(?<=[^\W_])(?=[\s!-&(-/:-@\[-`{-~。、，！？；：「」])")


def count_tokens(text: str) -> int:
    """Tokens of one text, 0 or more; "<|endoftext|>" and its like count as the text they are.

    Exact for every text in which no stretch of 50,000 characters lacks a blank and punctuation;
    such a stretch is cut, which may count a token or two too many a cut. A lone surrogate counts
    as the replacement character.
    """
    encode = _encoder()
    return sum(len(encode(piece)) for piece in _pieces(text))


def count_many(texts: Iterable[str]) -> list[int]:
    """Tokens of each text, in order."""
    return [count_tokens(text) for text in texts]


@cache
def _encoder() -> Callable[[str], list[int]]:
    from bpe_openai import get_encoding

    encode: Callable[[str], list[int]] = get_encoding(f"{COUNTER}_base").encode_ordinary
    return encode


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > PIECE:
        end = start + PIECE
        seams = [seam.start() for seam in _SEAM.finditer(text, start + PIECE // 2, end)]
        end = seams[-1] if seams else end
        yield text[start:end]
        start = end
    yield text[start:]
