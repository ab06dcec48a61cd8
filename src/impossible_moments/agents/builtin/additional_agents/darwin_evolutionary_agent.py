"""DARWIN, the evolutionary agent: computes counterfactual variants of a scenario."""

from __future__ import annotations

from impossible_moments.agents.builtin.additional_agents.additional_role import AdditionalRole, RoleAssessment
from impossible_moments.agents.builtin.additional_agents.record_mutations import (
    describe_fragility_test,
    find_mutations,
)
from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.domain.additional_agent_reports import Mutation
from impossible_moments.mechanics.records import Library


class Darwin(AdditionalRole):
    """The agent that reports which single changes turn the scenario into another one."""

    name = "DARWIN"

    def __init__(self, library: Library) -> None:
        self.library = library

    def assess_scenario(self, view: AssignmentView) -> RoleAssessment:
        """List mutations of the deciding quantities with the computed status, and the KS-Fragile test."""
        record = self.require_seed_document(view).mechanics
        mutations = find_mutations(record, self.library)
        quantities = dict.fromkeys(each.quantity for each in mutations)
        text = (
            f"{len(mutations)} mutations of {len(quantities)} quantities, the most sensitive first: {', '.join(quantities)}."
            if mutations
            else "No single number between a tenth and ten times its value changes the outcome."
        )
        test = describe_fragility_test(record, self.library)
        findings = (*map(_format_mutation, mutations), *([] if test is None else [test]))
        return RoleAssessment(text, findings, 0.9, mutations=mutations)


def _format_mutation(mutation: Mutation) -> str:
    return f"{mutation.quantity} from {mutation.before} to {mutation.after}: {mutation.becomes} (computed status {mutation.status})"
