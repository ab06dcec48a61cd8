"""The answer key of a scenario: its record, ready to execute plans, and what answers are compared with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from impossible_moments.domain.vocabulary import Status, parse_main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answers.condition_quantities import DEADLINE, ConditionQuantities
from impossible_moments.mechanics.checks import WorldAnalysis, build_analysis_without_search
from impossible_moments.mechanics.execution import Move, MoveKind
from impossible_moments.mechanics.records import Library, PlannedCall, load_document, parse_line
from impossible_moments.mechanics.uncertain import is_uncertain_record
from impossible_moments.mechanics.wording import CallWording, RecordWording
from impossible_moments.mechanics.world import TOOLS, NeverRuleSource, World

FILE: Final = "{}_mechanics.json"
NO_WORDING: Final = (
    "the record has no section `wording`, which states how answers are read; add the section as described in "
    "docs/mechanics.md, check the record with `im verify`, and score again"
)
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
        if is_uncertain_record(record):
            raise ConfigurationError(
                f"{scenario_id} is an uncertain world, which has no plan to execute. Use `im eval` with --answer interactive or policy."
            )
        analysis = build_analysis_without_search(record, library)
        if analysis is None:
            raise ConfigurationError(
                f"the mechanics of {scenario_id} cannot be read with this library; `im verify` reports the reason."
            )
        return cls(scenario_id, analysis)

    @classmethod
    def load(cls, folder: Path, scenario_id: str, library: Library) -> AnswerKey:
        """Load the key of a published scenario."""
        return cls.from_record(scenario_id, load_document(_require_record_file(folder, scenario_id)), library)

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
    def insights(self) -> tuple[KeyInsight, ...]:
        """The insights of the record."""
        found = []
        for line in self.analysis.world.record.insights:
            parsed = parse_line(line, example="", evidence=False)
            found.append(KeyInsight(parsed.head, parsed.body))
        return tuple(found)

    @cached_property
    def insights_of_solutions(self) -> tuple[KeyInsight, ...]:
        """The insights that an act of a solution shows. The others say why a tempting act fails, and doing it shows none."""
        return tuple(each for each in self.insights if any(map(each.is_shown_by, self._solutions)))

    @cached_property
    def _solutions(self) -> tuple[tuple[str, ...], ...]:
        """The calls of the approaches that reach the goal as stated, at an end of a dispute, or without a premise."""
        names = [name for name, outcome in self.analysis.outcomes.items() if outcome.reaches_goal]
        ends = (getattr(self.block, "at_low", None), getattr(self.block, "at_high", None))
        names += [*filter(None, ends), *getattr(self.block, "outside", ())]
        return tuple(tuple(move.text for move in self.analysis.plans[name]) for name in dict.fromkeys(names))

    @cached_property
    def needed_insights(self) -> int:
        """The number of insights shown by the solution with the fewest, since one solution is enough."""
        insights = self.insights_of_solutions
        counts = [sum(each.is_shown_by(way) for each in insights) for way in self._solutions]
        return max(min((count for count in counts if count), default=len(insights)), 1)

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
    def premises(self) -> tuple[str, ...]:
        """The premises that are only suggested, as the text states them."""
        return tuple(
            never.evidence for never in self.analysis.world.never_rules if never.by is NeverRuleSource.PREMISE
        )

    @cached_property
    def conflict(self) -> tuple[str, ...]:
        """The names of the conditions that make the goal impossible."""
        return tuple(getattr(self.block, "conflict", ()))

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
    def failing_conditions(self) -> frozenset[str]:
        """The conditions at which any approach of the record fails."""
        endings = (_extract_condition_from_plan_ending(each.end) for each in self.analysis.outcomes.values())
        return frozenset(each for each in endings if each)

    @cached_property
    def completed_calls(self) -> frozenset[str]:
        """The calls that were carried out in some approach of the record."""
        return frozenset(step.call for each in self.analysis.outcomes.values() for step in each.steps)

    @property
    def has_wording(self) -> bool:
        """Whether the record states how answers in plain words are read."""
        return self.analysis.world.record.wording is not None

    @cached_property
    def unscorable_reason(self) -> str:
        """Why no answer to the scenario can be scored, and what to do about it; empty if answers can be scored."""
        if not self.has_wording:
            return NO_WORDING
        calls = (PlannedCall(move.verb, move.arguments) for move in self.analysis.executor.moves.all_actions)
        fault = self.wording.find_fault(calls)
        return (
            f"the section `wording` of the record cannot be read: {fault}; correct it with `im verify`"
            if fault
            else ""
        )

    def require_scorable(self) -> None:
        """Raise `ConfigurationError` if no answer to the scenario can be scored."""
        if self.unscorable_reason:
            raise ConfigurationError(f"{self.scenario_id} cannot be scored: {self.unscorable_reason}.")

    @cached_property
    def wording(self) -> RecordWording:
        """The plain words of the record."""
        return RecordWording(self.analysis.engine)

    @cached_property
    def worded_moves(self) -> tuple[tuple[Move, CallWording], ...]:
        """The moves that the record describes in plain words: actions, and the waits of its approaches."""
        waits = {
            move.text: move
            for plan in self.analysis.plans.values()
            for move in plan
            if move.kind is MoveKind.WAIT_UNTIL
        }
        moves = (*self.analysis.executor.moves.all_actions, *waits.values())
        found = ((move, self.wording.find_wording(PlannedCall(move.verb, move.arguments))) for move in moves)
        return tuple((move, wording) for move, wording in found if wording is not None)

    @cached_property
    def unsaid_moves(self) -> tuple[Move, ...]:
        """The moves that follow by themselves, by the wording of the record."""
        return tuple(move for move, wording in self.worded_moves if wording.is_unsaid)

    @cached_property
    def time(self) -> float | None:
        """The available time in seconds, or None."""
        return self.analysis.executor.run_plan(()).deadline

    @cached_property
    def conditions(self) -> ConditionQuantities:
        """The conditions of the record and the quantities that they depend on."""
        return ConditionQuantities(self.analysis.world)


def _extract_condition_from_plan_ending(end: str) -> str:
    """Return the condition that an ending names, or an empty string if the plan merely falls short."""
    kind, _, name = end.partition(" ")
    return DEADLINE if kind == "late" else name if kind in {"blocked", "never"} else ""


def has_worded_record(folder: Path, scenario_id: str) -> bool:
    """Return whether the stored record of a scenario has the section `wording`, without opening the record.

    Raise `ConfigurationError` if there is no record.
    """
    record = load_document(_require_record_file(folder, scenario_id))
    return record.get("wording") is not None


def _require_record_file(folder: Path, scenario_id: str) -> Path:
    path = folder / FILE.format(scenario_id)
    if not path.is_file():
        raise ConfigurationError(
            f"No such file: {path}. Answers can only be scored with the mechanics of the scenario."
        )
    return path


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
