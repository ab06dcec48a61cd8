"""Parts of the prose, split into template pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.prose.passages import format_excerpt_around
from impossible_moments.mechanics.prose.template import AnyTemplatePiece, PlainText, parse_template
from impossible_moments.mechanics.records.record import ProseForm

MOST_OF_A_KIND: Final = 20
"""Most findings of one kind for one part of the prose."""


@dataclass(frozen=True, slots=True)
class ProsePart:
    """One part of the prose: its field name, its template and the pieces of the template."""

    name: str
    text: str
    pieces: tuple[AnyTemplatePiece, ...]

    @property
    def path(self) -> str:
        """JSON path of the part in the record."""
        return f"/prose/{self.name}"

    def get_excerpt(self, start: int, end: int) -> str:
        """Return the text around a range of positions, for a message."""
        return format_excerpt_around(self.text, start, end)

    def iterate_plain_text(self) -> Iterator[PlainText]:
        """Yield the pieces of text outside placeholders."""
        return (piece for piece in self.pieces if isinstance(piece, PlainText))


def list_prose_parts(prose: ProseForm) -> tuple[ProsePart, ...]:
    """Return the parts of the prose that are not null."""
    texts = {name: getattr(prose, name) for name in ProseForm.model_fields}
    return tuple(
        ProsePart(name, text, tuple(parse_template(text))) for name, text in texts.items() if text is not None
    )
