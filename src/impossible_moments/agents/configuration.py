"""The agents and settings of a run, read from `config.yaml`.

Settings may tighten a rule but never loosen one. An error in the file is reported with the file, the key and
the valid choices.
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

from impossible_moments.agents import configuration_law as rules
from impossible_moments.domain.vocabulary import ROLES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.document_values import excerpt
from impossible_moments.mechanics.documents import load, loads

PACKAGED: Final = "agents/orchestrator/config.yaml"


def _from_to(low: float, high: float) -> PlainValidator:
    """Return a validator for a number within bounds. Its error message states the bounds."""

    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(f"give a number from {low:g} to {high:g}")
        return value

    return PlainValidator(check)


def _whole_from_to(low: int, high: int) -> PlainValidator:
    """Return a validator for a whole number within bounds. Its error message states the bounds."""

    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"give a whole number from {low} to {high}")
        return value

    return PlainValidator(check)


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AgentEntry(_Settings):
    """One agent of the configuration."""

    prompt: str
    phases: tuple[Phase, ...]
    lead_phases: tuple[Phase, ...] = ()
    can_veto: bool = False
    role: str = ""
    context_policy: Mapping[Phase, tuple[str, ...]] = {}
    confidence_threshold: Annotated[float, _from_to(0.5, 1.0)] = 0.6
    max_token_budget: Annotated[int, _whole_from_to(1_000, 200_000)] = 20_000
    model: str = ""
    """The model of the agent, such as openai:gpt-4o. Options and environment variables take precedence."""
    enabled: bool = True
    """Whether the agent takes part. The five core agents always do."""


class GateSettings(_Settings):
    """Thresholds of the quality gates, never weaker than the specification."""

    attempts: Mapping[Phase, Annotated[int, _whole_from_to(1, 3)]] = {}
    timing_margin: Annotated[float, _from_to(0.10, 0.9)] = 0.10
    similarity: Annotated[float, _from_to(0.01, 0.85)] = 0.85


class Limits(_Settings):
    """Upper limits on interactions, never higher than the specification."""

    challenges_per_agent: Annotated[int, _whole_from_to(0, 3)] = 3
    vetoes_per_agent: Annotated[int, _whole_from_to(0, 2)] = 2
    redesigns: Annotated[int, _whole_from_to(0, 1)] = 1
    splits: Annotated[int, _whole_from_to(0, 1)] = 1


class Configuration(_Settings):
    """The whole configuration file."""

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
        yield rules.wrong_names(self.agents)
        for name, entry in self.agents.items():
            yield rules.wrong_phases(name, entry.phases, entry.lead_phases)
            yield rules.wrong_veto(name, can_veto=entry.can_veto)
            yield rules.wrong_absence(name, enabled=entry.enabled)
            yield rules.wrong_view(name, entry.context_policy)
            # a value that is not set is the one of the specification
            if "confidence_threshold" in entry.model_fields_set:
                yield rules.wrong_threshold(name, entry.confidence_threshold)
            if "max_token_budget" in entry.model_fields_set:
                yield rules.wrong_budget(name, entry.max_token_budget)

    @cached_property
    def roster(self) -> Mapping[str, AgentEntry]:
        """The enabled agents by upper-case name: the five core agents, then the others in file order."""
        named = {name.upper(): entry for name, entry in self.agents.items() if entry.enabled}
        return {role: named[role] for role in ROLES} | {
            name: each for name, each in named.items() if name not in ROLES
        }

    def joined_by(self, names: Iterable[str]) -> Configuration:
        """Return a copy of the configuration with these agents enabled.

        Raise `ConfigurationError` for a name that the configuration does not contain.
        """
        known = {name.upper(): name for name in self.agents}
        unknown = [name for name in names if name.upper() not in known]
        if unknown:
            off = (
                ", ".join(name.upper() for name, entry in self.agents.items() if not entry.enabled) or "none"
            )
            raise ConfigurationError(
                f"`{unknown[0]}` is not an agent of the configuration. Agents that can be enabled: {off}."
            )
        joining = {
            known[name.upper()]: self.agents[known[name.upper()]].model_copy(update={"enabled": True})
            for name in names
        }
        # validate again: a copy would keep the cached roster of the original
        return Configuration.model_validate({**self.model_dump(), "agents": {**self.agents, **joining}})

    def agents_in(self, phase: Phase) -> tuple[str, ...]:
        """Return the names of the agents that take part in a phase."""
        return tuple(name for name, entry in self.roster.items() if phase in entry.phases)

    @cached_property
    def prompts(self) -> Mapping[str, str]:
        """The system prompt of each agent."""
        return {name: _text(entry.prompt) for name, entry in self.roster.items()}

    @cached_property
    def prompt_versions(self) -> Mapping[str, str]:
        """The name of each prompt with the hash of its text, such as `athena_v1_1a2b3c`."""
        return {
            name: f"{Path(entry.prompt).stem}_{hashlib.sha256(self.prompts[name].encode()).hexdigest()[:6]}"
            for name, entry in self.roster.items()
        }


def configuration(path: str | Path | None = None) -> Configuration:
    """Load a configuration file. A path that does not exist is looked up among the packaged files.

    Raise `ConfigurationError` if the file is invalid.
    """
    name = str(path) if path is not None else PACKAGED
    data: Any = load(Path(name)) if Path(name).is_file() else loads(_text(name), name=name)
    try:
        found = Configuration.model_validate(data)
    except ValidationError as problem:
        raise ConfigurationError(f"{name}: {_sentence(problem.errors()[0])}.") from None
    return found.model_copy(update={"agents": dict(_with_prompts(found, name))})


def _with_prompts(found: Configuration, file: str) -> Iterator[tuple[str, AgentEntry]]:
    """Yield each agent with the path of its prompt.

    A prompt is looked up next to the file, in the working folder, and in the package, in this order.
    """
    for name, entry in found.agents.items():
        beside = Path(file).parent / entry.prompt
        place = str(beside) if Path(file).is_file() and beside.is_file() else entry.prompt
        try:
            blank = not _text(place).strip()
        except ConfigurationError as problem:
            raise ConfigurationError(f"{file}: at `agents/{name}/prompt`: {problem}") from None
        if blank:
            raise ConfigurationError(
                f"{file}: `agents/{name}/prompt` is {entry.prompt!r}, an empty file; name a file that contains a prompt."
            )
        yield name, entry.model_copy(update={"prompt": place})


def _text(name: str) -> str:
    """Return the text of a file. A path that does not exist is looked up in the package."""
    file: Path | Traversable = Path(name)
    if not file.is_file():
        file = files("impossible_moments").joinpath(name)
    if not file.is_file():
        raise ConfigurationError(
            f"No such file: {name}; it is neither in the working folder nor in the package."
        )
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"{name} is not a text file in UTF-8; save it in that encoding.") from None


# the names of types in YAML, where pydantic uses other words
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
    """Describe a validation error: what is wrong, where, and what is valid."""
    place = [str(part) for part in fault["loc"] if part != "[key]"]
    key, around = "/".join(place), _PARTS[place[0]] if len(place) > 1 else Configuration
    match fault["type"]:
        case "extra_forbidden":
            return f"`{key}` is not a setting; the settings there are {', '.join(around.model_fields)}"
        case "missing":
            needed = [name for name, info in around.model_fields.items() if info.is_required()]
            return f"`{key}` is missing; required are {' and '.join(needed)}"
        case "value_error" if not place:
            return fault["msg"].removeprefix("Value error, ")
        case "value_error":
            return f"`{key}` is {_written(fault['input'])}; {fault['msg'].removeprefix('Value error, ')}"
        case kind:
            wanted = _WANTED.get(kind) or fault["msg"].removeprefix("Input should be ")
            return f"`{key or 'the file'}` is {_written(fault['input'])}; it must be {wanted}"


def _written(value: object) -> str:
    return excerpt(json.dumps(value, ensure_ascii=False, default=str))
