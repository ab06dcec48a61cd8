"""Draws of composed scenarios: place, level and seed give a record, its texts and its measured facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from impossible_moments.blueprints import (
    InstanceTrial,
    Offer,
    create_random_stream,
    draw_and_check_instance,
)
from impossible_moments.composition.closed_figures import close_figures
from impossible_moments.composition.figure_search import FoundFigures, search_figures
from impossible_moments.composition.graph_facts import ComposedFacts
from impossible_moments.composition.job_graphs import build_job_graph
from impossible_moments.composition.job_worlds import JobWorld
from impossible_moments.composition.levels import get_level_target
from impossible_moments.composition.place_catalogue import get_place, load_shipped_places
from impossible_moments.composition.place_files import PlaceForm
from impossible_moments.composition.scenario_offers import build_offer
from impossible_moments.composition.shifted_figures import shift_figures
from impossible_moments.composition.structures import PlaceStructure
from impossible_moments.composition.wrong_plans import list_wrong_plans
from impossible_moments.domain.vocabulary import Category
from impossible_moments.errors import ConfigurationError, ImpossibleMomentsError
from impossible_moments.library import load_everyday_library

ComposedStatus: TypeAlias = Literal["KS", "PX"]
DrawBuilder: TypeAlias = "Callable[[FoundFigures, int, int, Category | None], ComposedDraw | None]"
MOST_ATTEMPTS: Final = 6
TWIN_WIDENING: Final = 2
"""How many times more than its sibling a twin with another way may have the bounds of its level widened."""


class NoComposedDraw(ImpossibleMomentsError):
    """A place that gives no accepted scenario at a level. The message names the last reason."""


@dataclass(frozen=True)
class ComposedDraw:
    """A drawn composed scenario: its offer, the checked instance and the measured facts."""

    offer: Offer
    trial: InstanceTrial
    facts: ComposedFacts
    figures: dict[str, int]
    attempt: int
    changed: str = ""
    """For a near twin: the figure that differs from the solvable draw of the same seed."""

    @property
    def record(self) -> dict[str, object]:
        """The complete record."""
        return self.trial.instance.record

    @property
    def texts(self) -> dict[str, str]:
        """The public texts, by their parts."""
        return self.trial.prose


@dataclass(frozen=True)
class ComposedOptions:
    """What is drawn from a place: the status, the category, and which of the draws of a seed."""

    status: ComposedStatus = "KS"
    other_way: bool = False
    """Whether to draw the near twin whose only way is another one."""
    category: Category | None = None
    skipped: int = 0
    """How many accepted draws of the seed are left out."""
    attempt: int | None = None
    """The only attempt that may be used, or None. Near twins come from the same attempt."""

    @property
    def builder(self) -> DrawBuilder:
        """The function that builds the draw from found figures."""
        if not self.other_way:
            return build_closed_draw if self.status == "PX" else build_solvable_draw
        if self.status == "PX":
            raise ConfigurationError("A scenario without a way has no other way. Ask for status KS.")
        return build_shifted_draw


SOLVABLE: Final = ComposedOptions()


def draw_composed(
    level: int, seed: int, place: str | None = None, options: ComposedOptions = SOLVABLE
) -> ComposedDraw:
    """Draw a composed scenario. The same arguments give the same scenario.

    Without a place, the seed selects one of those that serve the category. Raise `NoComposedDraw` if no draw is
    accepted.
    """
    chosen = get_place(place) if place is not None else choose_place(level, seed, options.category)
    return draw_from_place(chosen, level, seed, options)


def choose_place(level: int, seed: int, category: Category | None = None) -> PlaceForm:
    """Return the place that a seed selects, of those that serve a level and category. A series of seeds uses all in turn."""
    fitting = [
        each
        for each in load_shipped_places().values()
        if category in {None, *each.categories} and each.levels.low <= level <= each.levels.high
    ]
    if not fitting:
        raise NoComposedDraw(f"no place serves {category or 'any category'} at level {level}.")
    return fitting[seed % len(fitting)]


def draw_from_place(
    place: PlaceForm, level: int, seed: int, options: ComposedOptions = SOLVABLE
) -> ComposedDraw:
    """Draw from a place that need not be shipped."""
    return _draw_once(place.model_dump_json(by_alias=True), level, seed, options)


@lru_cache(maxsize=32)
def _draw_once(text: str, level: int, seed: int, options: ComposedOptions) -> ComposedDraw:
    """Draw from a place, given as text. Draws are kept, because a pipeline asks for the same one many times."""
    place = PlaceForm.model_validate_json(text)
    build, reason, accepted = options.builder, "no figures were found", 0
    attempts = range(MOST_ATTEMPTS) if options.attempt is None else (options.attempt,)
    for attempt in attempts:
        found = find_figures(text, level, seed, attempt)
        if found is None:
            continue
        try:
            draw = build(found, seed, attempt, options.category)
        except (
            ConfigurationError
        ) as problem:  # texts of these figures break a rule of the record, such as its length
            reason = str(problem)
            continue
        if draw is None:
            reason = "no single figure makes a twin"
        elif draw.trial.reasons:
            reason = draw.trial.reasons[0]
        elif accepted == options.skipped:
            return draw
        else:
            accepted += 1
    raise NoComposedDraw(f"{place.name} gives no scenario at level {level} with seed {seed}: {reason}.")


@lru_cache(maxsize=64)
def find_figures(place: str, level: int, seed: int, attempt: int) -> FoundFigures | None:
    """Search the figures of a place, given as text. Results are kept, because several questions need the same ones."""
    form = PlaceForm.model_validate_json(place)
    stream = create_random_stream("composition", form.name, level, seed, attempt)
    return search_figures(PlaceStructure(form, level), get_level_target(level).widen(attempt), stream)


def build_closed_draw(
    found: FoundFigures, seed: int, attempt: int, category: Category | None = None
) -> ComposedDraw | None:
    """Build and check the near twin of found figures that has no way, or return None if no limit closes it."""
    names = ("composition", found.structure.place.name, found.structure.level, seed, attempt, "closed")
    closed = close_figures(found, create_random_stream(*names))
    if closed is None:
        return None
    world = JobWorld(closed.structure, closed.figures)
    wrong = list_wrong_plans(world, build_job_graph(world), None)
    offer = build_offer(
        closed.structure, closed.figures, wrong=wrong, conflict=closed.conflict, category=category
    )
    trial = draw_and_check_instance(offer, load_everyday_library(), seed, attempt)
    return ComposedDraw(offer, trial, closed.facts, closed.figures, attempt, closed.changed)


def build_solvable_draw(
    found: FoundFigures, seed: int, attempt: int, category: Category | None = None
) -> ComposedDraw:
    """Build and check the scenario of found figures."""
    world = JobWorld(found.structure, found.figures)
    wrong = list_wrong_plans(world, build_job_graph(world), found.way)
    offer = build_offer(found.structure, found.figures, way=found.way.order, wrong=wrong, category=category)
    trial = draw_and_check_instance(offer, load_everyday_library(), seed, attempt)
    return ComposedDraw(offer, trial, found.facts, found.figures, attempt)


def build_shifted_draw(
    found: FoundFigures, seed: int, attempt: int, category: Category | None = None
) -> ComposedDraw | None:
    """Build and check the near twin of found figures that has another way, or return None if no figure gives one."""
    names = ("composition", found.structure.place.name, found.structure.level, seed, attempt, "shifted")
    target = get_level_target(found.structure.level).widen(attempt + TWIN_WIDENING)
    shifted = shift_figures(found, target, create_random_stream(*names))
    if shifted is None:
        return None
    draw = build_solvable_draw(shifted.found, seed, attempt, category)
    return replace(draw, changed=shifted.changed)
