"""The supply of designs: which briefs fill a cell of the plan, from the catalogue of skins and the composed places.

Every brief names one design, so that no two briefs of a benchmark ask for the same one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from impossible_moments.blueprints import Catalogue
from impossible_moments.composition import MeasuredDraw, get_place, load_measured_draws
from impossible_moments.domain.brief import ComposedWanted, GenerationBrief
from impossible_moments.domain.vocabulary import CATEGORIES, STATUSES, TIERS, Tier, parse_main_status
from impossible_moments.production.coverage_plan import Cell


class ScenarioSupply:
    """The briefs that are left for each cell: offers of the catalogue first, then composed draws.

    `seed` shifts the draws of the catalogue, so that another seed gives another benchmark of the same plan.
    """

    def __init__(self, catalogue: Catalogue, seed: int = 0) -> None:
        self._seed = seed
        self._offers: Counter[Cell] = Counter()
        for offer in catalogue.iterate_offers():
            if offer.tier is not None:
                cell = Cell(offer.blueprint.category, parse_tier(offer.tier), parse_main_status(offer.claim))
                self._offers[cell] += 1
        self._draws: dict[Cell, list[MeasuredDraw]] = defaultdict(list)
        for draw in load_measured_draws():
            for category in get_place(draw.place).categories:
                self._draws[Cell(category, parse_tier(draw.tier), draw.status)].append(draw)
        self._taken_offers: Counter[Cell] = Counter()
        self._taken_draws: set[MeasuredDraw] = set()

    @classmethod
    def create_unlimited(cls, number: int, seed: int = 0) -> ScenarioSupply:
        """Return the supply of a designer that can be asked for any cell, such as a language model."""
        supply = cls(Catalogue({}, {}), seed)
        supply._draws.clear()
        supply._offers.update(
            {
                Cell(category, tier, status): number
                for category in CATEGORIES
                for tier in TIERS
                for status in STATUSES
            }
        )
        return supply

    def count_capacity(self) -> Mapping[Cell, int]:
        """Return how many briefs are left for each cell.

        A composed draw serves several categories, so it is counted for each in equal parts.
        """
        capacity = {cell: max(number - self._taken_offers[cell], 0) for cell, number in self._offers.items()}
        for cell, draws in self._draws.items():
            shares = sum(
                1 / len(get_place(each.place).categories) for each in draws if each not in self._taken_draws
            )
            capacity[cell] = capacity.get(cell, 0) + int(shares)
        return {cell: number for cell, number in capacity.items() if number}

    def take_known(self, briefs: Iterable[GenerationBrief]) -> None:
        """Take the designs of briefs that were given before, so that no later brief asks for them."""
        for brief in briefs:
            if brief.composed is not None:
                wanted = (brief.composed.place, brief.composed.level, brief.seed, brief.solution_status)
                self._taken_draws |= {each for each in load_measured_draws() if each[:4] == wanted}
                continue
            cell = get_cell(brief)
            number = brief.seed - self._seed * self._offers[cell]
            if 0 <= number < self._offers[cell]:
                self._taken_offers[cell] = max(self._taken_offers[cell], number + 1)

    def take_brief(self, cell: Cell) -> GenerationBrief | None:
        """Return the next brief for a cell, or None if none is left."""
        if self._taken_offers[cell] < self._offers[cell]:
            number = self._taken_offers[cell]
            self._taken_offers[cell] += 1
            return GenerationBrief(
                category=cell.category,
                difficulty_tier=cell.tier,
                solution_status=cell.status,
                seed=self._seed * self._offers[cell] + number,
            )
        draw = next((each for each in self._order_draws(cell) if each not in self._taken_draws), None)
        if draw is None:
            return None
        self._taken_draws.add(draw)
        return GenerationBrief(
            category=cell.category,
            difficulty_tier=cell.tier,
            solution_status=cell.status,
            seed=draw.seed,
            composed=ComposedWanted(level=draw.level, place=draw.place),
        )

    def _order_draws(self, cell: Cell) -> Iterator[MeasuredDraw]:
        """Yield the draws of a cell so that places take turns, those least used first."""
        used = Counter(each.place for each in self._taken_draws)
        rounds: Counter[str] = Counter()
        keyed = []
        for draw in self._draws.get(cell, []):
            keyed.append((used[draw.place] + rounds[draw.place], draw.seed, draw.level, draw.place, draw))
            if draw not in self._taken_draws:
                rounds[draw.place] += 1
        return (each[-1] for each in sorted(keyed))


def parse_tier(name: str) -> Tier:
    """Return the tier with a name."""
    return next(tier for tier in TIERS if tier == name)


def get_cell(brief: GenerationBrief) -> Cell:
    """Return the cell that a brief asks for."""
    return Cell(brief.category, brief.difficulty_tier, brief.solution_status)
