"""Check for decorative mechanics: rules and effects that decide nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.puzzles.forms import DiagnosisPuzzle
from impossible_moments.mechanics.quantities import Kind
from impossible_moments.mechanics.world import Action, Imposed, World


def check_decoration(world: World, findings: Findings) -> None:
    """Report exits that miss the goal, arbitrary rules, and actions whose effects nothing reads."""
    _exits(world, findings)
    _decrees(world, findings)
    read = frozenset(_looked_at(world))
    for action in world.actions.values():
        if action.own and not any(_last(effect.target) in read for effect in action.then):
            changed = ", ".join(ex.written(effect.target) for effect in action.then)
            findings.add(
                "action.dead-effect", f"/actions/{action.verb}", f"nothing reads the effects of `{action.verb}` ({changed}), so it cannot help to reach the goal",
                found=changed, expected="an effect that the goal, a condition, a rate or a derived quantity reads",
            )  # fmt: skip


_DANGER: Final = re.compile(
    r"\b(?:kill|die|death|deadly|lethal|poison|burn|explo|drown|crush|electrocut|suffocat)", re.IGNORECASE
)


def _decrees(world: World, findings: Findings) -> None:
    """Report premises that describe a danger, and diagnoses in which nothing is computed."""
    for never in world.nevers:
        if never.by is Imposed.PREMISE and _DANGER.search(never.evidence):
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


def _exits(world: World, findings: Findings) -> None:
    """Report boundaries whose inherited destination is not a location that the goal requires."""
    wanted = frozenset(_places(world.goal))
    for thing in world.things_of("boundary"):
        path = f"{thing.name}.leads"
        quantity = world.quantities.get(path)
        if (
            wanted
            and thing.own
            and quantity is not None
            and path not in world.own_paths
            and quantity.value not in wanted
        ):
            findings.add(
                "goal.exits", f"/things/{thing.name}", f"the goal is to be at {' or '.join(sorted(wanted))}, but `{path}` has the inherited value '{quantity.value}'",
                found=path, expected=f"props: `leads = '{min(wanted)}'`, or its real destination",
            )  # fmt: skip


def _places(goal: Expression) -> Iterator[str]:
    """Yield the locations that the goal requires for `you.at`."""
    for node in ex.walk(goal):
        match node:
            case ex.Comparison("==", ex.Property("you", "at"), ex.Text(word)) | ex.Comparison(
                "==", ex.Text(word), ex.Property("you", "at")
            ):
                yield word


def _looked_at(world: World) -> Iterator[str]:
    """Yield the last name of everything that is read.

    Readers are the goal, conditions, durations, effects, roles, rates and derived quantities.
    """
    trees = [world.goal, *world.rates.values(), *(role.test for role in world.roles.values())]
    trees += [quantity.tree for quantity in world.quantities.values() if quantity.kind is Kind.DERIVED]
    for action in world.actions.values():
        trees += _trees(action)
    # A danger is not a use of the effect that causes it, but it is a use of the effect that prevents it.
    trees += [
        node.inner for never in world.nevers for node in ex.walk(never.tree) if isinstance(node, ex.Not)
    ]
    for tree in trees:
        for node in ex.walk(tree):
            if isinstance(node, ex.Name | ex.Property):
                yield _last(node)


def _trees(action: Action) -> list[Expression]:
    return [
        *(condition.tree for condition in action.when),
        action.takes,
        *(effect.tree for effect in action.then),
    ]


def _last(node: ex.Name | ex.Property) -> str:
    return node.name
