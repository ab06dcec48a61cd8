"""Drawn scenarios: an instance whose record was read, with its insights, tables and texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

from impossible_moments.blueprints.instances import BlueprintInstance
from impossible_moments.blueprints.scenario_tables import ScenarioTables, build_scenario_tables
from impossible_moments.mechanics.difficulty import InsightFact, list_insight_calls
from impossible_moments.mechanics.prose import ProseRequirements, render_prose, render_template_text
from impossible_moments.mechanics.records import Library, Record


class DrawnScenario(ABC):
    """An instance and the texts that its record and notes give."""

    instance: BlueprintInstance
    library: Library

    @abstractmethod
    def get_record(self) -> Record | None:
        """Return the parsed record, or None if it cannot be read."""

    @abstractmethod
    def get_requirements(self) -> ProseRequirements | None:
        """Return the values that texts print, or None if the record cannot be read."""

    @cached_property
    def insights(self) -> tuple[InsightFact, ...]:
        """The insights with type, domain and dependencies, in the order of the record."""
        calls = self.insight_calls
        notes = self.instance.notes.insights
        return tuple(
            InsightFact(
                notes[call].type,
                notes[call].domain,
                tuple(calls.index(needed) + 1 for needed in notes[call].needs if needed in calls),
                call,
            )
            for call in calls
            if call in notes
        )

    @cached_property
    def insight_calls(self) -> tuple[str, ...]:
        """The calls that have an insight in the record."""
        record = self.get_record()
        return () if record is None else list_insight_calls(record)

    @cached_property
    def tables(self) -> ScenarioTables:
        """The table rows as templates."""
        return build_scenario_tables(self.instance.record, self.instance.notes, self.library)

    @cached_property
    def prose(self) -> dict[str, str]:
        """The rendered public text."""
        record, requirements = self.get_record(), self.get_requirements()
        assert record is not None and requirements is not None, "accepted records have both"  # noqa: PT018
        return render_prose(record.prose, requirements)

    def render_template(self, template: str) -> str:
        """Render a template of the notes with the values of the record."""
        requirements = self.get_requirements()
        assert requirements is not None, "accepted records are tied to their prose"
        return render_template_text(template, requirements)
