"""Rendering of the prose to its final text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from impossible_moments.mechanics.prose.parts import parts_of
from impossible_moments.mechanics.prose.printing import printed
from impossible_moments.mechanics.prose.template import AnyPiece, Label, Shown, pieces_of
from impossible_moments.mechanics.prose.tie import Tie
from impossible_moments.mechanics.record import ProseForm

_SENTENCE_START: Final = re.compile(r"""(?:^|[.!?]["'”’)]*\s+|\n\s*\n\s*)["'“‘(]*$""")  # noqa: RUF001 - typeset quotes
# "that" is missing because it is usually a conjunction: "that the floor drain" keeps its article.
_DETERMINER: Final = re.compile(
    r"\b(?:the|an?|your|my|our|his|her|its|their|this|another|each|every)\s+$", re.IGNORECASE
)
_ARTICLE: Final = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_LOOK_BACK: Final = 40


def rendered(prose: ProseForm, requirements: Tie) -> dict[str, str]:
    """Return the final text of each part. Raise `PlaceholderError` for a faulty placeholder."""
    return {part.name: _final(part.pieces, requirements) for part in parts_of(prose)}


def printed_text(template: str, requirements: Tie) -> str:
    """Return the final text of one template. Raise `PlaceholderError` for a faulty placeholder."""
    return _final(pieces_of(template), requirements)


def _final(pieces: Iterable[AnyPiece], requirements: Tie) -> str:
    """Join the pieces, with a capital at the start of a sentence and no second article before a label."""
    text: list[str] = []
    before = ""
    for piece in pieces:
        words = printed(piece, requirements)
        if isinstance(piece, Label) and _DETERMINER.search(before):
            words = _without_article(words)
        if isinstance(piece, Label | Shown) and _SENTENCE_START.search(before):
            words = words[:1].upper() + words[1:]
        text.append(words)
        before = _tail(before + words[-_LOOK_BACK:])
    return "".join(text)


def _without_article(label: str) -> str:
    article = _ARTICLE.match(label)
    return label[article.end() :] if article else label


def _tail(text: str) -> str:
    # the comma shows that the text was cut, so that its beginning is not taken for the start of a sentence
    return text if len(text) <= _LOOK_BACK else "," + text[1 - _LOOK_BACK :]
