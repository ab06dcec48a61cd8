"""Selection of the model for each role, and of the performers that play the roles."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Final

from impossible_moments.agents.adapters import NAME as BUILTIN
from impossible_moments.agents.adapters import BuiltinAdapter, LanguageModelAdapter, Performer
from impossible_moments.agents.builtin import BUILTIN_AGENTS, BuiltinCast
from impossible_moments.agents.orchestrator import Configuration
from impossible_moments.errors import ConfigurationError
from impossible_moments.llm import (
    AT_ONCE,
    EXAMPLES,
    ConnectionPool,
    ModelReference,
    RetryPolicy,
    SpendingBudget,
    find_api_keys,
    load_price_table,
    parse_model_reference,
)
from impossible_moments.mechanics.records import Library
from impossible_moments.pipeline.performers import RolePerformer

VARIABLE: Final = "IM_MODEL"
"""Names the model of all roles. With a suffix such as `_ATHENA` it names the model of one role."""
AT_ONCE_VARIABLE: Final = "IM_CALLS_AT_ONCE"


@dataclass(frozen=True)
class ModelResources:
    """The resources that language models may use: keys, money, prices and retry_policy."""

    api_key: str | None = None
    spending_limit: Decimal | None = None
    prices: Path | None = None
    retry_policy: RetryPolicy | None = None
    budget: SpendingBudget = field(default_factory=SpendingBudget)


def select_models(
    names: str | Sequence[str], configuration: Configuration, environ: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the model name of each agent.

    `names` are model references, each for all roles, or written ROLE=reference for one role. They come before
    the environment, and the environment comes before the configuration.
    """
    around = os.environ if environ is None else environ
    flags = [names] if isinstance(names, str) else list(names)
    for_one, for_all = _parse_model_flags(flags, configuration)
    usual = for_all or around.get(VARIABLE) or BUILTIN
    found = {}
    for agent, entry in configuration.roster.items():
        given = None if for_all else around.get(f"{VARIABLE}_{agent}") or entry.model
        found[agent] = for_one.get(agent) or given or usual
    return found


def build_cast(
    models: Mapping[str, str],
    configuration: Configuration,
    library: Library,
    means: ModelResources | None = None,
    *,
    programs: BuiltinCast | None = None,
) -> Performer:
    """Build the performer that plays each role with its model.

    `programs` are those of the built-in agents, by default with the shipped blueprints.
    Raises `ConfigurationError` if an agent has neither a model nor a built-in program.
    """
    _require_performers(models)
    if set(models.values()) == {BUILTIN}:
        return BuiltinAdapter(programs)
    references = {agent: parse_model_reference(name) for agent, name in models.items() if name != BUILTIN}
    played: dict[str, Performer] = {}
    if len(references) < len(models):
        builtin = BuiltinAdapter(programs)
        played = {agent: builtin for agent, name in models.items() if name == BUILTIN}
    speaking = build_model_adapter(references, configuration, library, means or ModelResources())
    return RolePerformer({**played, **dict.fromkeys(references, speaking)})


def _require_performers(models: Mapping[str, str]) -> None:
    """Raise `ConfigurationError` for the first agent that nothing can play."""
    for agent, name in models.items():
        if name == BUILTIN and agent not in BUILTIN_AGENTS:
            raise ConfigurationError(
                f"{agent} is configured, but nothing plays it: the built-in cast has only {', '.join(BUILTIN_AGENTS)}. Give it "
                f"a model with --model {agent}=openai:gpt-4o or `model:` in the configuration, or disable it with "
                "`enabled: false`."
            )


def build_model_adapter(
    references: Mapping[str, ModelReference],
    configuration: Configuration,
    library: Library,
    means: ModelResources,
    *,
    needs_keys: bool = True,
) -> LanguageModelAdapter:
    """Build the adapter for models in the roles.

    Raises `ModelFailure` or `ConfigurationError` if a package is missing or, with `needs_keys`, a key.
    """
    exchange = ConnectionPool(
        find_api_keys(means.api_key),
        load_price_table(means.prices),
        at_once=_read_limit_of_simultaneous_calls(AT_ONCE),
        retry_policy=means.retry_policy,
    )
    means.budget.limit = means.spending_limit
    if needs_keys:
        exchange.require_keys_and_packages(references.values())
    else:
        exchange.require_packages(references.values())
    return LanguageModelAdapter(references, configuration, library, exchange, means.budget)


def _read_limit_of_simultaneous_calls(usual: int) -> int:
    given = os.environ.get(AT_ONCE_VARIABLE, str(usual))
    if not given.isdigit() or not 1 <= int(given) <= 10_000:  # noqa: PLR2004 - more connections than a process can hold
        raise ConfigurationError(
            f"{AT_ONCE_VARIABLE} is `{given[:20]}`. It must be a whole number from 1 to 10000: the number of calls to "
            "one model that may run at once."
        )
    return int(given)


def _parse_model_flags(
    flags: Sequence[str], configuration: Configuration
) -> tuple[dict[str, str], str | None]:
    for_one: dict[str, str] = {}
    for_all: str | None = None
    for flag in flags:
        agent, equals, name = flag.partition("=")
        if not equals or ":" in agent or "/" in agent:
            if for_all is not None:
                raise ConfigurationError(
                    f"Two models are given for all roles: {for_all} and {flag}. Give one for all roles, and others "
                    "for one role each, as in ATHENA=openai:gpt-4o."
                )
            for_all = flag
        elif agent.upper() not in configuration.roster:
            raise ConfigurationError(
                f"`{flag}` gives a model to {agent}, which is not an agent of this run. The agents are "
                f"{', '.join(configuration.roster)}. A model is named like {EXAMPLES}."
            )
        elif not name.strip():
            raise ConfigurationError(
                f"`{flag}` gives no model for {agent}. A model is named like {EXAMPLES}."
            )
        else:
            for_one[agent.upper()] = name.strip()
    return for_one, for_all
