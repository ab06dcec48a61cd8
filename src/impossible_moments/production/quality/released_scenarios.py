"""A folder of published scenarios, opened for quality checks: registry, documents and records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from impossible_moments.domain.vocabulary import Status, parse_main_status
from impossible_moments.errors import ConfigurationError, ImpossibleMomentsError
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.records import Library, load_document
from impossible_moments.scenarios import Scenario, ScenarioMetadata, ScenarioRegistry


@dataclass(frozen=True)
class ReleasedSet:
    """The four files of one scenario, by their paths below the folder."""

    scenario_id: str

    @property
    def public(self) -> str:
        """The public document."""
        return f"public/{self.scenario_id}.md"

    @property
    def evaluation(self) -> str:
        """The evaluation document."""
        return f"evaluation/{self.scenario_id}_eval.md"

    @property
    def mechanics(self) -> str:
        """The record."""
        return f"evaluation/{self.scenario_id}_mechanics.json"

    @property
    def trace(self) -> str:
        """The trace."""
        return f"traces/{self.scenario_id}_trace.md"

    @property
    def paths(self) -> tuple[str, ...]:
        """All four paths."""
        return self.public, self.evaluation, self.mechanics, self.trace


@dataclass(frozen=True)
class ReleasedScenarios:
    """The scenarios of a folder. Files are read on first use; what cannot be read is a problem and no exception."""

    folder: Path
    library: Library = field(default_factory=load_everyday_library, repr=False)

    @cached_property
    def entries(self) -> Mapping[str, ScenarioMetadata]:
        """The registered scenarios by identifier. Raise `ConfigurationError` if there are none."""
        found = ScenarioRegistry(self.folder).entries
        if not found:
            raise ConfigurationError(
                f"{self.folder} has no registered scenarios. Name a folder that `im batch` or `im create` has written."
            )
        return found

    @cached_property
    def sets(self) -> tuple[ReleasedSet, ...]:
        """The files of each scenario."""
        return tuple(ReleasedSet(name) for name in self.entries)

    @cached_property
    def unreadable(self) -> Mapping[str, str]:
        """Why a document or record cannot be read, by its path."""
        return self._opened[2]

    @cached_property
    def scenarios(self) -> Mapping[str, Scenario]:
        """The public documents that can be read, by identifier."""
        return self._opened[0]

    @cached_property
    def records(self) -> Mapping[str, object]:
        """The records that can be read, by identifier."""
        return self._opened[1]

    @cached_property
    def _opened(self) -> tuple[dict[str, Scenario], dict[str, object], dict[str, str]]:
        scenarios: dict[str, Scenario] = {}
        records: dict[str, object] = {}
        problems: dict[str, str] = {}
        for each in self.sets:
            try:
                text = (self.folder / each.public).read_text(encoding="utf-8")
                scenarios[each.scenario_id] = Scenario.parse(text, each.public)
            except (OSError, ValueError, ImpossibleMomentsError) as problem:
                problems[each.public] = str(problem)
            try:
                records[each.scenario_id] = load_document(self.folder / each.mechanics)
            except (OSError, ValueError, ImpossibleMomentsError) as problem:
                problems[each.mechanics] = str(problem)
        return scenarios, records, problems

    def read_text(self, path: str) -> str | None:
        """Return the text of a file below the folder, or None if it cannot be read."""
        try:
            return (self.folder / path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def iterate_main_statuses(self) -> Iterator[tuple[str, Status]]:
        """Generate the identifier and the main status of each scenario."""
        for name, entry in self.entries.items():
            yield name, parse_main_status(entry.status)
