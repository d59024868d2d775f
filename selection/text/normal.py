"""One spelling for one text: what differs between copies is folded, what carries meaning stays.

Folded: compatibility forms, quotes, dashes, blanks, invisible characters, typographic marks.
Kept: every letter and digit in its order, what joins or signs digits, comparisons, currency,
percent, degree, feet and inches, and marks that say yes or no. Case is left to `lexemes`, since
some units live by it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

CURRENCY = "$¢£¤¥֏؋฿៛\u20a0-\u20cf"
"""Currency signs, as the inside of a character class."""

PRIME = "′"
"""Feet or minutes; two are inches or seconds."""

YES, NO = "✓", "✗"

_SPELLED = {
    **dict.fromkeys("‘’ʼ‛´", "'"),
    **dict.fromkeys("−‒⁻", "-"),
    **dict.fromkeys("✔✅☑👍", f" {YES} "),
    **dict.fromkeys("✘❌❎✖☒🚫👎", f" {NO} "),
    **dict.fromkeys("←→↔", " "),
    **dict.fromkeys("°‰‱" + YES + NO, None),
    PRIME: PRIME,
    "⁄": "/",
    "٪": "%",
    "٫": ".",
    "٬": ",",
    "\u200b": " ",
}
"""What single characters become; None is the character itself with blanks around it."""


class _Table(dict[int, str]):
    """A table for `str.translate` that works out each character when it is first met."""

    def __init__(self, rule: Callable[[str], str]) -> None:
        super().__init__()
        self._rule = rule

    def __missing__(self, code: int) -> str:
        self[code] = self._rule(chr(code))
        return self[code]


def _flat(char: str) -> str:
    """Keep compatibility digits apart from their neighbours: 5½ is not 51/2, 5① is not 51."""
    if char in "©®™℠":
        return " "
    if char == "№":
        return " nr "
    flat = unicodedata.normalize("NFKC", char)
    glued = flat != char and not char.isdecimal() and any(c.isdecimal() for c in flat)
    return f" {flat} " if glued else char


def _plain(char: str) -> str:
    """Drop punctuation and decoration; set symbols that carry meaning apart."""
    if char.isascii():
        return char
    if char in _SPELLED:
        return _SPELLED[char] or f" {char} "
    category = unicodedata.category(char)
    if category in ("Me", "Cf") or "\ufe00" <= char <= "\ufe0f":
        return ""
    if category[0] in "LMN" or re.match(f"[{CURRENCY}]", char):
        return char
    if category == "Pd":
        return "-"
    return f" {char} " if category in ("Sm", "Sc") else " "


_FLAT, _PLAIN = _Table(_flat), _Table(_plain)
_RAISED = re.compile("[⁰¹²³⁴-⁹⁺⁻]+")
_LOWERED_BESIDE_DIGITS = re.compile(r"(?<=\d)[₀-₉]+|[₀-₉]+(?=\d)")
_SPACED_MINUS = re.compile(r"(\d\s*)?−\s+(?=[.\d])")

_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)\s*/?>")
_MONEY = re.compile(f"[{CURRENCY}]")
_DIGIT = re.compile(r"\d")
_DASH_RUN = re.compile("-{2,}")
_SPACED_RANGE = re.compile(r"(?<=\d)\s+-\s+(?=\d)")
_GROUPED = re.compile(r"(?<![\d.,'])\d{1,3}(?:(?:,\d{3}){2,}|(?:'\d{3}){2,})(?![\d,'])")
_NUMBER_SIGN = re.compile(r"\bno\.\s*(?=\d)", re.IGNORECASE)
_PRICE = re.compile(
    rf"(?:(?<![\w)])([-+]))?(?<!\d)([{CURRENCY}])(?:(?<!\d\s.)\s)?([-+]?)"
    r"(\d+(?:[.,:/-]\d+)*|(?<!\w)\.\d+)"
)


def fold(text: str) -> str:
    """The text in one spelling, case kept; beyond ASCII only letters, digits and kept symbols stay.

    Prices are written number first ("$10" as "10 $"), a range without blanks ("5 – 7" as "5-7"),
    groups of thousands without separators where there are two or more (1,234,567 as 1234567; a
    single group is ambiguous and stays: 1,000 may be one).
    """
    if not text.isascii():
        text = _beyond_ascii(text)
    text = text.replace("!=", " ≠ ").replace("_", " ").replace("`", " ")
    if "<" in text:
        text = _TAG.sub(r" \1 ", text)
    if "-" in text:
        text = _SPACED_RANGE.sub("-", _DASH_RUN.sub("-", text))
    if _DIGIT.search(text) is None:
        return text
    text = _NUMBER_SIGN.sub("nr ", text)
    if "," in text or "'" in text:
        text = _GROUPED.sub(lambda found: re.sub(r"\D", "", found[0]), text)
    if _MONEY.search(text) is None:
        return text
    return _PRICE.sub(r"\1\3\4 \2", text)


def _beyond_ascii(text: str) -> str:
    text = _RAISED.sub(lambda run: "^" + unicodedata.normalize("NFKC", run[0]), text)
    text = _LOWERED_BESIDE_DIGITS.sub(r" \g<0> ", text)
    text = unicodedata.normalize("NFKC", text.translate(_FLAT))
    text = _SPACED_MINUS.sub(lambda minus: minus[0] if minus[1] else "-", text)
    return text.translate(_PLAIN)
