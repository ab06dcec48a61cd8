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

from impossible_moments.agents.orchestrator import configuration_rules as rules
from impossible_moments.domain.thresholds import (
    ATTEMPTS,
    CHALLENGES_PER_AGENT,
    LOWEST_CONFIDENCE,
    LOWEST_SIMILARITY,
    MOST_VARIANTS,
    REDESIGNS,
    SIMILARITY,
    SPLITS,
    TIMING_MARGIN,
    USUAL_CONFIDENCE,
    VARIANTS,
    VETOES_PER_AGENT,
)
from impossible_moments.domain.vocabulary import ROLES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import format_short_text, load_document, parse_document

PACKAGED_CONFIGURATION: Final = "agents/orchestrator/config.yaml"
_IDENTITY_DIGITS: Final = 12


def _make_number_range_validator(low: float, high: float) -> PlainValidator:
    """Return a validator for a number within bounds. Its error message states the bounds."""

    def check_number(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(f"give a number from {low:g} to {high:g}")
        return value

    return PlainValidator(check_number)


def _make_integer_range_validator(low: int, high: int) -> PlainValidator:
    """Return a validator for a whole number within bounds. Its error message states the bounds."""

    def check_integer(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"give a whole number from {low} to {high}")
        return value

    return PlainValidator(check_integer)


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
    confidence_threshold: Annotated[float, _make_number_range_validator(LOWEST_CONFIDENCE, 1.0)] = (
        USUAL_CONFIDENCE
    )
    max_token_budget: Annotated[int, _make_integer_range_validator(1_000, 200_000)] = 20_000
    model: str = ""
    """The model of the agent, such as openai:gpt-4o. Options and environment variables take precedence."""
    enabled: bool = True
    """Whether the agent takes part. The five core agents always do."""


class GateSettings(_Settings):
    """Thresholds of the quality gates, never weaker than the specification."""

    attempts: Mapping[Phase, Annotated[int, _make_integer_range_validator(1, ATTEMPTS)]] = {}
    timing_margin: Annotated[float, _make_number_range_validator(TIMING_MARGIN, 0.9)] = TIMING_MARGIN
    similarity: Annotated[float, _make_number_range_validator(LOWEST_SIMILARITY, SIMILARITY)] = SIMILARITY


class InteractionLimits(_Settings):
    """Upper limits on interactions, never higher than the specification."""

    challenges_per_agent: Annotated[int, _make_integer_range_validator(0, CHALLENGES_PER_AGENT)] = (
        CHALLENGES_PER_AGENT
    )
    vetoes_per_agent: Annotated[int, _make_integer_range_validator(0, VETOES_PER_AGENT)] = VETOES_PER_AGENT
    redesigns: Annotated[int, _make_integer_range_validator(0, REDESIGNS)] = REDESIGNS
    splits: Annotated[int, _make_integer_range_validator(0, SPLITS)] = SPLITS


class ProductionSettings(_Settings):
    """Choices that are not limits of the specification."""

    variants: Annotated[int, _make_integer_range_validator(0, MOST_VARIANTS)] = VARIANTS
    """How many variants of an accepted scenario are created if DARWIN takes part."""


class Configuration(_Settings):
    """The whole configuration file."""

    version: str
    agents: Mapping[str, AgentEntry]
    gates: GateSettings = GateSettings()
    limits: InteractionLimits = InteractionLimits()
    production: ProductionSettings = ProductionSettings()

    @model_validator(mode="after")
    def _check_fixed_rules(self) -> Configuration:
        violation = next((each for each in self._iterate_rule_violations() if each is not None), None)
        if violation is not None:
            raise ValueError(violation)
        return self

    def _iterate_rule_violations(self) -> Iterator[str | None]:
        yield rules.find_name_violation(self.agents)
        for name, entry in self.agents.items():
            yield rules.find_phase_violation(name, entry.phases, entry.lead_phases)
            yield rules.find_veto_violation(name, can_veto=entry.can_veto)
            yield rules.find_disabled_agent_violation(name, enabled=entry.enabled)
            yield rules.find_context_policy_violation(name, entry.context_policy)
            # a value that is not set is the one of the specification
            if "confidence_threshold" in entry.model_fields_set:
                yield rules.find_threshold_violation(name, entry.confidence_threshold)
            if "max_token_budget" in entry.model_fields_set:
                yield rules.find_token_budget_violation(name, entry.max_token_budget)

    @cached_property
    def roster(self) -> Mapping[str, AgentEntry]:
        """The enabled agents by upper-case name: the five core agents, then the others in file order."""
        named = {name.upper(): entry for name, entry in self.agents.items() if entry.enabled}
        return {role: named[role] for role in ROLES} | {
            name: each for name, each in named.items() if name not in ROLES
        }

    @property
    def vetoers(self) -> frozenset[str]:
        """The enabled agents with veto power."""
        return frozenset(name for name, entry in self.roster.items() if entry.can_veto)

    def enable_agents(self, names: Iterable[str]) -> Configuration:
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
        enabled_agents = {
            known[name.upper()]: self.agents[known[name.upper()]].model_copy(update={"enabled": True})
            for name in names
        }
        # validate again: a copy would keep the cached roster of the original
        return Configuration.model_validate(
            {**self.model_dump(), "agents": {**self.agents, **enabled_agents}}
        )

    def list_agents_in_phase(self, phase: Phase) -> tuple[str, ...]:
        """Return the names of the agents that take part in a phase."""
        return tuple(name for name, entry in self.roster.items() if phase in entry.phases)

    @cached_property
    def prompts(self) -> Mapping[str, str]:
        """The system prompt of each agent."""
        return {name: _read_file_text(entry.prompt) for name, entry in self.roster.items()}

    @cached_property
    def prompt_versions(self) -> Mapping[str, str]:
        """The name of each prompt with the hash of its text, such as `athena_v1_1a2b3c`."""
        return {
            name: f"{Path(entry.prompt).stem}_{hashlib.sha256(self.prompts[name].encode()).hexdigest()[:6]}"
            for name, entry in self.roster.items()
        }


def load_configuration(path: str | Path | None = None) -> Configuration:
    """Load a configuration file. A path that does not exist is looked up among the packaged files.

    Raise `ConfigurationError` if the file is invalid.
    """
    name = str(path) if path is not None else PACKAGED_CONFIGURATION
    data: Any = (
        load_document(Path(name))
        if Path(name).is_file()
        else parse_document(_read_file_text(name), name=name)
    )
    try:
        found = Configuration.model_validate(data)
    except ValidationError as problem:
        raise ConfigurationError(f"{name}: {_describe_validation_fault(problem.errors()[0])}.") from None
    return found.model_copy(update={"agents": dict(_resolve_prompt_paths(found, name))})


def identify_settings(path: str | Path | None) -> str:
    """Return what identifies a configuration file by its content. The packaged one has an empty identity."""
    packaged = _read_file_text(PACKAGED_CONFIGURATION)
    text = packaged if path is None else _read_file_text(str(path))
    return "" if text == packaged else hashlib.sha256(text.encode()).hexdigest()[:_IDENTITY_DIGITS]


def _resolve_prompt_paths(configuration: Configuration, file: str) -> Iterator[tuple[str, AgentEntry]]:
    """Yield each agent with the path of its prompt.

    A prompt is looked up next to the file, in the working folder, and in the package, in this order.
    """
    for name, entry in configuration.agents.items():
        sibling_path = Path(file).parent / entry.prompt
        place = str(sibling_path) if Path(file).is_file() and sibling_path.is_file() else entry.prompt
        try:
            blank = not _read_file_text(place).strip()
        except ConfigurationError as problem:
            raise ConfigurationError(f"{file}: at `agents/{name}/prompt`: {problem}") from None
        if blank:
            raise ConfigurationError(
                f"{file}: `agents/{name}/prompt` is {entry.prompt!r}, an empty file; name a file that contains a prompt."
            )
        yield name, entry.model_copy(update={"prompt": place})


def _read_file_text(name: str) -> str:
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
_EXPECTED_VALUES: Final[Mapping[str, str]] = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "mapping_type": "a map of settings",
    "dict_type": "a map of settings",
    "model_type": "a map of settings",
    "string_type": "text",
    "tuple_type": "a list",
}
_PARTS: Final[Mapping[str, type[_Settings]]] = {
    "agents": AgentEntry,
    "gates": GateSettings,
    "limits": InteractionLimits,
    "production": ProductionSettings,
}


def _describe_validation_fault(fault: ErrorDetails) -> str:
    """Describe a validation error: what is wrong, where, and what is valid."""
    place = [str(part) for part in fault["loc"] if part != "[key]"]
    key, model = "/".join(place), _PARTS[place[0]] if len(place) > 1 else Configuration
    match fault["type"]:
        case "extra_forbidden":
            return f"`{key}` is not a setting; the settings there are {', '.join(model.model_fields)}"
        case "missing":
            required_fields = [name for name, info in model.model_fields.items() if info.is_required()]
            return f"`{key}` is missing; required are {' and '.join(required_fields)}"
        case "value_error" if not place:
            return fault["msg"].removeprefix("Value error, ")
        case "value_error":
            return f"`{key}` is {_format_input_value(fault['input'])}; {fault['msg'].removeprefix('Value error, ')}"
        case kind:
            expected = _EXPECTED_VALUES.get(kind) or fault["msg"].removeprefix("Input should be ")
            return f"`{key or 'the file'}` is {_format_input_value(fault['input'])}; it must be {expected}"


def _format_input_value(value: object) -> str:
    return format_short_text(json.dumps(value, ensure_ascii=False, default=str))
