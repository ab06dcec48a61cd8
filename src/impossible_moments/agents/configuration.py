"""The roster and the settings, read from `config.yaml`.

Settings may tighten a rule and never loosen one. A wrong file gets a sentence that names the file, the key and the
choices.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationError, model_validator
from pydantic_core import ErrorDetails

from impossible_moments.agents import configuration_law as law
from impossible_moments.domain.vocabulary import ROLES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.document_values import excerpt
from impossible_moments.mechanics.documents import load, loads

PACKAGED: Final = "agents/orchestrator/config.yaml"


def _from_to(low: float, high: float) -> PlainValidator:
    """A number within bounds that the sentence about a wrong one names."""

    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(f"give a number from {low:g} to {high:g}")
        return value

    return PlainValidator(check)


def _whole_from_to(low: int, high: int) -> PlainValidator:
    """A whole number within bounds."""

    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"give a whole number from {low} to {high}")
        return value

    return PlainValidator(check)


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
    confidence_threshold: Annotated[float, _from_to(0.5, 1.0)] = 0.6
    max_token_budget: Annotated[int, _whole_from_to(1_000, 200_000)] = 20_000
    model: str = ""
    """Who plays the role, such as openai:gpt-4o; flags and environment come before it."""
    enabled: bool = True
    """Whether the agent is there; the five always are."""


class GateSettings(_Settings):
    """How strict the gates are: never less than the specification."""

    attempts: Mapping[Phase, Annotated[int, _whole_from_to(1, 3)]] = {}
    timing_margin: Annotated[float, _from_to(0.10, 0.9)] = 0.10
    similarity: Annotated[float, _from_to(0.01, 0.85)] = 0.85


class Limits(_Settings):
    """How often something may happen: never more often than the specification says."""

    challenges_per_agent: Annotated[int, _whole_from_to(0, 3)] = 3
    vetoes_per_agent: Annotated[int, _whole_from_to(0, 2)] = 2
    redesigns: Annotated[int, _whole_from_to(0, 1)] = 1
    splits: Annotated[int, _whole_from_to(0, 1)] = 1


class Configuration(_Settings):
    """The whole file."""

    version: str
    agents: Mapping[str, AgentEntry]
    gates: GateSettings = GateSettings()
    limits: Limits = Limits()

    @model_validator(mode="after")
    def _keeps_the_law(self) -> Configuration:
        wrong = next((each for each in self._wrongs() if each is not None), None)
        if wrong is not None:
            raise ValueError(wrong)
        return self

    def _wrongs(self) -> Iterator[str | None]:
        yield law.wrong_names(self.agents)
        for name, entry in self.agents.items():
            yield law.wrong_phases(name, entry.phases, entry.lead_phases)
            yield law.wrong_veto(name, can_veto=entry.can_veto)
            yield law.wrong_absence(name, enabled=entry.enabled)
            yield law.wrong_view(name, entry.context_policy)
            # what is left out is the specification's
            if "confidence_threshold" in entry.model_fields_set:
                yield law.wrong_threshold(name, entry.confidence_threshold)
            if "max_token_budget" in entry.model_fields_set:
                yield law.wrong_budget(name, entry.max_token_budget)

    @cached_property
    def roster(self) -> Mapping[str, AgentEntry]:
        """The agents by their names in capitals: the five first, then the others in the order of the file."""
        named = {name.upper(): entry for name, entry in self.agents.items() if entry.enabled}
        return {role: named[role] for role in ROLES} | {
            name: each for name, each in named.items() if name not in ROLES
        }

    def joined_by(self, names: Iterable[str]) -> Configuration:
        """The configuration with agents switched on that it has and does not use."""
        known = {name.upper(): name for name in self.agents}
        unknown = [name for name in names if name.upper() not in known]
        if unknown:
            off = (
                ", ".join(name.upper() for name, entry in self.agents.items() if not entry.enabled) or "none"
            )
            raise ConfigurationError(
                f"`{unknown[0]}` is no agent of the configuration. Those that can join: {off}."
            )
        joining = {
            known[name.upper()]: self.agents[known[name.upper()]].model_copy(update={"enabled": True})
            for name in names
        }
        # a copy keeps what was computed of the original: the roster is made anew
        return Configuration.model_validate({**self.model_dump(), "agents": {**self.agents, **joining}})

    def agents_in(self, phase: Phase) -> tuple[str, ...]:
        """Who takes part in a phase."""
        return tuple(name for name, entry in self.roster.items() if phase in entry.phases)

    @cached_property
    def prompts(self) -> Mapping[str, str]:
        """Each agent's system prompt."""
        return {name: _text(entry.prompt) for name, entry in self.roster.items()}

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
    data: Any = load(Path(name)) if Path(name).is_file() else loads(_text(name), name=name)
    try:
        found = Configuration.model_validate(data)
    except ValidationError as problem:
        raise ConfigurationError(f"{name}: {_sentence(problem.errors()[0])}.") from None
    return found.model_copy(update={"agents": dict(_with_prompts(found, name))})


