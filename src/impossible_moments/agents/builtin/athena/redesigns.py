"""Redesigns: the words of a reason say which situations to prefer and which to avoid."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from impossible_moments.blueprints import Offer

_WISH: Final = re.compile(
    r"\b(?:use|take|choose|prefer|make it|set it|want|with|rather|instead)\b(?P<wanted>[^.;]*)", re.IGNORECASE
)
_REFUSAL: Final = re.compile(
    r"\b(?:without|no|not|never|avoid|instead of|rather than)\b[^.;,]*", re.IGNORECASE
)
_WORD: Final = re.compile(r"[a-zà-ž]{4,}", re.IGNORECASE)
_STOP_WORDS: Final = frozenset(
    "redesign scenario situation please something another other this that with have been were would should could "
    "must does make into from than then them they there their more less very such because seed document".split()
)


@dataclass(frozen=True, slots=True)
class RedesignWish:
    """Words that the next situation should contain, and words of what was objected to."""

    wanted: frozenset[str]
    refused: frozenset[str]

    @classmethod
    def from_reasons(cls, reasons: Iterable[str]) -> RedesignWish:
        """Read the wishes of some reasons. Words outside an explicit wish describe what was objected to."""
        wanted: set[str] = set()
        refused: set[str] = set()
        for reason in reasons:
            positive = _REFUSAL.sub(" ", reason)
            asked = _collect_words(" ".join(match["wanted"] for match in _WISH.finditer(positive)))
            wanted |= asked
            refused |= _collect_words(reason) - asked
        return cls(frozenset(wanted), frozenset(refused))

    @classmethod
    def from_wanted_text(cls, text: str) -> RedesignWish:
        """Return the wish for a situation that a text is about."""
        return cls(_collect_words(text), frozenset())

    def rank_offer(self, offer: Offer) -> int:
        """Return how well an offer follows the reasons. Higher is better."""
        skin = offer.skin
        text = " ".join(
            (
                skin.place,
                skin.threat,
                skin.name.replace("_", " "),
                str(skin.record),
                str(offer.blueprint.idea),
            )
        )
        words = _collect_words(text)
        return 2 * len(self.wanted & words) - len(self.refused & words)


def _collect_words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text)) - _STOP_WORDS
