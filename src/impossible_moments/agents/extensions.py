"""Extensions: what installed packages bring for the agents of a roster (specification 8.3, step 3).

A package names a module under the entry point group `impossible_moments.agents`, with the agent as the entry's name.
The module is imported when a roster has that agent, and appends its gate rows. The roster decides: a package that is
installed and whose agent is not in the roster changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib.metadata import entry_points
from typing import Final

from impossible_moments.errors import ConfigurationError

GROUP: Final = "impossible_moments.agents"


def load_extensions(roster: Collection[str]) -> tuple[str, ...]:
    """Import what packages bring for the agents of a roster; returns the agents that something was found for."""
    found = sorted(
        (point for point in entry_points(group=GROUP) if point.name.upper() in roster),
        key=lambda point: (point.name.upper(), point.value),
    )
    for point in found:
        try:
            point.load()
        except ImportError as problem:
            raise ConfigurationError(
                f"the package that brings {point.name.upper()} names the module {point.value}, which cannot be "
                f"imported ({problem}). Install the package again, or take the agent out of the configuration."
            ) from None
    return tuple(dict.fromkeys(point.name.upper() for point in found))
