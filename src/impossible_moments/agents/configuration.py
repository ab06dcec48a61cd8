"""The roster and the settings, read from `config.yaml`.

Settings may tighten a rule and never loosen one. A wrong file gets a sentence that names the file, the key and the
choices.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from impossible_moments.domain.labels import Content
from impossible_moments.domain.vocabulary import ROLES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.documents import DocumentError, load, loads

PACKAGED: Final = "agents/orchestrator/config.yaml"
ALL: Final = "all"
Attempts = Annotated[int, Field(ge=1, le=3)]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AgentEntry(_Settings):
    """One agent of the roster."""

    prompt: str
    phases: tuple[Phase, ...]
    lead_phases: tuple[Phase, ...] = ()
    can_veto: bool = False
    role: str = ""
    context_policy: Mapping[Phase, tuple[str, ...]] = {}
    confidence_threshold: float = Field(default=0.6, ge=0.5, le=1.0)
    max_token_budget: int = Field(default=20_000, ge=1_000, le=200_000)

    @field_validator("context_policy")
    @classmethod
    def _known_contents(cls, policy: Mapping[Phase, tuple[str, ...]]) -> Mapping[Phase, tuple[str, ...]]:
        known = {content.name.lower() for content in Content} | {ALL}
        for phase, contents in policy.items():
            for content in contents:
                if content.lower() not in known:
                    raise ValueError(
                        f"{phase} shows `{content}`, which is no content; the contents are {', '.join(sorted(known))}"
                    )
        return policy


class GateSettings(_Settings):
    """How strict the gates are: never less than the specification."""

    attempts: Mapping[Phase, Attempts] = {}
    timing_margin: float = Field(default=0.10, ge=0.10, le=0.9)
    similarity: float = Field(default=0.85, gt=0.0, le=0.85)


class Limits(_Settings):
    """How often something may happen: never more often than the specification says."""

    challenges_per_agent: int = Field(default=3, ge=0, le=3)
    vetoes_per_agent: int = Field(default=2, ge=0, le=2)
    redesigns: int = Field(default=1, ge=0, le=1)
    splits: int = Field(default=1, ge=0, le=1)
    human_review_hours: int = Field(default=48, ge=1, le=48)


class Configuration(_Settings):
    """The whole file."""

    version: str
    agents: Mapping[str, AgentEntry]
    gates: GateSettings = GateSettings()
    limits: Limits = Limits()

    @model_validator(mode="after")
    def _the_five_are_there(self) -> Configuration:
        missing = [role for role in ROLES if role.lower() not in self.agents]
        if missing:
            raise ValueError(f"the roster lacks {', '.join(missing)}; the five roles are {', '.join(ROLES)}")
        return self

    @cached_property
    def roster(self) -> Mapping[str, AgentEntry]:
        """The agents by their names in capitals: the five first, then the others in the order of the file."""
        named = {name.upper(): entry for name, entry in self.agents.items()}
        return {role: named[role] for role in ROLES} | {
            name: each for name, each in named.items() if name not in ROLES
        }

    def agents_in(self, phase: Phase) -> tuple[str, ...]:
        """Who takes part in a phase."""
        return tuple(name for name, entry in self.roster.items() if phase in entry.phases)

    @cached_property
    def prompts(self) -> Mapping[str, str]:
        """Each agent's system prompt."""
        return {name: _resource(entry.prompt) for name, entry in self.roster.items()}

    @cached_property
    def prompt_versions(self) -> Mapping[str, str]:
        """Each prompt's name with the hash of its text: `athena_v1_1a2b3c`."""
        return {
            name: f"{Path(entry.prompt).stem}_{hashlib.sha256(self.prompts[name].encode()).hexdigest()[:6]}"
            for name, entry in self.roster.items()
        }


def configuration(path: str | Path | None = None) -> Configuration:
    """The configuration of a file; a file that is not there is looked for among the packaged ones."""
    name = str(path) if path is not None else PACKAGED
    data: Any = load(Path(name)) if Path(name).is_file() else loads(_resource(name), name=name)
    try:
        return Configuration.model_validate(data)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = "/".join(str(part) for part in first["loc"]) or "the file"
        raise ConfigurationError(
            f"{name}: at {place}, {first['msg'].removeprefix('Value error, ').lower()}."
        ) from None


def _resource(name: str) -> str:
    """The text of a file: as it stands first, as packaged second."""
    if Path(name).is_file():
        return Path(name).read_text(encoding="utf-8")
    packaged = files("impossible_moments").joinpath(name)
    if not packaged.is_file():
        raise ConfigurationError(f"{name} is neither a file here nor one that comes with the package.")
    try:
        return packaged.read_text(encoding="utf-8")
    except DocumentError as problem:
        raise ConfigurationError(str(problem)) from None
