"""Checks that the answer key speaks of nothing that the public text does not have."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Final

from impossible_moments.mechanics.content.scenario_texts import KeyText, PublicText, collect_stems
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.prose import format_excerpt_around
from impossible_moments.mechanics.records import parse_document
from impossible_moments.mechanics.wording import extract_word_stems

_NOUN_END: Final = (
    r"(?=\s+(?:is|was|are|were|has|have|had|of|in|on|at|and|or|to|that|which|from|with|by|for|does|do|did|will|would|can|cannot|could|"
    r"goes|takes|needs|as|before|after|until|where|when|if|than|but|under|over|into|through|not|still|only|alone|itself)\b|[.,;:!?)])"
)
_DEFINITE: Final = re.compile(rf"\b[Tt]he ([a-zà-ž]+(?:-[a-zà-ž]+)*){_NOUN_END}")
_NAME: Final = re.compile(r"(?<=[a-zà-ž,;] )([A-ZÀ-Ž][a-zà-ž]{2,}(?:'s)?)\b")
_SHORTEST: Final = 4
_COMMON_PREFIX: Final = 5
"""Words that share this many letters at the start count as related: `insulate` and `insulation`."""


def check_key_words(
    key: Iterable[KeyText],
    text: PublicText,
    findings: Findings,
    *,
    sibling_words: Collection[str] = (),
    only_leftovers: bool = False,
) -> None:
    """Report things and names in the key that the public text lacks.

    `sibling_words` are the stems of the texts of other settings of the same family: such a word was probably left
    over from one of them. `only_leftovers` reports nothing else, for texts that speak in general, such as insights.
    """
    seen: set[str] = set()
    for part in key:
        for word, start, end in _iterate_things(part.text):
            stem = next(iter(extract_word_stems(word)), "")
            if not stem or stem in seen or _is_told(stem, text.stems):
                continue
            seen.add(stem)
            is_leftover = stem in sibling_words
            if only_leftovers and not is_leftover:
                continue
            findings.add(
                "key.leftover" if is_leftover else "key.thing-untold",
                part.where,
                f"the key speaks of `{word}`, which the public text does not have"
                + (", and another setting of this family does" if is_leftover else ""),
                found=format_excerpt_around(part.text, start, end),
                expected="a word of this scenario's text, or a fact in the text that introduces it",
            )


def check_sibling_names(text: PublicText, names: Collection[str], findings: Findings) -> None:
    """Report proper names in the public text that belong only to another setting of the family."""
    for part, words in text.running.items():
        for match in _NAME.finditer(words):
            if match[1] in names:
                findings.add(
                    "text.leftover",
                    f"/prose/{part}",
                    f"`{match[1]}` is a name of another setting of this family",
                    found=format_excerpt_around(words, match.start(), match.end()),
                    expected="the name that this setting uses",
                )


def find_names(text: str) -> frozenset[str]:
    """Return the words that are written with a capital inside a sentence."""
    return frozenset(match[1].removesuffix("'s") for match in _NAME.finditer(text))


def _iterate_things(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the nouns with a definite article and the proper names of a text, with their positions."""
    for match in _DEFINITE.finditer(text):
        word = match[1].lower()
        if len(word) >= _SHORTEST and not _is_general(word):
            yield word, match.start(1), match.end(1)
    for match in _NAME.finditer(text):
        yield match[1].removesuffix("'s"), match.start(), match.end()


def _is_told(stem: str, stems: frozenset[str]) -> bool:
    if stem in stems:
        return True
    start = stem[:_COMMON_PREFIX]
    return len(start) == _COMMON_PREFIX and any(other.startswith(start) for other in stems)


def _is_general(word: str) -> bool:
    return bool(collect_stems(word) & _load_general_stems())


@lru_cache(maxsize=1)
def _load_general_stems() -> frozenset[str]:
    """Return the stems of words that name no particular thing: quantities, relations, times, abstractions."""
    name = "general_words.yaml"
    text = files("impossible_moments.mechanics.content").joinpath(name).read_text(encoding="utf-8")
    rows = parse_document(text, name=name)
    assert isinstance(rows, dict), "the packaged file is a map"
    return extract_word_stems(str(rows["words"]))
