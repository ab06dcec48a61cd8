"""The second calibration vote: estimated scores move one step towards the median, counted scores stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from statistics import median_low
from typing import Final

from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.vocabulary import TIERS, DifficultyDimension, Tier

_AGAIN: Final = re.compile(r"vote (?:again|once more)")
_SCORE: Final = re.compile(r"\b[A-Z][A-Z_]{3,} ([1-5])(?= \(|[,;]|$)")
_POSITION: Final = re.compile(r"\b([A-Z]{3,}): ([A-Z]+)\b")
_CALIBRATION: Final = "calibration: "
_TIER: Final = "difficulty tier:"


def find_scores_in_discussion(notes: Iterable[str]) -> Mapping[str, tuple[int, ...]]:
    """Return the scores of all agents for each disputed dimension, by its letter, if a vote is repeated."""
    discussion = next((note for note in reversed(tuple(notes)) if _AGAIN.search(note)), "")
    found: dict[str, tuple[int, ...]] = {}
    for line in discussion.splitlines():
        for dimension in DifficultyDimension:
            if line.startswith(f"{_CALIBRATION}{dimension.value}:"):
                found[dimension.name] = tuple(int(score) for score in _SCORE.findall(line))
    return {letter: scores for letter, scores in found.items() if scores}


def revise_tier(notes: Iterable[str], agent: str) -> Tier | None:
    """Return the tier of a second vote: the own one, moved one step towards the median of all votes.

    Return None if the tier was not discussed or the agent gave none.
    """
    discussion = next((note for note in reversed(tuple(notes)) if _AGAIN.search(note)), "")
    line = next((each for each in discussion.splitlines() if each.startswith(_TIER)), "")
    positions = {name: tier for name, tier in _POSITION.findall(line) if tier in TIERS}
    if agent not in positions:
        return None
    own, middle = TIERS.index(positions[agent]), median_low(TIERS.index(tier) for tier in positions.values())
    return TIERS[own + (middle > own) - (middle < own)]


def revise_scores(
    profile: Profile,
    reasons: Mapping[str, str],
    others: Mapping[str, tuple[int, ...]],
    counted: frozenset[str],
) -> tuple[Profile, dict[str, str]]:
    """Return the scores and reasons of a second vote.

    A disputed score that is an estimate moves one step towards the median of all votes. A score that is a count
    stays, and its reason says so.
    """
    scores, words = dict(zip("IDCBTX", profile.scores, strict=True)), dict(reasons)
    for letter, votes in others.items():
        own, middle = scores[letter], median_low(votes)
        name = DifficultyDimension[letter].value
        if own == middle:
            words[name] = f"{words.get(name, '')}; kept at {own}, the median of all votes".removeprefix("; ")
        elif letter in counted:
            words[name] = (
                f"{words.get(name, '')}; kept at {own} although the median is {middle}: it is a count".removeprefix(
                    "; "
                )
            )
        else:
            moved = own + (1 if middle > own else -1)
            scores[letter] = moved
            words[name] = (
                f"{words.get(name, '')}; an estimate, moved from {own} to {moved} towards the median of {middle}".removeprefix(
                    "; "
                )
            )
    return Profile(**scores), words
