"""Drafts: a drawn instance whose record was read, and whose solution is only stated.

A draft is what a designer has before anyone validates it. Nothing in it was executed, searched or proved.
"""

from __future__ import annotations

from dataclasses import dataclass

from impossible_moments.blueprints.drawn_scenarios import DrawnScenario
from impossible_moments.blueprints.instances import BlueprintInstance
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.checks import RecordDesign, read_record_design_by_content
from impossible_moments.mechanics.prose import ProseRequirements
from impossible_moments.mechanics.records import Library, Record


class UnreadableDraft(ImpossibleMomentsError):
    """A drawn record that breaks the syntax or the dimensions of the record language."""


@dataclass(frozen=True)
class ScenarioDraft(DrawnScenario):
    """A drawn instance with its stated design."""

    instance: BlueprintInstance
    design: RecordDesign
    library: Library

    def get_record(self) -> Record:
        """Return the parsed record."""
        return self.design.record

    def get_requirements(self) -> ProseRequirements:
        """Return the values that texts print."""
        return self.design.requirements


def read_draft(instance: BlueprintInstance, library: Library) -> ScenarioDraft:
    """Read an instance as a draft. Raise `UnreadableDraft` if its record cannot be read."""
    design, findings = read_record_design_by_content(instance.record, library)
    if design is None:
        first = findings.errors[0]
        raise UnreadableDraft(f"{instance.offer.name} cannot be read: {first.code} {first}")
    return ScenarioDraft(instance, design, library)
