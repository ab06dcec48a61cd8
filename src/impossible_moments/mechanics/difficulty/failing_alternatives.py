"""Alternatives that fail: the approaches of the record, and answering plans with one thing exchanged.

Each is executed. How far it gets and by how much it fails show whether it can be dismissed at sight or must be worked out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal, TypeAlias

from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis
from impossible_moments.mechanics.difficulty.answering_plans import AnsweringPlan, list_answering_plan_groups
from impossible_moments.mechanics.execution import Move, PlanOutcome

NEAR_MISS: Final = 0.3
"""A condition or a deadline that is missed by at most this share must be calculated to be seen."""
PLAIN_MISS: Final = 0.5
"""A condition or a deadline that is missed by more than this share is seen without working the plan out."""
SEVERAL_CALLS: Final = 2
"""So many calls that succeed before the failure make an approach that survives several steps of thought."""
MOST_EXCHANGES: Final = 400
"""The most exchanged calls that are executed."""
Strength: TypeAlias = Literal["weak", "moderate", "strong"]


@dataclass(frozen=True, slots=True)
class FailingAlternative:
    """A plan that fails, and how.

    `executed` counts the calls of the plan that succeed before the failure. `is_listed` tells approaches of the record
    from exchanged calls, and `has_other_verb` an exchange for another tool, which only records with long plans have.
    """

    name: str
    calls: tuple[str, ...]
    things: frozenset[str]
    end: str
    margin: float | None
    executed: int
    is_listed: bool
    has_other_verb: bool = False

    @property
    def is_near_miss(self) -> bool:
        """Whether it fails by so little that it must be calculated."""
        return self.margin is not None and abs(self.margin) <= NEAR_MISS

    @property
    def is_plain_miss(self) -> bool:
        """Whether it fails by so much that it is seen at once."""
        return self.margin is not None and abs(self.margin) > PLAIN_MISS

    @property
    def is_deep(self) -> bool:
        """Whether it must be worked out: a near miss, or several calls succeed before it fails not plainly.

        An exchange that fails without a measure, such as a tool that was not taken up, is no plan that misleads. An exchange
        for another tool begins like the answer by itself, so only the size of its miss counts.
        """
        if self.has_other_verb:
            return self.is_near_miss
        has_measure = self.is_listed or self.margin is not None
        return self.is_near_miss or (
            self.executed >= SEVERAL_CALLS and has_measure and not self.is_plain_miss
        )


def find_failing_approaches(analysis: WorldAnalysis) -> dict[str, PlanOutcome]:
    """Return the approaches of the record that fail, with their outcomes."""
    return {name: outcome for name, outcome in analysis.outcomes.items() if not outcome.reaches_goal}


def list_failing_alternatives(
    analysis: WorldAnalysis, verdict: StatusVerdict
) -> tuple[FailingAlternative, ...]:
    """Return the failing approaches and the failing exchanges of one call, each plan once."""
    listed = [
        _describe_alternative(name, outcome, analysis, is_listed=True)
        for name, outcome in find_failing_approaches(analysis).items()
    ]
    known = {each.calls for each in listed}
    exchanged = (
        each
        for each in islice(_iterate_exchanges(analysis, verdict), MOST_EXCHANGES)
        if each is not None and each.calls not in known
    )
    return (*listed, *exchanged)


def _describe_alternative(
    name: str, outcome: PlanOutcome, analysis: WorldAnalysis, *, is_listed: bool
) -> FailingAlternative:
    moves = analysis.plans[name]
    return FailingAlternative(
        name,
        tuple(move.text for move in moves),
        frozenset(argument for move in moves for argument in move.arguments),
        outcome.end,
        outcome.failing_margin,
        count_executed_calls(outcome),
        is_listed,
    )


def count_executed_calls(outcome: PlanOutcome) -> int:
    """Return how many calls of a plan succeeded, without logistics that were inserted."""
    return sum(not step.inserted for step in outcome.steps)


def _iterate_exchanges(
    analysis: WorldAnalysis, verdict: StatusVerdict
) -> Iterator[FailingAlternative | None]:
    """Yield each answering plan with one call replaced by another one that serves the same purpose; None if that works too.

    That is a call of the same verb. In a record with long plans each tool has its own verb; there it is a call that
    changes the same quantity of the goal.
    """
    for group in list_answering_plan_groups(analysis, verdict):
        for plan in group:
            yield from _iterate_exchanges_of_plan(analysis, plan)


def _iterate_exchanges_of_plan(
    analysis: WorldAnalysis, plan: AnsweringPlan
) -> Iterator[FailingAlternative | None]:
    for position, move in enumerate(plan.moves):
        for other in analysis.searcher.moves:
            if other.text == move.text or not _serves_same_purpose(analysis, move, other):
                continue
            if other.verb == move.verb and other.text in plan.calls:
                continue
            moves = (*plan.moves[:position], other, *plan.moves[position + 1 :])
            outcome = plan.run(analysis, moves)
            yield (
                None
                if outcome.reaches_goal
                else FailingAlternative(
                    f"{other.text} instead of {move.text}",
                    tuple(each.text for each in moves),
                    frozenset(other.arguments) - frozenset(move.arguments),
                    outcome.end,
                    outcome.failing_margin,
                    count_executed_calls(outcome),
                    is_listed=False,
                    has_other_verb=other.verb != move.verb,
                )
            )


def _serves_same_purpose(analysis: WorldAnalysis, move: Move, other: Move) -> bool:
    if other.verb == move.verb:
        return True
    world = analysis.world
    if world.record.longest_plan is None:
        return False
    goal = world.collect_stated_quantities(world.goal)
    changed = [{change.name for change in each.changes} & goal for each in (move, other)]
    return bool(changed[0] & changed[1])


def measure_distractor_strength(name: str, alternatives: tuple[FailingAlternative, ...]) -> Strength:
    """Return how strongly a thing or an approach misleads, from the best alternative that uses it.

    It is strong if that alternative must be worked out, and moderate if a call succeeds or the failure is not plain.
    """
    using = [each for each in alternatives if name == each.name or name in each.things]
    if any(each.is_deep for each in using):
        return "strong"
    return "moderate" if any(each.executed and not each.is_plain_miss for each in using) else "weak"


def group_strong_distractors(
    strengths: Mapping[str, Strength], alternatives: tuple[FailingAlternative, ...]
) -> int:
    """Return the most strong distractors that one alternative uses together: parts of one false story."""
    strong = {name for name, strength in strengths.items() if strength == "strong"}
    return max((len(strong & (each.things | {each.name})) for each in alternatives), default=0)
