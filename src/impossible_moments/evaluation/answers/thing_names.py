"""Resolution of phrases in an answer to things of the scenario."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from impossible_moments.mechanics.world import World

_WORD: Final = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_IDLE: Final = frozenset(
    """a an the my your his her its their our of to in on at by for from with and or out up down into onto over under
    is are be it this that these those one some any each every as than then very own own's which who""".split()
)
_SELF: Final = frozenset(
    {"you", "i", "me", "myself", "yourself", "self", "body", "hands", "your body", "own hands"}
)


def extract_word_stems(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    return frozenset(stem_word(word) for word in _WORD.findall(text.lower()) if word not in _IDLE)


def stem_word(word: str) -> str:
    """Return a word without plural, tense and possessive endings; rough, but the same for both texts."""
    word = word.removesuffix("'s").removesuffix("s'")
    for ending in ("ies", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:  # noqa: PLR2004 - the shortest stem
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word


@dataclass(frozen=True)
class ThingNames:
    """The things of a world, found by the words of their labels."""

    world: World
    _known: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def _words_by_thing(self) -> Mapping[str, frozenset[str]]:
        return {
            name: extract_word_stems(thing.label) | ({stem_word(name)} if thing.own else frozenset())
            for name, thing in self.world.things.items()
        }

    @cached_property
    def _distinctive_words(self) -> Mapping[str, frozenset[str]]:
        """Words of each label that occur in no other label."""
        return {
            name: label
            - frozenset().union(*(each for other, each in self._words_by_thing.items() if other != name))
            for name, label in self._words_by_thing.items()
            if self.world.things[name].own
        }

    @cached_property
    def label_words(self) -> frozenset[str]:
        """Word stems of all labels together."""
        return frozenset[str]().union(*self._words_by_thing.values())

    def find_mentioned_things(self, line: str) -> frozenset[str]:
        """Return the scenario's own things that a line mentions by a word unique to their label."""
        line_words = extract_word_stems(line)
        return frozenset(name for name, words in self._distinctive_words.items() if words & line_words)

    def resolve_phrase(self, phrase: str) -> tuple[str, ...]:
        """Return the things whose labels share most words with a phrase; several if it is ambiguous."""
        if phrase not in self._known:
            if len(self._known) > 5_000:  # noqa: PLR2004 - hostile answers must not exhaust memory
                self._known.clear()
            self._known[phrase] = self._resolve_uncached_phrase(phrase)
        return self._known[phrase]

    def _resolve_uncached_phrase(self, phrase: str) -> tuple[str, ...]:
        plain = " ".join(phrase.lower().split())
        if plain in self.world.things:
            return (plain,)
        if plain in _SELF:
            return ("you",) if "you" in self.world.things else ()
        phrase_words = extract_word_stems(phrase)
        if not phrase_words:
            return ()
        similarities = {
            name: _score_label_similarity(phrase_words, label) for name, label in self._words_by_thing.items()
        }
        best = max(similarities.values(), default=0.0)
        if best < 0.5:  # noqa: PLR2004 - half of the words must be shared
            return ()
        found = tuple(name for name, score in similarities.items() if score >= best - 1e-9)
        # a phrase that names several things by different words resolves to none of them
        return found if len({phrase_words & self._words_by_thing[name] for name in found}) == 1 else ()


def _score_label_similarity(stems: Iterable[str], label: frozenset[str]) -> float:
    """Return the share of common words relative to the shorter side; more common words break ties."""
    words = frozenset(stems)
    common = words & label
    if not common:
        return 0.0
    return len(common) / min(len(words), len(label)) + 0.01 * len(common) - 0.001 * len(label - words)
