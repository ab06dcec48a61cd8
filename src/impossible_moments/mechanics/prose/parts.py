"""The parts of the prose, cut into pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.prose.passages import excerpt
from impossible_moments.mechanics.prose.template import AnyPiece, Plain, pieces_of
from impossible_moments.mechanics.record import ProseForm

MOST_OF_A_KIND: Final = 20
"""Findings of one kind in one part: who has made a mistake twenty times knows it."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the prose: its name, its template and the template's pieces."""

    name: str
    text: str
    pieces: tuple[AnyPiece, ...]

    @property
    def path(self) -> str:
        """Its JSON path."""
        return f"/prose/{self.name}"

    def around(self, start: int, end: int) -> str:
        """The words round a spot."""
        return excerpt(self.text, start, end)

    def plain(self) -> Iterator[Plain]:
        """The words outside placeholders."""
        return (piece for piece in self.pieces if isinstance(piece, Plain))


def parts_of(prose: ProseForm) -> tuple[Part, ...]:
    """The parts that are written."""
    texts = {name: getattr(prose, name) for name in ProseForm.model_fields}
    return tuple(Part(name, text, tuple(pieces_of(text))) for name, text in texts.items() if text is not None)
