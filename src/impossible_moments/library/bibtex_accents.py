"""Accents and signs of BibTeX, decoded to letters."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_ACCENT: Final = re.compile(r"""\{?\\(['`"^~cvu=.])\s?\{?(\\?[A-Za-z])\}?\}?""")
_COMBINING: Final = {
    "'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "c": "\u0327", "v": "\u030c",
    "u": "\u0306", "=": "\u0304", ".": "\u0307",
}  # fmt: skip
_SPECIAL: Final = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ae": "æ",
    "aa": "å",
    "AA": "Å",
}
_LETTERS: Final = re.compile(r"\\(ss|ae|aa|AA|[oOlL])(?![A-Za-z])\s?")


def decode_accents(text: str) -> str:
    r"""Replace the accents and signs of BibTeX, such as `{\'e}` and `\&`, by letters and signs."""
    letters = _ACCENT.sub(
        lambda found: unicodedata.normalize("NFC", found[2].replace("\\i", "i") + _COMBINING[found[1]]), text
    )
    return (
        _LETTERS.sub(lambda found: _SPECIAL[found[1]], letters)
        .replace("\\&", "&")
        .replace("{", "")
        .replace("}", "")
    )
