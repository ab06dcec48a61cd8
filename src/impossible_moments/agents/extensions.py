"""Extensions: modules of installed packages that add quality gates for agents (specification 8.3, step 3).

A package names a module under the entry point group `impossible_moments.agents`, with the agent as the name
of the entry. The module is imported if the configuration contains that agent, and appends its gate criteria.
A package whose agent is not configured changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib.metadata import entry_points
from typing import Final

from impossible_moments.errors import ConfigurationError

GROUP: Final = "impossible_moments.agents"


def load_extensions(roster: Collection[str]) -> tuple[str, ...]:
    """Import the extension modules of the agents in `roster`. Return the agents for which one was found."""
    found = sorted(
        (point for point in entry_points(group=GROUP) if point.name.upper() in roster),
        key=lambda point: (point.name.upper(), point.value),
    )
    for point in found:
        try:
            point.load()
        except ImportError as problem:
            raise ConfigurationError(
                f"Cannot import {point.value}, the module of the package that extends {point.name.upper()} ({problem}). "
                "Install the package again, or remove the agent from the configuration."
            ) from None
    return tuple(dict.fromkeys(point.name.upper() for point in found))
