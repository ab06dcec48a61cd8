"""The answer key of a scenario: its record, ready to execute plans, and what answers are compared with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from impossible_moments.domain.vocabulary import Status, parse_main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answers.condition_terms import DEADLINE, ConditionTerms
from impossible_moments.evaluation.answers.thing_names import ThingNames, extract_word_stems
from impossible_moments.mechanics.checks import WorldAnalysis, build_analysis_without_search
from impossible_moments.mechanics.execution import Move
from impossible_moments.mechanics.records import Library, PlannedCall, load_document, parse_line
from impossible_moments.mechanics.wording import RecordWording
from impossible_moments.mechanics.world import TOOLS, NeverRuleSource, World

FILE: Final = "{}_mechanics.json"
_LEAST_DISTINCTIVE: Final = 3


@dataclass(frozen=True)
class KeyInsight:
    """An insight of the record, and the call that shows it."""

    call: str
    text: str

    def is_shown_by(self, calls: tuple[str, ...]) -> bool:
        """Return whether one of the calls matches the call of this insight."""
        pattern = self.call.replace(" ", "")
        return any(fnmatchcase(each.replace(" ", ""), pattern) for each in calls)


@dataclass(frozen=True)
class AnswerKey:
    """The record of a scenario, ready to execute plans."""

    scenario_id: str
    analysis: WorldAnalysis

    @classmethod
    def from_record(cls, scenario_id: str, record: object, library: Library) -> AnswerKey:
        """Build the key from a verified record. Raises `ConfigurationError` if it cannot be opened."""
        analysis = build_analysis_without_search(record, library)
        if analysis is None:
            raise ConfigurationError(
                f"the mechanics of {scenario_id} cannot be read with this library; `im verify` reports the reason."
            )
        return cls(scenario_id, analysis)

    @classmethod
    def load(cls, folder: Path, scenario_id: str, library: Library) -> AnswerKey:
        """Load the key of a published scenario."""
        path = folder / FILE.format(scenario_id)
        if not path.is_file():
            raise ConfigurationError(
                f"No such file: {path}. Answers can only be scored with the mechanics of the scenario."
            )
        return cls.from_record(scenario_id, load_document(path), library)

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
        return parse_main_status(self.full_status)

    @cached_property
    def names(self) -> ThingNames:
        """The names by which an answer may call the things."""
        return ThingNames(self.analysis.world)

    @cached_property
    def insights(self) -> tuple[KeyInsight, ...]:
        """The insights of the record."""
        found = []
        for line in self.analysis.world.record.insights:
            parsed = parse_line(line, example="", evidence=False)
            found.append(KeyInsight(parsed.head, parsed.body))
        return tuple(found)

    @cached_property
    def needed_insights(self) -> int:
        """The number of insights shown by the solution with the fewest, since one solution is enough."""
        plans = [
            tuple(move.text for move in self.analysis.plans[name])
            for name, outcome in self.analysis.outcomes.items()
            if outcome.reaches_goal
        ]
        counts = [sum(each.is_shown_by(way) for each in self.insights) for way in plans]
        return max(min((count for count in counts if count), default=len(self.insights)), 1)

    @cached_property
    def moves(self) -> Mapping[frozenset[str], tuple[Move, ...]]:
        """All moves of the scenario by the set of things they name."""
        found: dict[frozenset[str], list[Move]] = defaultdict(list)
        for move in self.analysis.executor.moves.all_actions:
            found[frozenset(move.arguments)].append(move)
        return {things: tuple(moves) for things, moves in found.items()}

    @cached_property
    def implied_things(self) -> frozenset[str]:
        """Things that an answer need not name.

        These are `you` and fixed things that are the only possible argument of an action.
        """
        world = self.analysis.world
        alone = {"you"} if "you" in world.things else set()
        for action in world.actions.values():
            if action.own:
                alone |= {slot.type for slot in action.slots if slot.type in world.things}
        return frozenset(alone) - self.tools

    @cached_property
    def competing_things(self) -> frozenset[str]:
        """The own things of the scenario among which a solver chooses what to use."""
        world = self.analysis.world
        named = {name for things in self.moves for name in things}
        return frozenset(name for name in named if world.things[name].own) - self.implied_things

    @cached_property
    def tools(self) -> frozenset[str]:
        """The loose things of the scenario."""
        return frozenset(
            name for name, thing in self.analysis.world.things.items() if thing.own and thing.kind in TOOLS
        )

    @cached_property
    def idle_tools(self) -> frozenset[str]:
        """The loose things that no solution of the record needs."""
        used_things = {
            argument
            for name, outcome in self.analysis.outcomes.items()
            if outcome.reaches_goal
            for move in self.analysis.plans[name]
            for argument in move.arguments
        }
        return self.tools - used_things

    @cached_property
    def premises(self) -> Mapping[str, frozenset[str]]:
        """The premises that are only suggested, by their wording, each with its words."""
        return {
            never.evidence: extract_word_stems(never.evidence)
            for never in self.analysis.world.never_rules
            if never.by is NeverRuleSource.PREMISE
        }

    @cached_property
    def conflict(self) -> Mapping[str, frozenset[str]]:
        """The conditions that make the goal impossible, each with the words used for it."""
        names = getattr(self.block, "conflict", ())
        return {name: self.conditions.get_condition_words(name) for name in names}

    @cached_property
    def breaking_conditions(self) -> frozenset[str]:
        """The conditions at which the serious approaches fail."""
        attempts = getattr(self.block, "chains", ()) or self.analysis.outcomes
        return frozenset(
            filter(
                None,
                (_extract_condition_from_plan_ending(self.analysis.outcomes[name].end) for name in attempts),
            )
        )

    @cached_property
    def closing_conditions(self) -> frozenset[str]:
        """All conditions at which any approach of the record fails."""
        ends = (outcome.end for outcome in self.analysis.outcomes.values())
        return frozenset(filter(None, map(_extract_condition_from_plan_ending, ends)))

    @property
    def has_wording(self) -> bool:
        """Whether the record states how answers in plain words are read."""
        return self.analysis.world.record.wording is not None

    @cached_property
    def wording(self) -> RecordWording:
        """The plain words of the record."""
        return RecordWording(self.analysis.engine)

    @cached_property
    def unsaid_moves(self) -> tuple[Move, ...]:
        """The moves that follow by themselves, by the wording of the record."""
        found = (
            (move, self.wording.find_wording(PlannedCall(move.verb, move.arguments)))
            for move in self.analysis.executor.moves.all_actions
        )
        return tuple(move for move, wording in found if wording is not None and wording.is_unsaid)

    @cached_property
    def time(self) -> float | None:
        """The available time in seconds, or None."""
        return self.analysis.executor.run_plan(()).deadline

    @cached_property
    def conditions(self) -> ConditionTerms:
        """The conditions of the record and what they are about."""
        return ConditionTerms(self.analysis.world)


def _extract_condition_from_plan_ending(end: str) -> str:
    """Return the condition that an ending names, or an empty string if the plan merely falls short."""
    kind, _, name = end.partition(" ")
    return DEADLINE if kind == "late" else name if kind in {"blocked", "never"} else ""


def iterate_printed_forms_of_quantity(world: World, path: str) -> Iterator[str]:
    """Yield a stated number as the text prints it.

    Small whole numbers are left out, because they occur in every text.
    """
    quantity = world.quantities.get(path)
    if quantity is None or isinstance(quantity.value, bool) or not isinstance(quantity.value, int | float):
        return
    value = (
        quantity.display_unit.from_si(quantity.value)
        if quantity.display_unit is not None
        else float(quantity.value)
    )
    if abs(value) >= _LEAST_DISTINCTIVE or value != round(value):
        yield f"{value:.4g}"
