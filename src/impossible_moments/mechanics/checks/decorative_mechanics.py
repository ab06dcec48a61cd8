"""Check for decorative mechanics: rules and effects that decide nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.records.puzzle_forms import DiagnosisPuzzle
from impossible_moments.mechanics.records.quantities import QuantityKind
from impossible_moments.mechanics.world.world_model import Action, NeverRuleSource, World


def check_decorative_mechanics(world: World, findings: Findings) -> None:
    """Report exits that miss the goal, arbitrary rules, and actions whose effects nothing reads."""
    _report_exits_that_miss_goal(world, findings)
    _report_arbitrary_rules(world, findings)
    names_read = frozenset(_iterate_names_read_in_world(world))
    for action in world.actions.values():
        if action.own and not any(
            _get_name_without_thing(effect.target) in names_read for effect in action.then
        ):
            changed = ", ".join(ex.format_expression(effect.target) for effect in action.then)
            findings.add(
                "action.dead-effect", f"/actions/{action.verb}", f"nothing reads the effects of `{action.verb}` ({changed}), so it cannot help to reach the goal",
                found=changed, expected="an effect that the goal, a condition, a rate or a derived quantity reads",
            )  # fmt: skip


_DANGER_WORDS: Final = re.compile(
    r"\b(?:kill|die|death|deadly|lethal|poison|burn|explo|drown|crush|electrocut|suffocat)", re.IGNORECASE
)


def _report_arbitrary_rules(world: World, findings: Findings) -> None:
    """Report premises that describe a danger, and diagnoses in which nothing is computed."""
    for never in world.never_rules:
        if never.by is NeverRuleSource.PREMISE and _DANGER_WORDS.search(never.evidence):
            findings.add(
                "premise.danger",
                f"/never/{never.name}",
                "the quote of the premise describes a danger",
                found=never.evidence,
                expected="an unstated assumption about rules, places or counts",
            )
    for puzzle in world.record.puzzles:
        if isinstance(puzzle, DiagnosisPuzzle):
            predicted = {
                line.partition("=")[2].strip()
                for hypothesis in puzzle.hypotheses
                for line in hypothesis.predicts
            }
            if predicted <= {"true", "false"}:
                findings.add(
                    "puzzle.decree",
                    f"/puzzles/{puzzle.name}",
                    "every prediction is a constant true or false",
                    found=", ".join(sorted(predicted)),
                    expected="at least one prediction that is computed from quantities",
                )


def _report_exits_that_miss_goal(world: World, findings: Findings) -> None:
    """Report boundaries whose inherited destination is not a location that the goal requires."""
    goal_locations = frozenset(_iterate_goal_locations(world.goal))
    for thing in world.list_things_of_kind("boundary"):
        path = f"{thing.name}.leads"
        quantity = world.quantities.get(path)
        if (
            goal_locations
            and thing.own
            and quantity is not None
            and path not in world.own_paths
            and quantity.value not in goal_locations
        ):
            findings.add(
                "goal.exits", f"/things/{thing.name}", f"the goal is to be at {' or '.join(sorted(goal_locations))}, but `{path}` has the inherited value '{quantity.value}'",
                found=path, expected=f"props: `leads = '{min(goal_locations)}'`, or its real destination",
            )  # fmt: skip


def _iterate_goal_locations(goal: Expression) -> Iterator[str]:
    """Yield the locations that the goal requires for `you.at`."""
    for node in ex.walk_nodes(goal):
        match node:
            case ex.Comparison("==", ex.Property("you", "at"), ex.Text(word)) | ex.Comparison(
                "==", ex.Text(word), ex.Property("you", "at")
            ):
                yield word


def _iterate_names_read_in_world(world: World) -> Iterator[str]:
    """Yield the last name of everything that is read.

    Readers are the goal, conditions, durations, effects, roles, rates and derived quantities.
    """
    trees = [world.goal, *world.rates.values(), *(role.test for role in world.roles.values())]
    trees += [
        quantity.tree for quantity in world.quantities.values() if quantity.kind is QuantityKind.DERIVED
    ]
    for action in world.actions.values():
        trees += _list_action_expressions(action)
    # A danger is not a use of the effect that causes it, but it is a use of the effect that prevents it.
    trees += [
        node.inner
        for never in world.never_rules
        for node in ex.walk_nodes(never.tree)
        if isinstance(node, ex.Negation)
    ]
    for tree in trees:
        for node in ex.walk_nodes(tree):
            if isinstance(node, ex.Name | ex.Property):
                yield _get_name_without_thing(node)


def _list_action_expressions(action: Action) -> list[Expression]:
    return [
        *(condition.tree for condition in action.when),
        action.takes,
        *(effect.tree for effect in action.then),
    ]


def _get_name_without_thing(node: ex.Name | ex.Property) -> str:
    return node.name
