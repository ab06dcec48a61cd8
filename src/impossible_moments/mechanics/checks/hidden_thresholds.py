"""Thresholds that stop an approach, and that the public text does not print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.prose import ProseRequirements, ShownValue, list_prose_parts
from impossible_moments.mechanics.records.quantities import QuantityKind
from impossible_moments.mechanics.records.record import ProseForm

GUESS: Final = "estimate"
"""The first word of a source that no reader can look up."""


def check_hidden_thresholds(
    analysis: WorldAnalysis, prose: ProseForm, requirements: ProseRequirements, findings: Findings
) -> None:
    """Report estimates in the condition that stops an approach, if the text does not print them."""
    printed = frozenset(
        piece.name
        for part in list_prose_parts(prose)
        for piece in part.pieces
        if isinstance(piece, ShownValue)
    )
    world = analysis.world
    for approach, condition, tree in _iterate_stopping_conditions(analysis):
        for path in sorted(world.collect_stated_quantities(tree)):
            quantity = world.quantities[path]
            is_own = "." not in path or path in world.own_paths
            is_guess = quantity.kind is QuantityKind.ASSUMED and quantity.source.startswith(GUESS)
            if is_own and is_guess and path not in printed and path in requirements.printable:
                findings.add(
                    "text.threshold-untold",
                    "/prose",
                    f"`{path}` decides that `{approach}` fails (`{condition}`), and the text does not print it",
                    found=f"no {{{path}|...}}",
                    expected="the figure in the text or a table, with its uncertainty",
                )


def _iterate_stopping_conditions(analysis: WorldAnalysis) -> Iterator[tuple[str, str, ex.Expression]]:
    for name, outcome in analysis.outcomes.items():
        stopped_by = outcome.end.removeprefix("blocked ")
        for move in analysis.plans[name]:
            for test in move.tests:
                if outcome.end.startswith("blocked ") and test.name == stopped_by:
                    yield name, test.name, test.tree
    for never in analysis.world.never_rules:
        for name, outcome in analysis.outcomes.items():
            if outcome.end == f"never {never.name}":
                yield name, never.name, never.tree
