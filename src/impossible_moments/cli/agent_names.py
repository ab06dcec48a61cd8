"""Checks of agent names on the command line, with similar names for a typing error."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.agents.orchestrator import Configuration
from impossible_moments.cli.choices import LONGEST_NAME, find_similar_names, suggest_names
from impossible_moments.errors import ConfigurationError


def require_configured_agent(name: str, settings: Configuration) -> str:
    """Return the name of an agent in upper case. The agent may be disabled.

    Raise a ConfigurationError if the configuration does not contain it.
    """
    known = [each.upper() for each in settings.agents]
    if name.upper() not in known:
        raise ConfigurationError(
            f"`{name[:LONGEST_NAME]}` is not an agent of the configuration.{suggest_names(name, known)} "
            f"The agents are {', '.join(known)}."
        )
    return name.upper()


def reject_misspelt_roles(models: Iterable[str], settings: Configuration) -> None:
    """Raise a ConfigurationError if a `ROLE=reference` names a role that is similar to an agent of the run."""
    for model in models:
        role, equals, _ = model.partition("=")
        close = find_similar_names(role, settings.roster) if equals and role.isalpha() else []
        if close and role.upper() not in settings.roster:
            raise ConfigurationError(
                f"`{model[:LONGEST_NAME]}` gives a model to {role[:LONGEST_NAME]}, which is not an agent of this run."
                f"{suggest_names(role, settings.roster)} The agents are {', '.join(settings.roster)}."
            )
