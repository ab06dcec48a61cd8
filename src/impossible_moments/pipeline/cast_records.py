"""The cast of a run as the ledger keeps it: the model of each role and the settings, and never a key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.agents.orchestrator import Configuration
from impossible_moments.domain.vocabulary import ROLES

CONTRIBUTED: Final = "file:"
"""Begins the name of a design file in place of ATHENA's model."""


@dataclass(frozen=True)
class CastRecord:
    """The models of a run by role, and the settings file that it was begun with."""

    models: Mapping[str, str] = field(default_factory=dict)
    settings: str = ""
    """Hash of the settings file, or an empty string for the packaged settings."""

    @property
    def further_agents(self) -> tuple[str, ...]:
        """The agents beside the five roles."""
        return tuple(name for name in self.models if name not in ROLES)

    def format(self) -> str:
        """Return the record as JSON, the same for equal casts. An unknown cast is an empty string."""
        data = {"models": dict(self.models), "settings": self.settings}
        return json.dumps(data, sort_keys=True) if self.models else ""

    def __str__(self) -> str:
        """Return the models in a few words, those of several roles once."""
        if len(set(self.models.values())) == 1:
            return next(iter(self.models.values()))
        return ", ".join(f"{role}={model}" for role, model in self.models.items())


def build_cast_record(models: Mapping[str, str], configuration: Configuration, settings: str) -> CastRecord:
    """Build the record of a cast, in the order of the roster. `settings` identifies the settings file."""
    ordered = {agent: models[agent] for agent in configuration.roster if agent in models}
    return CastRecord(ordered, settings)


def parse_cast_record(text: str) -> CastRecord | None:
    """Parse a cast of the ledger. Return None if none was recorded."""
    if not text:
        return None
    data = json.loads(text)
    return CastRecord(dict(data["models"]), str(data["settings"]))
