"""DARWIN, the evolutionary agent: computes counterfactual variants of a scenario."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from impossible_moments.agents.builtin.additional_agents.additional_role import AdditionalRole, RoleAssessment
from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.mechanics.checks import find_counterfactual_variants, verify_record
from impossible_moments.mechanics.records import Library
from impossible_moments.mechanics.world import format_quantity_value

MOST_NAMED: Final = 4


class Darwin(AdditionalRole):
    """The agent that reports which single changes turn the scenario into another one."""

    name = "DARWIN"

    def __init__(self, library: Library) -> None:
        self.library = library

    def assess_scenario(self, view: AssignmentView) -> RoleAssessment:
        """List the nearest variants, each computed by a new search."""
        found = tuple(self._describe_variants(view))
        text = (
            f"{len(found)} single changes make another scenario of this one; the nearest comes first."
            if found
            else "No single number between a tenth and ten times its value changes the outcome."
        )
        return RoleAssessment(text, found, 0.9)

    def _describe_variants(self, view: AssignmentView) -> Iterator[str]:
        report = verify_record(self.require_seed_document(view).mechanics, self.library)
        if report.analysis is None or report.verdict is None:
            return
        for each in islice(find_counterfactual_variants(report.analysis, report.verdict), MOST_NAMED):
            plan = f" by {' then '.join(each.plan)}" if each.plan else ""
            yield f"{format_quantity_value(report.analysis.world, each.quantity, each.value)} ({each.factor:.3g} times as stated): {each.becomes}{plan}"
