"""Materials of things: those of a library row, and those that a text names."""

from __future__ import annotations

from functools import lru_cache

from impossible_moments.library.data_tables import load_everyday_objects, load_materials
from impossible_moments.library.word_families import list_base_forms, split_words


def find_materials_of_row(name: str) -> frozenset[str]:
    """Return the materials of an everyday object or substance of the library, or an empty set if it is unknown."""
    thing = load_everyday_objects().get(name)
    if thing is not None:
        return frozenset(thing.materials)
    return frozenset({name} & load_materials().keys())


def find_materials_in_text(text: str) -> frozenset[str]:
    """Return the materials whose name or label occurs in a text, such as a cell of the object table."""
    words = [list_base_forms(word) for word in split_words(text)]
    return frozenset(
        name
        for name, phrases in _load_material_phrases().items()
        if any(
            all(part in forms for part, forms in zip(phrase, words[at:], strict=False))
            for phrase in phrases
            for at in range(len(words) - len(phrase) + 1)
        )
    )


@lru_cache(maxsize=1)
def _load_material_phrases() -> dict[str, tuple[tuple[str, ...], ...]]:
    return {
        name: tuple(
            dict.fromkeys(tuple(split_words(text)) for text in (material.label, name.replace("_", " ")))
        )
        for name, material in load_materials().items()
    }
