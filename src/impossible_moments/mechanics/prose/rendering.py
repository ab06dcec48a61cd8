"""Rendering of the prose to its final text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from impossible_moments.mechanics.prose.parts import list_prose_parts
from impossible_moments.mechanics.prose.placeholders import render_piece
from impossible_moments.mechanics.prose.requirements import ProseRequirements
from impossible_moments.mechanics.prose.template import (
    AnyTemplatePiece,
    ShownValue,
    ThingLabel,
    parse_template,
)
from impossible_moments.mechanics.records.record import ProseForm

_SENTENCE_START: Final = re.compile(r"""(?:^|[.!?]["'”’)]*\s+|\n\s*\n\s*)["'“‘(]*$""")  # noqa: RUF001 - typeset quotes
# "that" is missing because it is usually a conjunction: "that the floor drain" keeps its article.
_DETERMINER: Final = re.compile(
    r"\b(?:the|an?|your|my|our|his|her|its|their|this|another|each|every)\s+$", re.IGNORECASE
)
_ARTICLE: Final = re.compile(r"(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_LOOK_BACK: Final = 40


def render_prose(prose: ProseForm, requirements: ProseRequirements) -> dict[str, str]:
    """Return the final text of each part. Raise `PlaceholderError` for a faulty placeholder."""
    return {part.name: _join_rendered_pieces(part.pieces, requirements) for part in list_prose_parts(prose)}


def render_template_text(template: str, requirements: ProseRequirements) -> str:
    """Return the final text of one template. Raise `PlaceholderError` for a faulty placeholder."""
    return _join_rendered_pieces(parse_template(template), requirements)


def _join_rendered_pieces(pieces: Iterable[AnyTemplatePiece], requirements: ProseRequirements) -> str:
    """Join the pieces, with a capital at the start of a sentence and no second article before a label."""
    text: list[str] = []
    before = ""
    for piece in pieces:
        words = render_piece(piece, requirements)
        if isinstance(piece, ThingLabel) and _DETERMINER.search(before):
            words = _remove_article(words)
        if isinstance(piece, ThingLabel | ShownValue) and _SENTENCE_START.search(before):
            words = words[:1].upper() + words[1:]
        text.append(words)
        before = _get_last_characters(before + words[-_LOOK_BACK:])
    return "".join(text)


def _remove_article(label: str) -> str:
    article = _ARTICLE.match(label)
    return label[article.end() :] if article else label


def _get_last_characters(text: str) -> str:
    # the comma shows that the text was cut, so that its beginning is not taken for the start of a sentence
    return text if len(text) <= _LOOK_BACK else "," + text[1 - _LOOK_BACK :]
