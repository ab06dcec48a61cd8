"""Published documents of a scenario: three texts, the mechanics and the metadata, with their paths."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from impossible_moments.scenarios.metadata import NO_CLOCK, ScenarioMetadata

STAMPED: Final = ("Created", "Pipeline duration", "Total compute time")
"""Lines of a trace whose values come from a clock."""
_STAMPED_LINE: Final = re.compile(rf"^- ({'|'.join(STAMPED)}): .*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ScenarioDocuments:
    """The documents of a finished scenario."""

    public: str
    """Tier 1: the text that a solver may see."""
    evaluation: str
    """Tier 2: the answer key."""
    trace: str
    """Tier 3: how the scenario was created."""
    metadata: ScenarioMetadata
    mechanics: str
    """The mechanics record as JSON. Everything else is computed from it."""

    def list_files_by_path(self) -> dict[str, str]:
        """Return each text by its path in the registry folder, the public document last."""
        name = self.metadata.scenario_id
        return {
            f"evaluation/{name}_eval.md": self.evaluation,
            f"evaluation/{name}_mechanics.json": self.mechanics,
            f"traces/{name}_trace.md": self.trace,
            f"public/{name}.md": self.public,
        }


def load_documents(folder: Path, metadata: ScenarioMetadata) -> ScenarioDocuments:
    """Load the documents of a published scenario. Raise `OSError` or `UnicodeDecodeError` if one cannot be read."""
    empty = ScenarioDocuments("", "", "", metadata, "")
    evaluation, mechanics, trace, public = (
        (folder / path).read_text(encoding="utf-8") for path in empty.list_files_by_path()
    )
    return ScenarioDocuments(public, evaluation, trace, metadata, mechanics)


def remove_clock_values(trace: str) -> str:
    """Return a trace in which the values that come from a clock read as in a run without one."""
    head, mark, rest = trace.partition("\n## Agent Contributions\n")
    return _STAMPED_LINE.sub(rf"- \1: not recorded ({NO_CLOCK})", head) + mark + rest
