"""What is published of a scenario: three texts, the mechanics and the metadata, and where each lies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.scenarios.metadata import Metadata

STAMPED: Final = ("Created", "Pipeline duration", "Total compute time")
"""The lines of a trace that a clock wrote."""
_STAMPED_LINE: Final = re.compile(rf"^- ({'|'.join(STAMPED)}): .*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Documents:
    """A finished scenario."""

    public: str
    """Tier 1: what a solver may be shown."""
    evaluation: str
    """Tier 2: the answer key."""
    trace: str
    """Tier 3: how it came about."""
    metadata: Metadata
    mechanics: str
    """The record that everything is computed from, as JSON."""

    def files(self) -> dict[str, str]:
        """Each text by the path it is published under, the public one last."""
        name = self.metadata.scenario_id
        return {
            f"evaluation/{name}_eval.md": self.evaluation,
            f"evaluation/{name}_mechanics.json": self.mechanics,
            f"traces/{name}_trace.md": self.trace,
            f"public/{name}.md": self.public,
        }


def comparable(trace: str) -> str:
    """A trace without what a clock said."""
    head, mark, rest = trace.partition("\n## Agent Contributions\n")
    return _STAMPED_LINE.sub(r"- \1: not recorded", head) + mark + rest
