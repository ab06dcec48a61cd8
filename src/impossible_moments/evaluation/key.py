"""The answer key of a scenario: its record, opened for execution, and what an answer is held against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from impossible_moments.domain.vocabulary import Status, main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.reading.conditions import DEADLINE, Conditions
from impossible_moments.evaluation.reading.naming import Names, words_of
from impossible_moments.mechanics.analysis import Analysis
from impossible_moments.mechanics.check import opened
from impossible_moments.mechanics.documents import load
from impossible_moments.mechanics.library import Library
from impossible_moments.mechanics.lines import split_line
from impossible_moments.mechanics.moves import Move
from impossible_moments.mechanics.world import TOOLS, Imposed, World

FILE: Final = "{}_mechanics.json"
_SMALLEST_TELLING: Final = 3


@dataclass(frozen=True)
class Insight:
    """Something one must see, and the call that shows it was seen."""

    call: str
    text: str

    def shown_by(self, calls: tuple[str, ...]) -> bool:
        """Whether one of the calls is the one it speaks of."""
        pattern = self.call.replace(" ", "")
        return any(fnmatchcase(each.replace(" ", ""), pattern) for each in calls)


@dataclass(frozen=True)
class AnswerKey:
    """A scenario's record, ready to execute plans."""

    scenario_id: str
    analysis: Analysis

    @classmethod
    def of(cls, scenario_id: str, record: object, library: Library) -> AnswerKey:
        """The key of a record that was verified before; one that cannot be read says so."""
        analysis = opened(record, library)
        if analysis is None:
            raise ConfigurationError(
                f"the mechanics of {scenario_id} cannot be read within this library; `im verify` tells why."
            )
        return cls(scenario_id, analysis)

    @classmethod
    def load(cls, folder: Path, scenario_id: str, library: Library) -> AnswerKey:
        """The key of a published scenario."""
        path = folder / FILE.format(scenario_id)
        if not path.is_file():
            raise ConfigurationError(
                f"{path} is not there: without a scenario's mechanics no answer to it can be scored."
            )
        return cls.of(scenario_id, load(path), library)

    @property
    def block(self) -> Any:  # noqa: ANN401 - one of six forms
        """The status block of the record."""
        return self.analysis.world.record.status

    @property
    def full_status(self) -> str:
        """The status with its subtype."""
        return str(self.block.claim)

    @cached_property
    def status(self) -> Status:
        """The status without its subtype."""
        return main_status(self.full_status)

    @cached_property
    def names(self) -> Names:
        """How an answer may call the things."""
        return Names(self.analysis.world)

    @cached_property
    def insights(self) -> tuple[Insight, ...]:
        """The record's insights."""
        found = []
        for line in self.analysis.world.record.insights:
            read = split_line(line, example="", evidence=False)
            found.append(Insight(read.head, read.body))
        return tuple(found)

    @cached_property
    def needed(self) -> int:
        """How many insights the way with the fewest shows: of several ways one is enough."""
        ways = [
            tuple(move.text for move in self.analysis.plans[name])
            for name, outcome in self.analysis.outcomes.items()
            if outcome.reaches_goal
        ]
        counts = [sum(each.shown_by(way) for each in self.insights) for way in ways]
        return max(min((count for count in counts if count), default=len(self.insights)), 1)

    @cached_property
    def moves(self) -> Mapping[frozenset[str], tuple[Move, ...]]:
        """Every call of the scenario by the set of things it names."""
        found: dict[frozenset[str], list[Move]] = defaultdict(list)
        for move in self.analysis.executor.moves.all_actions:
            found[frozenset(move.arguments)].append(move)
        return {things: tuple(moves) for things, moves in found.items()}

    @cached_property
    def implied(self) -> frozenset[str]:
        """Things that an answer need not name: oneself, and what stands fast where a call can be made with only one of it."""
        world = self.analysis.world
        alone = {"you"} if "you" in world.things else set()
        for action in world.actions.values():
            if action.own:
                alone |= {slot.type for slot in action.slots if slot.type in world.things}
        return frozenset(alone) - self.tools

    @cached_property
    def competing(self) -> frozenset[str]:
        """The scenario's things among which one chooses what to put to use."""
        world = self.analysis.world
        named = {name for things in self.moves for name in things}
        return frozenset(name for name in named if world.things[name].own) - self.implied

    @cached_property
    def tools(self) -> frozenset[str]:
        """The scenario's loose things; what stands fast is no tool."""
        return frozenset(
            name for name, thing in self.analysis.world.things.items() if thing.own and thing.kind in TOOLS
        )

    @cached_property
    def idle(self) -> frozenset[str]:
        """The loose things that no way of the record needs."""
        used = {
            argument
            for name, outcome in self.analysis.outcomes.items()
            if outcome.reaches_goal
            for move in self.analysis.plans[name]
            for argument in move.arguments
        }
        return self.tools - used

    @cached_property
    def premises(self) -> Mapping[str, frozenset[str]]:
        """The premises that nobody laid down, by the words they are suggested in."""
        return {
            never.evidence: words_of(never.evidence)
            for never in self.analysis.world.nevers
            if never.by is Imposed.PREMISE
        }

    @cached_property
    def conflict(self) -> Mapping[str, frozenset[str]]:
        """The conditions that forbid the goal, each with the words somebody would speak of it in."""
        names = getattr(self.block, "conflict", ())
        return {name: self.conditions.words(name) for name in names}

    @cached_property
    def breaking(self) -> frozenset[str]:
        """The conditions at which something that was seriously tried breaks off; other doors are closed beside them."""
        tried = getattr(self.block, "chains", ()) or self.analysis.outcomes
        return frozenset(filter(None, (_condition_of(self.analysis.outcomes[name].end) for name in tried)))

    @cached_property
    def closed(self) -> frozenset[str]:
        """Every condition at which any approach of the record breaks off."""
        ends = (outcome.end for outcome in self.analysis.outcomes.values())
        return frozenset(filter(None, map(_condition_of, ends)))

    @cached_property
    def time(self) -> float | None:
        """The time there is, in seconds."""
        return self.analysis.executor.run(()).deadline

    @cached_property
    def conditions(self) -> Conditions:
        """What the record's conditions are about."""
        return Conditions(self.analysis.world)


def _condition_of(end: str) -> str:
    """The condition that an ending names; nothing where a plan simply falls short."""
    kind, _, name = end.partition(" ")
    return DEADLINE if kind == "late" else name if kind in {"blocked", "never"} else ""


def printed_figures(world: World, path: str) -> Iterator[str]:
    """A stated number as the text prints it; small whole ones stand in every text and tell nothing."""
    quantity = world.quantities.get(path)
    if quantity is None or isinstance(quantity.value, bool) or not isinstance(quantity.value, int | float):
        return
    value = quantity.shown.from_si(quantity.value) if quantity.shown is not None else float(quantity.value)
    if abs(value) >= _SMALLEST_TELLING or value != round(value):
        yield f"{value:.4g}"
