"""Families of related words, and the base forms of inflected words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from impossible_moments.library.data_tables import load_everyday_objects, load_materials
from impossible_moments.mechanics.records import parse_document

_WORD: Final = re.compile(r"[a-zà-ž]+(?:-[a-zà-ž]+)*", re.IGNORECASE)
_SIBILANT: Final = ("s", "x", "z", "ch", "sh")
_SHORTEST_STEM: Final = 3


@dataclass(frozen=True, slots=True)
class WordFamily:
    """Words about the same subject, with the materials and library properties of its things."""

    name: str
    words: frozenset[str]
    materials: frozenset[str]
    properties: frozenset[str]


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, with hyphenated words as one word."""
    return [word.lower() for word in _WORD.findall(text)]


@lru_cache(maxsize=8192)
def list_base_forms(word: str) -> frozenset[str]:
    """Return a word with the forms of which it may be an inflection: `drenched` gives `drench` and `drenche`."""
    word = word.lower()
    found = {word}
    if word.endswith("ies"):
        found.add(f"{word[:-3]}y")
    elif word.endswith("es") and word[:-2].endswith(_SIBILANT):
        found.add(word[:-2])
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        found.add(word[:-1])
    for ending in ("ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _SHORTEST_STEM:
            found |= {stem, f"{stem}e"}
            if stem[-1] == stem[-2]:
                found.add(stem[:-1])
    return frozenset(each for each in found if len(each) >= _SHORTEST_STEM)


def collect_base_forms(text: str) -> frozenset[str]:
    """Return the base forms of all words of a text. A hyphenated word also counts as its parts."""
    words = {part for word in split_words(text) for part in (word, *word.split("-"))}
    return frozenset[str]().union(*map(list_base_forms, words))


@lru_cache(maxsize=1)
def load_word_families() -> Mapping[str, WordFamily]:
    """Return the families of `word_families.yaml` by name."""
    name = "word_families.yaml"
    text = files("impossible_moments.library").joinpath(name).read_text(encoding="utf-8")
    rows = parse_document(text, name=name)
    assert isinstance(rows, dict), "the packaged file is a map of families"
    return {
        family: WordFamily(
            family, frozenset(row["words"]), frozenset(row["materials"]), frozenset(row["properties"])
        )
        for family, row in rows.items()
    }


def find_word_families(word: str) -> tuple[WordFamily, ...]:
    """Return the families to which a word belongs, whatever its inflection."""
    forms = list_base_forms(word)
    return tuple(family for family in load_word_families().values() if forms & family.words)


@lru_cache(maxsize=1)
def load_library_vocabulary() -> frozenset[str]:
    """Return the base forms of the words in the labels and groups of the library's objects and materials."""
    labels: Iterable[str] = (
        *(f"{each.label} {each.group}" for each in load_everyday_objects().values()),
        *(each.label for each in load_materials().values()),
    )
    return collect_base_forms(" ".join(labels))
