"""Surveys of places: what a writer wants to know about each level before publishing a place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from time import process_time
from typing import Final

from impossible_moments.composition.composed_draws import ComposedDraw, NoComposedDraw, draw_from_place
from impossible_moments.composition.place_files import LEVELS, PlaceForm

MOST_WORDS: Final = 900


@dataclass(frozen=True)
class LevelSurvey:
    """One level of a place with one seed: the draw, or why there is none."""

    level: int
    seed: int
    draw: ComposedDraw | None
    problem: str
    seconds: float

    @property
    def words(self) -> int:
        """The words of the public text with its tables."""
        return 0 if self.draw is None else sum(len(text.split()) for text in self.draw.texts.values())


def survey_place(
    place: PlaceForm, *, levels: Iterable[int] = LEVELS, seeds: int = 1
) -> tuple[LevelSurvey, ...]:
    """Draw each level that a place serves with some seeds."""
    served = [level for level in levels if place.levels.low <= level <= place.levels.high]
    return tuple(_survey_level(place, level, seed) for level in served for seed in range(seeds))


def _survey_level(place: PlaceForm, level: int, seed: int) -> LevelSurvey:
    started = process_time()
    try:
        draw = draw_from_place(place, level, seed)
    except NoComposedDraw as problem:
        return LevelSurvey(level, seed, None, str(problem), process_time() - started)
    survey = LevelSurvey(level, seed, draw, "", process_time() - started)
    if survey.words > MOST_WORDS:
        return replace(survey, problem=f"the text has {survey.words} words; write at most {MOST_WORDS}")
    return survey