def _with_prompts(found: Configuration, file: str) -> Iterator[tuple[str, AgentEntry]]:
    """The agents, each with the place of its prompt: beside the file, else here, else in the package."""
    for name, entry in found.agents.items():
        beside = Path(file).parent / entry.prompt
        place = str(beside) if Path(file).is_file() and beside.is_file() else entry.prompt
        try:
            blank = not _text(place).strip()
        except ConfigurationError as problem:
            raise ConfigurationError(f"{file}: at `agents/{name}/prompt`, {problem}") from None
        if blank:
            raise ConfigurationError(
                f"{file}: `agents/{name}/prompt` is {entry.prompt!r}, a file that says nothing; name a file with a prompt."
            )
        yield name, entry.model_copy(update={"prompt": place})


def _text(name: str) -> str:
    """The text of a file: as it stands first, as packaged second."""
    file: Path | Traversable = Path(name)
    if not file.is_file():
        file = files("impossible_moments").joinpath(name)
    if not file.is_file():
        raise ConfigurationError(
            f"{name} is neither a file here nor one that comes with the package; name one that is there."
        )
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(
            f"{name} cannot be read as text in UTF-8, the one encoding that is read; save it in that."
        ) from None


# what pydantic calls otherwise than somebody who writes YAML
_WANTED: Final[Mapping[str, str]] = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "mapping_type": "a map of settings",
    "dict_type": "a map of settings",
    "model_type": "a map of settings",
    "string_type": "text",
    "tuple_type": "a list",
}
_PARTS: Final[Mapping[str, type[_Settings]]] = {"agents": AgentEntry, "gates": GateSettings, "limits": Limits}


def _sentence(fault: ErrorDetails) -> str:
    """What is wrong, where, and what would be right."""
    place = [str(part) for part in fault["loc"] if part != "[key]"]
    key, around = "/".join(place), _PARTS[place[0]] if len(place) > 1 else Configuration
    match fault["type"]:
        case "extra_forbidden":
            return f"`{key}` is no setting; the settings there are {', '.join(around.model_fields)}"
        case "missing":
            needed = [name for name, info in around.model_fields.items() if info.is_required()]
            return f"`{key}` is missing; what must be there is {' and '.join(needed)}"
        case "value_error" if not place:
            return fault["msg"].removeprefix("Value error, ")
        case "value_error":
            return f"`{key}` is {_written(fault['input'])}; {fault['msg'].removeprefix('Value error, ')}"
        case kind:
            wanted = _WANTED.get(kind) or fault["msg"].removeprefix("Input should be ")
            return f"`{key or 'the file'}` is {_written(fault['input'])}; it must be {wanted}"


def _written(value: object) -> str:
    return excerpt(json.dumps(value, ensure_ascii=False, default=str))
